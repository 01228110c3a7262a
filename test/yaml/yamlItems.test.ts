import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { parseYaml } from '../../src/yaml/yaml.ts';
import { withoutItems } from '../../src/yaml/yamlItems.ts';

const values = (text: string) => parseYaml(text, { file: 'a', subject: 'a' }).value;

describe('items go with their own lines and no others', () => {
  test.each([
    ['sessions:\n- id: a\n- id: b\n- id: c\n', [0, 2], 'sessions:\n- id: b\n'],
    [
      'sessions:\n  - id: a\n    body: |\n      - x\n\n      y\n  - id: b\nrest: 1\n',
      [0],
      'sessions:\n  - id: b\nrest: 1\n',
    ],
    ['# mine\nsessions:\n# of a\n- id: a\n# of b\n- id: b\n', [0], '# mine\nsessions:\n# of b\n- id: b\n'],
    ['sessions:\n- id: a\n# of the rest\nrest: 1\n', [0], 'sessions: []\n# of the rest\nrest: 1\n'],
    ['rest: 1\nsessions:\r\n- id: a\r\n- id: b\r\n', [1], 'rest: 1\nsessions:\r\n- id: a\r\n'],
    ['sessions:\n- id: a\n- id: b', [1], 'sessions:\n- id: a\n'],
    ['sessions:\n- id: a\n', [0], 'sessions: []\n'],
  ])('%j without %j', (text, gone, expected) => {
    expect(withoutItems(text, 'sessions', (index) => gone.includes(index))).toBe(expected);
  });
});

describe('a text is left alone that', () => {
  test.each([
    ['has no such list', 'tasks: []\n'],
    ['does not parse', 'sessions:\n- id: a\n  : x: {\n'],
    ['writes its list in one line', 'sessions: [{id: a}, {id: b}]\n'],
    ['has an anchor that another item needs', 'sessions:\n- &x {id: a}\n- *x\n'],
    ['has its items on lines of their own dashes', 'sessions:\n-\n  id: a\n- id: b\n'],
  ])('%s', (_title, text) => expect(withoutItems(text, 'sessions', (index) => index === 0)).toBeUndefined());

  test('would lose nothing', () =>
    expect(withoutItems('sessions:\n- id: a\n', 'sessions', () => false)).toBeUndefined());
});

test('of any texts and items exactly those are left that are not named', () => {
  const word = fc.string({ unit: 'grapheme', maxLength: 40 });
  const item = fc.record({ id: fc.stringMatching(/^[a-z]{1,8}$/), body: fc.oneof(word, fc.constant('- a\n\n# b\n')) });
  const lists = fc.array(fc.tuple(item, fc.boolean()), { minLength: 1, maxLength: 8 });
  let edits = 0;
  const areLeft = fc.property(lists, fc.boolean(), (list, isFlush) => {
    const whole = { tasks: [{ id: 'x' }], sessions: list.map(([one]) => one), rest: 'y' };
    const text = stringify(whole, { indentSeq: !isFlush });
    const edited = withoutItems(text, 'sessions', (index) => list[index]?.[1] === true);
    if (edited === undefined) return;
    edits++;
    expect(values(edited)).toEqual({ ...whole, sessions: list.flatMap(([one, isGone]) => (isGone ? [] : [one])) });
  });
  expect(fc.defaultReportMessage(fc.check(areLeft, { numRuns: 60 }))).toBeUndefined();
  expect(edits).toBeGreaterThan(20);
});
