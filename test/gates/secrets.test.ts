import { describe, expect, test } from 'vitest';
import { judgeSecrets } from '../../src/gates/secrets.ts';
import type { ProposalFacts } from '../../src/model/verdict.ts';
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
  ['AWS', join('AKI', 'A', 'TJR7VQ35C7GG7BMA')],
  ['GitHub', join('gh', 'p_', letters)],
  ['GitHub', join('github', '_pat_', letters)],
  ['GitLab', join('glp', 'at-', letters)],
  ['Slack', join('xox', 'b-091957746816-', 'uh94zecNfVuiO4ggacs9RwPn')],
  ['Google', join('AI', 'za', letters.slice(0, 35))],
  ['Stripe', join('sk_', 'live_', letters)],
  ['npm', join('npm', '_', letters.slice(0, 36))],
  ['Hugging Face', join('h', 'f_', letters)],
  ['web token', join('ey', 'JhbGciOiJIUzI1NiJ9.ey', 'JzdWIiOiIxMjM0NTY3ODkwIn0.', letters)],
  ['password', join('postgres://app:', 'hunter2@db.local/app')],
];

const noSource: ProposalFacts = { diff: '', existingFiles: new Set(), commits: [], commands: [], changedPaths: [] };

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

describe('of the source', () => {
  const token = join('gh', 'p_85RKTjrXp3l2pdI4YTHRu3kowQ2hZAPfWq6S');
  const diffOf = (lines: readonly string[], [before, after]: readonly [number, number], path = 'src/config.js') =>
    [
      `diff --git a/${path} b/${path}`,
      `--- a/${path}`,
      `+++ b/${path}`,
      `@@ -7,${before} +7,${after} @@`,
      ...lines,
      '',
    ].join('\n');
  const judgeDiff = (diff: string, facts: Partial<ProposalFacts> = {}) =>
    judgeSecrets(makeProposal('analyse-work', {}, {}, { facts: { ...noSource, ...facts, diff } }));

  test('an added line is judged: the finding has file, line of the new file and service', () => {
    const verdict = judgeDiff(diffOf([' one', '-two', '+2', `+const key = '${token}';`, ' four'], [3, 4]));
    expect(findingsOf(verdict)).toEqual([expect.stringMatching(/^src\/config\.js, line 9: .*GitHub token/)]);
    expect(JSON.stringify(verdict)).not.toContain(token);
  });

  test('a line that is removed, moved or unchanged around a change was there before', () => {
    const gone = diffOf([`-a ${token}`, '+a'], [1, 1]);
    const moved = diffOf(['+first', `+  ${token}`], [0, 2], 'src/new.js');
    expect(judgeDiff(gone).outcome).toBe('accept');
    expect(judgeDiff(diffOf([` ${token}`, '+b'], [1, 2])).outcome).toBe('accept');
    expect(judgeDiff(gone + moved).outcome).toBe('accept');
    expect(judgeDiff(moved).outcome).toBe('reject');
  });

  test('a file that a person had changed before the work is theirs', () => {
    const diff = diffOf([`+${token}`], [0, 1]);
    expect(judgeDiff(diff, { dirtyBefore: ['src/config.js'] }).outcome).toBe('accept');
    expect(judgeDiff(diff, { dirtyBefore: ['src/other.js'] }).outcome).toBe('reject');
  });

  test('what a person allowed by the id in the finding passes, in the source, the files and the summary', () => {
    const [finding = ''] = findingsOf(judgeDiff(diffOf([`+${token}`], [0, 1])));
    const [, id = ''] = /id ([0-9a-f]{16})/.exec(finding) ?? [];
    const facts = { ...noSource, diff: diffOf([`+${token}`], [0, 1]), allowedSecrets: [id] };
    const proposal = makeProposal('analyse-work', {}, { 'memory.yaml': token }, { facts, summary: token });
    expect(judgeSecrets(proposal).outcome).toBe('accept');
    expect(judgeSecrets({ ...proposal, summary: `${token}x` }).outcome).toBe('reject');
  });
});

test('a token that escapes hide is found once they are read', () => {
  const token = join('gh', 'p_85RKTjrXp3l2pdI4YTHRu3kowQ2hZAPfWq6S');
  const text = `a: "${token.slice(0, 9)}\\\n  ${token.slice(9)}"\n`;
  const proposal = makeProposal('reflect', {}, { 'memory.yaml': text });
  const proposedValues = new Map([['memory.yaml' as const, { value: { a: token }, problems: [] }]]);
  expect(findingsOf(judgeSecrets({ ...proposal, proposedValues }))).toEqual([
    expect.stringMatching(/^memory\.yaml, with its escapes read/),
  ]);
});

test('a new random string is accepted with a note, an old one without', () => {
  const random = 'Zx9Qw7Er5Ty3Ui1Op8As6Df4Gh2JkLmNbVcXz0';
  const verdict = judge(`value: ${random}`);
  expect(verdict).toMatchObject({ outcome: 'accept', notes: [expect.stringContaining('memory.yaml, line 1')] });
  expect(JSON.stringify(verdict)).not.toContain(random);
  expect(judge(`value: ${random}\nmore`, `value: ${random}`)).toEqual({ outcome: 'accept' });
});
