import { expect, test } from 'vitest';
import { takeOver } from '../../../src/gates/policy/foreignRules.ts';
import type { PolicyAction } from '../../../src/model/policy.ts';

const one = (action: PolicyAction, text: string, isOfUser = false) => {
  const { taken, left } = takeOver([{ action, text }], isOfUser);
  return taken[0]?.text ?? left[0]?.why;
};

test.each<[PolicyAction, string, boolean, string | RegExp]>([
  ['deny', 'Bash(rm:*)', false, 'Bash(rm:*)'],
  ['deny', 'MultiEdit(src/**)', false, 'Edit(src/**)'],
  ['deny', 'Grep(/secrets/**)', false, 'Read(/secrets/**)'],
  ['deny', 'Bash', false, 'Bash'],
  ['deny', 'WebFetch', false, 'WebFetch'],
  ['allow', 'Bash', false, /every command/],
  ['allow', 'Bash(*)', false, /every command/],
  ['allow', 'Bash(* --version)', false, /any program/],
  ['allow', 'mcp__github__search', false, /No session has/],
  ['allow', 'B*', false, /by a pattern/],
  ['deny', 'Read(/x/**)', true, /folder of those settings/],
  ['deny', 'Read(~/.ssh/**)', true, 'Read(~/.ssh/**)'],
  ['deny', 'Read(../x)', false, /goes up/],
])('%s %s, of the home folder: %s, becomes %s', (action, text, isOfUser, expected) => {
  const got = one(action, text, isOfUser);
  if (typeof expected === 'string') expect(got).toBe(expected);
  else expect(got).toMatch(expected);
});

test('what is denied comes first, and nothing twice', () => {
  const rules = [
    { action: 'allow', text: 'Bash(ls *)' },
    { action: 'deny', text: 'Write(a)' },
    { action: 'deny', text: 'Edit(a)' },
  ] as const;
  expect(takeOver(rules, false).taken).toEqual([
    { action: 'deny', text: 'Edit(a)' },
    { action: 'allow', text: 'Bash(ls *)' },
  ]);
});
