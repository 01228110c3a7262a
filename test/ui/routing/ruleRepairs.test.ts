import { expect, test } from 'vitest';
import { switchOff } from '../../../src/ui/routing/ruleRepairs.ts';

/** The text after switching off the rule on these lines. */
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
    'by a new key below its id',
    'rules:\n  - id: a\n    target: x\n  - id: b\n    target: y\n',
    [1, 2],
    'rules:\n  - id: a\n    enabled: false\n    target: x\n  - id: b\n    target: y\n',
  ],
  [
    'by changing the existing key, keeping its comment',
    'rules:\n- target: x\n  id: a\n  enabled: true # since May\n',
    [1, 3],
    'rules:\n- target: x\n  id: a\n  enabled: false # since May\n',
  ],
  ['unless it is written in one line', 'rules:\n  - { id: a, target: x }\n', [1, 1], undefined],
])('switchOff disables a rule %s', (_case, text, [first = 0, last = 0], after) =>
  expect(check(text, first, last)).toBe(after),
);
