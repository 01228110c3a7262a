import { describe, expect, test } from 'vitest';
import { rulePlaces } from '../../src/vault/rulePlaces.ts';

const place = { file: '/vault/routing.yaml', subject: '/vault/routing.yaml' };

describe('rulePlaces', () => {
  test.each([
    ['', [], [0]],
    ['# Nothing yet\nrules: []\n', [], [2, 2]],
    ['rules:\n- id: a\n  target: x\n- id: b\n  target: y\n', [1, 3], [1, 3, 5]],
    // Lines below a rule that are indented further belong to it; lines right before the next rule belong to that one.
    [
      'rules:\n  # First\n  - id: a\n    target: x\n    # its own\n\n  # Second\n  - id: b\n    target: y\n',
      [2, 7],
      [2, 5, 9],
    ],
    ['rules: [{id: a, target: x}]\nother: 1\n', [0], [1, 1]],
    ['rules: [\n', [], [1]],
    ['\trules: [\n', [], [1]],
  ] as const)('of %j have these lines', (text, lines, after) => {
    const places = rulePlaces(text, place);
    expect(places.lines).toEqual(lines);
    expect(after.map((_line, count) => places.lineAfter(count))).toEqual(after);
  });

  test('gives the range of the first line of each rule', () => {
    const { ranges } = rulePlaces('rules:\n  - id: a # why\n    target: x\n  - {id: b, target: y}', place);
    expect(ranges).toEqual([
      { start: { line: 1, character: 4 }, end: { line: 1, character: 9 } },
      { start: { line: 3, character: 4 }, end: { line: 3, character: 22 } },
    ]);
  });

  test('gives the column of the dashes', () => {
    expect(rulePlaces('rules:\n  - id: a\n    target: x\n', place).column).toBe(2);
    expect(rulePlaces('rules: []\n', place).column).toBe(0);
  });
});
