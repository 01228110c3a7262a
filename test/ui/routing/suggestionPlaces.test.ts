import { describe, expect, test } from 'vitest';
import { anchorOf, nextOf, type RuleLines, ruleLines, withRule } from '../../../src/ui/routing/suggestionPlaces.ts';

const rules: readonly RuleLines[] = [
  { id: 'one', first: 3, last: 5 },
  { id: 'two', first: 7, last: 9 },
];

describe('anchorOf places a suggestion at', () => {
  test.each([
    ['the rule it would follow', { index: 1, line: 99 }, undefined, rules, 5],
    ['the last rule if there are fewer rules now', { index: 7, line: 99 }, undefined, rules, 9],
    ['the line before all rules', { index: 0, line: 99 }, undefined, rules, 2],
    ['the rule it would replace', { index: 1, line: 0 }, 'two', rules, 9],
    ['its place if the rule it would replace is gone', { index: 1, line: 0 }, 'three', rules, 5],
    ['its line if there are no rules', { index: 0, line: 4 }, undefined, [], 4],
    ['the last line of a file that is shorter now', { index: 0, line: 40 }, undefined, [], 19],
  ])('%s', (_case, place, replaces, given, line) => {
    const suggestion = replaces === undefined ? {} : { replaces };
    expect(anchorOf({ place, suggestion }, given, 20)).toBe(line);
  });
});

test('ruleLines excludes a line at whose beginning a rule ends', () => {
  const at = (line: number, character: number) => ({ line, character });
  expect(
    ruleLines([
      { kind: 'rule', id: 'a', range: { start: at(1, 4), end: at(4, 0) } },
      { kind: 'task', range: { start: at(5, 0), end: at(6, 0) } },
      { kind: 'rule', range: { start: at(7, 4), end: at(8, 12) } },
    ]),
  ).toEqual([
    { id: 'a', first: 1, last: 3 },
    { first: 7, last: 8 },
  ]);
});

describe('withRule', () => {
  const yaml = '  - id: new\n    target: b\n';
  const text = '# mine\nrules:\n  - id: one\n    target: a\n  # about two\n  - id: two\n    target: c\n';
  const lines = [
    { id: 'one', first: 2, last: 3 },
    { id: 'two', first: 5, last: 6 },
  ];
  test.each([
    [
      'inserts the rule after its predecessor and keeps every comment',
      { index: 1 },
      text,
      lines,
      '# mine\nrules:\n  - id: one\n    target: a\n  - id: new\n    target: b\n  # about two\n  - id: two\n    target: c\n',
    ],
    [
      'replaces a rule',
      { index: 1, replaces: 'two' },
      text,
      lines,
      '# mine\nrules:\n  - id: one\n    target: a\n  # about two\n  - id: new\n    target: b\n',
    ],
    ['adds the first rule', { index: 0 }, '# mine\n', [], '# mine\nrules:\n  - id: new\n    target: b\n'],
    [
      'adds a rule to an empty list',
      { index: 0 },
      'rules: []\n# end\n',
      [],
      'rules:\n  - id: new\n    target: b\n# end\n',
    ],
  ])('%s', (_case, { index, ...suggestion }, before, given, after) =>
    expect(withRule(before, { yaml, place: { index, line: 0 }, suggestion }, given)).toBe(after),
  );
});

test('nextOf cycles through the suggestions in both directions', () => {
  const all = ['a', 'b', 'c'].map((approval) => ({ approval }));
  const next = (shown: string | undefined, step?: 1 | -1) => nextOf(all, shown, step)?.approval;
  expect([next(undefined), next('a'), next('c'), next('gone'), next('a', -1), next(undefined, -1)]).toEqual([
    ...['a', 'b', 'a', 'a', 'c', 'c'],
  ]);
  expect(nextOf([], 'a')).toBeUndefined();
});
