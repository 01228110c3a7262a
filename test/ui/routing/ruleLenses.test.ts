import { expect, test } from 'vitest';
import type { RuleRow, SuggestionRow } from '../../../src/model/requests/routing.ts';
import { type RuleLensFacts, routingLenses } from '../../../src/ui/routing/ruleLenses.ts';
import { makeSuggestion } from '../../editor/support/routingSamples.ts';

const rule: RuleRow = { id: 'one', any: ['x'], target: 'shop', enabled: true, fired: 0 };
const lines = [
  { id: 'one', first: 1, last: 3 },
  { id: 'two', first: 4, last: 6 },
];
const rules = [rule, { ...rule, id: 'two', fired: 2 }];

function check(suggestions: RuleLensFacts['suggestions'], more: Partial<RuleLensFacts> = {}): string[] {
  const lenses = routingLenses({ suggestions, rules, lines, lineCount: 9, ...more }, Date.parse('2026-01-03'));
  return lenses.map(({ line, title }) => `${line} ${title}`);
}

const at = (row: SuggestionRow, line: number) => ({ row, line });

test('a lens above each rule says what the rule decided', () =>
  expect(check([])).toEqual(['1 Has not decided anything yet', '4 Decided 2 messages']));

test('a suggestion is shown below the rule it would follow, with its actions', () =>
  expect(check([at(makeSuggestion(1), 6)]).slice(0, 5)).toEqual([
    '7 Suggested: one of invoice / invoices → shop/project-root/billing · would have matched 12, agreed 12',
    ...['7 Accept', '7 Edit', '7 Reject', '7 Preview'],
  ]));

test('a suggestion with an objection offers "Accept Anyway…"', () =>
  expect(check([at(makeSuggestion(3), 6)])[1]).toBe('7 Accept Anyway…'));

test('several suggestions at one place share one lens and replace the one of the rule there', () =>
  expect(check([at(makeSuggestion(1), 3), at(makeSuggestion(2), 3)])).toEqual([
    '4 2 rules suggested here · Review',
    '1 Has not decided anything yet',
  ]));

test('a suggestion at the end of the file is shown above its last line', () =>
  expect(check([at(makeSuggestion(1), 6)], { lineCount: 7 })[0]).toMatch(/^6 Suggested/));

test('an unknown rule has no lens', () => expect(check([], { rules: [] })).toEqual([]));
