import { expect, test } from 'vitest';
import { switchOff } from '../../../src/ui/routing/ruleRepairs.ts';

/** The text with the rule of these lines switched off. */
function check(text: string, first: number, last: number): string | undefined {
  const edit = switchOff(text, { first, last });
  if (edit === undefined) return undefined;
  const lines = text.split('\n');
  const { start, end } = edit.range;
  const before = [...lines.slice(0, start.line), (lines[start.line] ?? '').slice(0, start.character)].join('\n');
  const after = [(lines[end.line] ?? '').slice(end.character), ...lines.slice(end.line + 1)].join('\n');
  return before + edit.text + after;
}

test.each([
  [
    'says so below its id',
    'rules:\n  - id: a\n    target: x\n  - id: b\n    target: y\n',
    [1, 2],
    'rules:\n  - id: a\n    enabled: false\n    target: x\n  - id: b\n    target: y\n',
  ],
  [
    'says so where it said otherwise, and keeps what is noted there',
    'rules:\n- target: x\n  id: a\n  enabled: true # since May\n',
    [1, 3],
    'rules:\n- target: x\n  id: a\n  enabled: false # since May\n',
  ],
  ['that is written in one line is left as it is', 'rules:\n  - { id: a, target: x }\n', [1, 1], undefined],
])('a rule that is switched off %s', (_case, text, [first = 0, last = 0], after) =>
  expect(check(text, first, last)).toBe(after),
);
