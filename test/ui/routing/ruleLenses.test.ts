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

test('above each rule stands what it did', () =>
  expect(check([])).toEqual(['1 Has not decided anything yet', '4 Decided 2 messages']));

test('a suggestion stands below the rule that it would stand behind, with all that can be done', () =>
  expect(check([at(makeSuggestion(1), 6)]).slice(0, 5)).toEqual([
    '7 Suggested: one of invoice / invoices → shop/project-root/billing · would have matched 12, agreed 12',
    ...['7 Accept', '7 Edit', '7 Reject', '7 Preview'],
  ]));

test('one that something speaks against says so', () =>
  expect(check([at(makeSuggestion(3), 6)])[1]).toBe('7 Accept Anyway…'));

test('several at one place are one line, and take the place of what the rule there did', () =>
  expect(check([at(makeSuggestion(1), 3), at(makeSuggestion(2), 3)])).toEqual([
    '4 2 rules suggested here · Review',
    '1 Has not decided anything yet',
  ]));

test('at the end of the file it stands above its last line', () =>
  expect(check([at(makeSuggestion(1), 6)], { lineCount: 7 })[0]).toMatch(/^6 Suggested/));

test('a rule that is not known yet has nothing above it', () => expect(check([], { rules: [] })).toEqual([]));
