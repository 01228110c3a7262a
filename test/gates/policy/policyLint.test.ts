import { expect, test } from 'vitest';
import { lintPolicy } from '../../../src/gates/policy/policyLint.ts';
import { compileLayer } from '../../../src/gates/policy/toolPolicy.ts';
import type { PolicyFile } from '../../../src/model/policy.ts';

function check(content: PolicyFile): readonly string[] {
  return lintPolicy([compileLayer('vault', '/vault/policy.yaml', content)]).map(({ message }) => message);
}

test.each<[string, PolicyFile, string]>([
  [
    'is covered by a rule on the whole tool',
    { permissions: { deny: ['Bash'], allow: ['Bash(ls *)'] } },
    'never decides',
  ],
  [
    'contradicts a stricter one',
    { permissions: { deny: ['Bash(ls *)'], allow: ['Bash(ls:*)'] } },
    'one that says deny',
  ],
  ['is about the session tools', { permissions: { deny: ['mcp__ravel__finish_phase'] } }, 'does nothing'],
  ['allows a tool that no session has', { permissions: { allow: ['WebSearch'] } }, 'no session has the tool'],
  ['holds a letter that looks like another', { permissions: { deny: ['Bash(\u0441url *)'] } }, 'looks alike'],
  ['can be escaped by another order', { permissions: { deny: ['Bash(git push --force *)'] } }, 'another order'],
])('a rule that %s is told', (_name, content, said) => {
  expect(check(content)).toEqual([expect.stringContaining(said)]);
});

test('a rule for one phase does not make another superfluous, and sound rules are not told', () => {
  const rules = [{ id: 'a', deny: ['Bash(ls *)'], phases: ['reflect' as const] }];
  expect(check({ rules, permissions: { ask: ['Bash(ls *)'], allow: ['Bash(frob *)', 'Edit(//tmp/a/**)'] } })).toEqual(
    [],
  );
});
