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
  [
    'is about a tool that is spelt wrongly',
    { permissions: { deny: ['Raed'] } },
    'protects nothing: no session has the tool Raed. Did you mean Read?',
  ],
  ['is about a tool that there is not', { permissions: { ask: ['Frobnicate'] } }, 'protects nothing'],
  [
    'can be escaped by an option between its words',
    { permissions: { deny: ['Bash(git push *)'] } },
    'such as git -C x push; Bash(git *push *) meets it',
  ],
  ['can be escaped by another order', { permissions: { deny: ['Bash(git push --force *)'] } }, 'another order'],
])('a rule that %s is told', (_name, content, said) => {
  expect(check(content)).toEqual([expect.stringContaining(said)]);
});

test('a rule with room for options is sound, and so is one on a tool of others', () => {
  expect(check({ permissions: { deny: ['Bash(git *push *)', 'WebSearch', 'mcp__github'] } })).toEqual([]);
});

test('each remedy makes its finding go away', () => {
  const texts = ['Raed', 'Bash(git push *)', 'Bash(git push --force *)', 'mcp__ravel__finish_phase'];
  for (const text of texts) {
    const layer = compileLayer('vault', '/vault/policy.yaml', { permissions: { deny: [text] } });
    const [remedy] = lintPolicy([layer]).map((finding) => finding.remedy);
    const deny = remedy?.kind === 'replace' ? [remedy.text] : [];
    expect({ text, remedy: remedy?.kind, left: check({ permissions: { deny } }) }).toMatchObject({
      text,
      remedy: expect.any(String),
      left: [],
    });
  }
});

test('a rule for one phase does not make another superfluous, and sound rules are not told', () => {
  const rules = [{ id: 'a', deny: ['Bash(ls *)'], phases: ['reflect' as const] }];
  expect(check({ rules, permissions: { ask: ['Bash(ls *)'], allow: ['Bash(frob *)', 'Edit(//tmp/a/**)'] } })).toEqual(
    [],
  );
});
