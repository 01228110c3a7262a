import { describe, expect, test } from 'vitest';
import { judgeSecrets } from '../../src/gates/secrets.ts';
import { findingsOf, makeProposal } from './proposal.ts';

/** Joins parts, so that this file holds nothing that looks like a secret itself. */
const join = (...parts: readonly string[]) => parts.join('');
const letters = 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF3gH5jK7';

const secrets: readonly (readonly [string, string])[] = [
  ['private key', join('-----BEGIN RSA PRIVATE', ' KEY-----')],
  ['private key', join('-----BEGIN PRIVATE', ' KEY-----')],
  ['Anthropic', join('sk-', 'ant-api03-', letters)],
  ['OpenAI', join('sk-', 'proj-', letters)],
  ['OpenAI', join('sk-', letters)],
  ['AWS', join('AKI', 'A', 'ABCDEFGHIJKLMNOP')],
  ['GitHub', join('gh', 'p_', letters)],
  ['GitHub', join('github', '_pat_', letters)],
  ['GitLab', join('glp', 'at-', letters)],
  ['Slack', join('xox', 'b-123456789012-', 'abcdefghijkl')],
  ['Google', join('AI', 'za', letters.slice(0, 35))],
  ['Stripe', join('sk_', 'live_', letters)],
  ['npm', join('npm', '_', letters.slice(0, 36))],
  ['Hugging Face', join('h', 'f_', letters)],
  ['web token', join('ey', 'JhbGciOiJIUzI1NiJ9.ey', 'JzdWIiOiIxMjM0NTY3ODkwIn0.', letters)],
  ['password', join('postgres://app:', 'hunter2@db.local/app')],
];

function judge(text: string, base = '', summary = '') {
  return judgeSecrets(makeProposal('reflect', { 'memory.yaml': base }, { 'memory.yaml': text }, { summary }));
}

describe('a secret is refused in a file and in the summary, named without its text, and tolerated if it was there before:', () => {
  test.each(secrets)('%s', (kind, secret) => {
    const verdict = judge(`one\ntwo ${secret} three\n`);
    expect(findingsOf(verdict)).toEqual([expect.stringMatching(new RegExp(`^memory\\.yaml, line 2: .*${kind}`))]);
    expect(JSON.stringify(verdict)).not.toContain(secret);
    expect(judge(`moved: ${secret}`, `before: ${secret}`).outcome).toBe('accept');
    expect(judge('nothing', '', `The key is ${secret}`).outcome).toBe('reject');
  });
});

test.each([
  'See https://example.org/a:b@c and mailto:me@example.org.',
  'Use postgres://${USER}:${PASSWORD}@host/db.',
  'sk-learn and task-list-of-things-that-are-long-enough-to-matter',
  'id: add-pty-capture-debug-path-to-pi-rs-invoke-interactive-parity-with-claude-code-rs',
  `sha256: ${'0123456789abcdef'.repeat(4)}`,
  'src/very/long/path/with/many/segments/and/names/index.test.ts',
])('%j is not taken for a secret', (text) => expect(judge(text)).toEqual({ outcome: 'accept' }));

test('a new random string is accepted with a note, an old one without', () => {
  const token = 'Zx9Qw7Er5Ty3Ui1Op8As6Df4Gh2JkLmNbVcXz0';
  const verdict = judge(`value: ${token}`);
  expect(verdict).toMatchObject({ outcome: 'accept', notes: [expect.stringContaining('memory.yaml, line 1')] });
  expect(JSON.stringify(verdict)).not.toContain(token);
  expect(judge(`value: ${token}\nmore`, `value: ${token}`)).toEqual({ outcome: 'accept' });
});
