import { describe, expect, test } from 'vitest';
import type { Ulid } from '../../../src/model/id.ts';
import type { RuleRow, SuggestionRow } from '../../../src/model/requests/routing.ts';
import {
  agoWords,
  ruleHover,
  ruleStatistics,
  suggestionTitle,
  threadCommands,
  threadLabel,
  threadMarkdown,
} from '../../../src/ui/routing/suggestionText.ts';

function makeRow(part: Partial<SuggestionRow> = {}): SuggestionRow {
  return {
    approval: '01M7X4TZFWPVQT6PFG4SYTM4BQ' as Ulid,
    ...{ contentHash: 'h', createdAt: '2026-01-02T03:04:05Z', objections: [], group: 'g' },
    suggestion: {
      rule: { id: 'refunds', any: ['refund'], target: 'shop/billing' },
      ...{ by: 'level-2', reason: 'Refunds are made by billing.', messages: ['01M7X4TZFWPVQT6PFG4SYTM4BP' as Ulid] },
    },
    backTest: {
      ...{ decisions: 40, matched: 12, agreed: 12, disagreed: 0, freed: 3 },
      ...{ disagreements: [], shadowedBy: [], share: { before: 0.5, after: 0.6, of: 40 } },
    },
    ...{ place: { index: 0, line: 3 }, yaml: '  - id: refunds\n    any: [refund]\n    target: shop/billing\n' },
    ...part,
  };
}

const row = makeRow();

test.each([
  [{}, 'Suggested: refund → shop/billing · would have matched 12, agreed 12'],
  [{ agreed: 9, disagreed: 3 }, 'Suggested: refund → shop/billing · would have matched 12, agreed 9, disagreed 3'],
  [{ matched: 0 }, 'Suggested: refund → shop/billing · would have matched nothing yet'],
])('the title of a suggestion with the back test %j says what it would have done', (part, title) =>
  expect(suggestionTitle({ ...row, backTest: { ...row.backTest, ...part } })).toBe(title),
);

describe('the thread of a suggestion', () => {
  test('says which one it is and whether others are alike', () => {
    const other = makeRow({ approval: '02' as Ulid });
    const third = makeRow({ approval: '03' as Ulid, group: 'h', suggestion: { ...row.suggestion, replaces: 'old' } });
    expect(threadLabel(row, [row])).toBe('Suggested rule');
    expect(threadLabel(other, [row, other, third])).toBe('Suggested rule 2 of 3, 1 other alike');
    expect(threadLabel(third, [row, other, third])).toBe('Suggested change of a rule 3 of 3');
  });

  test('has the rule, the reason, the back test, the objections and the messages behind it', () => {
    const disagreements = [1, 2, 3, 4, 5, 6].map((n) => ({
      ...{ message: '04' as Ulid, at: '', to: `shop/p${n}`, excerpt: `text ${n}`, facts: [] },
    }));
    const text = threadMarkdown(
      makeRow({
        objections: ['It contradicts what was decided.'],
        backTest: { ...row.backTest, agreed: 5, disagreed: 7, disagreements },
      }),
    );
    expect(text).toContain('```yaml\n  - id: refunds\n');
    expect(text).toContain('**Why:** Refunds are made by billing&#46;');
    expect(text).toContain('5 went there, 7 went elsewhere');
    expect(text).toContain('went to shop&#47;p5: text 5\n- and 2 more');
    expect(text).toContain('**Objection:** It contradicts what was decided&#46;');
    expect(text).toContain('[message 1](command:ravel.why?%5B%2201M7X4TZFWPVQT6PFG4SYTM4BP%22%5D)');
    expect(text).toContain('[Accept Anyway…](command:ravel.acceptSuggestion?');
  });

  test('shows no Markdown and offers no command from texts of others', () => {
    const attack = '[x](command:workbench.action.quit) <img src=x> ![a](http://b) **c** ```\n[y](command:z)';
    const text = threadMarkdown(
      makeRow({
        ...{ yaml: attack, objections: [attack] },
        suggestion: { ...row.suggestion, reason: attack, replaces: attack },
        backTest: {
          ...row.backTest,
          disagreements: [{ message: '04' as Ulid, at: '', to: attack, excerpt: attack, facts: [] }],
        },
      }),
    );
    const fence = /^````yaml\n[\s\S]*?\n````\n/m.exec(text)?.[0] ?? '';
    expect(fence).toContain('[y](command:z)');
    const drawn = text.replace(fence, '');
    const commands = [...drawn.matchAll(/\]\(([^)?]*)/g)].map(([, to = '']) => to.replace('command:', ''));
    expect(commands.filter((command) => !threadCommands.some((one) => one === command))).toEqual([]);
    expect(drawn).not.toMatch(/<img|!\[|\*\*c/);
  });
});

describe('the statistics of a rule', () => {
  const now = Date.parse('2026-01-12T00:00:00Z');
  const rule: RuleRow = { id: 'refunds', any: ['refund'], target: 'shop/billing', enabled: true, fired: 0 };

  test.each([
    [{}, 'Has not decided anything yet'],
    [{ fired: 1, lastAt: '2026-01-11T22:00:00Z' }, 'Decided 1 message, the last 2 hours ago'],
    [
      {
        ...{ fired: 12, lastAt: '2026-01-02T00:00:00Z', enabled: false },
        origin: { by: 'Robin', at: '2026-01-01', suggestion: '01' },
      },
      'Switched off · Decided 12 messages, the last 10 days ago · accepted from a suggestion by Robin',
    ],
  ])('with %j read "%s"', (part, words) => expect(ruleStatistics({ ...rule, ...part }, now)).toBe(words));

  test('include its meaning and origin in the hover', () => {
    const text = ruleHover({ ...rule, note: 'As *agreed*', origin: { by: 'Robin', at: '2026-01-01' } }, now);
    expect(text).toContain('refund → shop&#47;billing');
    expect(text).toContain('Put there by Robin at 2026&#45;01&#45;01.');
    expect(text).toContain('As &#42;agreed&#42;');
    expect(text).toContain('command:ravel.why?%5B%22refunds%22%5D');
  });
});

test.each([
  ['2026-01-01T00:00:30Z', 'just now'],
  ['2025-12-31T23:55:00Z', '6 minutes ago'],
  ['never', 'at an unknown time'],
])('%s was %s', (at, words) => expect(agoWords(at, Date.parse('2026-01-01T00:01:00Z'))).toBe(words));
