import { describe, expect, test } from 'vitest';
import { rulePlaces } from '../../src/vault/rulePlaces.ts';

const place = { file: '/vault/routing.yaml', subject: '/vault/routing.yaml' };

describe('the place of a rule', () => {
  test.each([
    ['', [], [0]],
    ['# Nothing yet\nrules: []\n', [], [2, 2]],
    ['rules:\n- id: a\n  target: x\n- id: b\n  target: y\n', [1, 3], [1, 3, 5]],
    // What is written below a rule and further in than it belongs to it; what stands before the next is the next one's.
    [
      'rules:\n  # First\n  - id: a\n    target: x\n    # its own\n\n  # Second\n  - id: b\n    target: y\n',
      [2, 7],
      [2, 5, 9],
    ],
    ['rules: [{id: a, target: x}]\nother: 1\n', [0], [1, 1]],
    ['rules: [\n', [], [1]],
    ['\trules: [\n', [], [1]],
  ] as const)('of %j', (text, lines, after) => {
    const places = rulePlaces(text, place);
    expect(places.lines).toEqual(lines);
    expect(after.map((_line, count) => places.lineAfter(count))).toEqual(after);
  });

  test('begins with what stands on its first line', () => {
    const { ranges } = rulePlaces('rules:\n  - id: a # why\n    target: x\n  - {id: b, target: y}', place);
    expect(ranges).toEqual([
      { start: { line: 1, character: 4 }, end: { line: 1, character: 9 } },
      { start: { line: 3, character: 4 }, end: { line: 3, character: 22 } },
    ]);
  });

  test('has the column of the dashes', () => {
    expect(rulePlaces('rules:\n  - id: a\n    target: x\n', place).column).toBe(2);
    expect(rulePlaces('rules: []\n', place).column).toBe(0);
  });
});
