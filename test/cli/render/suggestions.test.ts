import { expect, test } from 'vitest';
import { plainStyle } from '../../../src/cli/render/style.ts';
import { formatRules, formatSuggestion, formatSuggestions } from '../../../src/cli/render/suggestions.ts';
import { widthOf } from '../../../src/cli/render/text.ts';
import { diagnostic } from '../../../src/model/codes.ts';
import type { Ulid } from '../../../src/model/id.ts';
import type { SuggestionRow } from '../../../src/model/requests/routing.ts';

const screen = { style: plainStyle, columns: 80 };
const ids = ['01M7X4TZFWPVQT6PFG4SYTM4BP', '01M7X4TZFWPVQT6PFG4SYTM4BQ'] as Ulid[];

function row(more: Partial<SuggestionRow> = {}): SuggestionRow {
  const [approval = '' as Ulid] = ids;
  return {
    ...{ approval, contentHash: 'h', createdAt: '2026-01-02T03:04:05Z', objections: [], group: approval },
    suggestion: {
      rule: { id: 'refunds', any: ['refund'], target: 'Shop/project-root/pay' },
      ...{ by: 'level-2', reason: 'Money\u001b[31m back', messages: [] },
    },
    backTest: {
      ...{ decisions: 300, matched: 12, agreed: 11, disagreed: 1, freed: 9, shadowedBy: [] },
      disagreements: [
        {
          message: approval,
          at: '2026-01-01T00:00:00Z',
          to: 'Shop/project-root/find',
          excerpt: 'Find the page',
          facts: [],
        },
      ],
      share: { before: 0.5, after: 0.56, of: 200 },
    },
    place: { index: 1, line: 3 },
    yaml: '- id: refunds\n  any:\n  - refund\n  target: Shop/project-root/pay\n',
    ...more,
  };
}

const file = { path: '/vault/routing.yaml', text: 'rules:\n- id: a\n  target: Shop\n- id: b\n  target: Blog\n' };

test('a suggestion is shown in its place in routing.yaml, with its back test and its objections', () => {
  const lines = formatSuggestion(row({ objections: ['It contradicts 1 of the 12 decisions.'] }), file, screen);
  const text = lines.join('\n');
  expect(text).toContain(
    [
      ...['In /vault/routing.yaml', '    1   rules:', '    2   - id: a', '    3     target: Shop'],
      ...['      + - id: refunds', '      +   any:', '      +   - refund', '      +   target: Shop/project-root/pay'],
      ...['    4   - id: b', '    5     target: Blog'],
    ].join('\n'),
  );
  expect(text.replaceAll('\n', ' ')).toContain(
    'Of 300 decisions it would have matched 12: 11 went there, 1 went elsewhere. 9 messages would have needed no model',
  );
  expect(text).toMatch(/2026-01-01T00:00:00Z +Shop\/project-root\/find +Find the page/);
  expect(text).toContain('! It contradicts 1 of the 12 decisions.');
  expect(text).toContain(`ravel suggestions accept ${ids[0]} --override`);
  expect(text).not.toContain('\u001b');
  expect(lines.every((line) => widthOf(line) <= 80)).toBe(true);
});

test.each(['', 'rules: []\n'])('a suggestion for a file that holds %j is shown too', (text) => {
  const lines = formatSuggestion(row({ place: { index: 0, line: 9 } }), { ...file, text }, screen);
  expect(lines.join('\n')).toContain('+ - id: refunds');
});

test('suggestions of a group are listed together', () => {
  const [first = '' as Ulid, second = '' as Ulid] = ids;
  const lines = formatSuggestions([row(), row({ approval: second, group: second }), row({ approval: first })], screen);
  expect(lines[0]).toBe('3 suggested rules for you');
  const starts = lines.flatMap((line, at) => (line.startsWith('01M7') ? [[at, line.slice(0, 26)]] : []));
  expect(starts.map(([, id]) => id)).toEqual([first, first, second]);
  expect(formatSuggestions([], screen).join(' ')).toContain('ravel rules propose');
});

test('rules are listed with how often they decided', () => {
  const rule = { id: 'a', any: ['refund'], target: 'Shop', enabled: true, fired: 3, lastAt: '2026-01-01T00:00:00Z' };
  const text = formatRules(
    { file: '/vault/routing.yaml', rules: [rule, { ...rule, id: 'b', enabled: false }], diagnostics: [] },
    screen,
  ).join('\n');
  expect(text).toMatch(/^rule +decided +last +what it says\na +3 +2026[^\n]*refund → Shop\nb +off/);
  expect(formatRules({ file: 'f', rules: [], diagnostics: [] }, screen)).toEqual(['There is no rule in f.']);
  const broken = diagnostic('rule/fileBroken', 'f', 'It cannot be read.');
  expect(formatRules({ file: 'f', rules: [], diagnostics: [broken] }, screen)[0]).toBe('No rule of f can be used:');
});
