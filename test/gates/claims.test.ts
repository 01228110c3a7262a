import { describe, expect, test } from 'vitest';
import { judgeClaims } from '../../src/gates/claims.ts';
import type { ProposalFacts } from '../../src/model/verdict.ts';
import { findingsOf, makeProposal } from './proposal.ts';

const diff = [
  'diff --git a/src/a.ts b/src/a.ts',
  'index 1..2 100644',
  '--- a/src/a.ts',
  '+++ b/src/a.ts',
  '@@ -1,3 +1,4 @@ function a() {',
  ' one',
  '-two',
  '+two and a half',
  '+three',
  ' four',
  'diff --git a/new.md b/new.md',
  'new file mode 100644',
  '--- /dev/null',
  '+++ b/new.md',
  '@@ -0,0 +1,2 @@',
  '+++ b/fake.ts',
  '+hello',
  'diff --git "a/f\\303\\274r.md" "b/f\\303\\274r.md"',
  'Binary files differ',
  'diff --git a/old.ts b/moved.ts',
  'rename from old.ts',
  'rename to moved.ts',
  '',
].join('\n');

const facts: ProposalFacts = {
  diff,
  existingFiles: new Set(['docs/x.md']),
  commits: ['0123456789abcdef0123456789abcdef01234567'],
  commands: [
    { command: 'npm test', exitCode: 1 },
    { command: 'npm test', exitCode: 0 },
    { command: 'npm run lint', exitCode: 0 },
    { command: 'npm run lint', exitCode: 2 },
    { command: 'cd pkg && npm run unit', exitCode: 3 },
    { command: 'npm ci && npm run build', exitCode: 0 },
    { command: 'echo go vet', exitCode: 0 },
    { command: 'go test || true', exitCode: 0 },
    { command: 'make check | tail', exitCode: 0 },
  ],
  changedPaths: [],
};

function check(evidence: readonly unknown[] | undefined, expected: string) {
  const claim = { id: 'c1', text: 'x', evidence, verdict: 'invented' };
  const record = { id: 'r', timestamp: 't', phase: 'work', body: '', claims: [{ ...claim, verdict: undefined }] };
  const verdict = judgeClaims(makeProposal('analyse-work', {}, { 'latest-session.yaml': record }, { facts }));
  expect(verdict).toMatchObject({ outcome: 'modify', claimVerdicts: { c1: expected } });
}

describe('evidence', () => {
  test.each<[unknown[] | undefined, string]>([
    [undefined, 'unsupported'],
    [[], 'unsupported'],
    [[{ path: 'src/a.ts' }], 'evidenced'],
    [[{ path: './src/a.ts', hunk: '@@ -1,3 +1,4 @@' }], 'evidenced'],
    [[{ path: 'src/a.ts', hunk: '@@ -9,3 +1,4 @@' }], 'unsupported'],
    [[{ path: 'src/a.ts', hunk: '+two and a half\n+three' }], 'evidenced'],
    [[{ path: 'src/a.ts', hunk: 'three' }], 'evidenced'],
    [[{ path: 'src/a.ts', hunk: '+three\n+two and a half' }], 'unsupported'],
    [[{ path: 'src/a.ts', hunk: '+hello' }], 'unsupported'],
    [[{ path: 'src/b.ts' }], 'unsupported'],
    [[{ path: 'new.md', hunk: '+hello' }], 'evidenced'],
    [[{ path: 'fake.ts' }], 'unsupported'],
    [[{ path: 'für.md' }], 'evidenced'],
    [[{ path: 'old.ts' }, { path: 'moved.ts' }], 'evidenced'],
    [[{ file: 'docs/x.md' }], 'evidenced'],
    [[{ file: 'docs/y.md' }], 'unsupported'],
    [[{ commit: '0123456' }], 'evidenced'],
    [[{ commit: '012' }], 'unsupported'],
    [[{ commit: 'fedcba9' }], 'unsupported'],
    [[{ test: 'npm test' }], 'evidenced'],
    [[{ test: 'npm  test ' }], 'evidenced'],
    [[{ test: 'npm run lint' }], 'contradicted'],
    [[{ test: 'npm run unit' }], 'contradicted'],
    [[{ test: 'npm run build' }], 'evidenced'],
    [[{ test: 'npm run never' }], 'unsupported'],
    [[{ test: 'go vet' }], 'unsupported'],
    [[{ test: 'go test' }], 'unsupported'],
    [[{ test: 'make check' }], 'unsupported'],
    [[{ test: '' }], 'unsupported'],
    [[{ path: 'src/a.ts' }, { test: 'npm run never' }], 'unsupported'],
    [[{ path: 'src/a.ts' }, { test: 'npm run lint' }], 'contradicted'],
    [[{ made: 'up' }], 'unsupported'],
  ])('%j makes a claim %s', check);
});

test('a verdict the record already has is not written again, but a wrong one is corrected', () => {
  const claims = [{ id: 'c1', text: 'x', evidence: [{ path: 'src/a.ts' }], verdict: 'evidenced' }];
  expect(judgeClaims(makeProposal('analyse-work', {}, { 'latest-session.yaml': { claims } }, { facts })).outcome).toBe(
    'accept',
  );
  const lie = [{ id: 'c1', text: 'x', evidence: [{ path: 'nowhere' }], verdict: 'evidenced' }];
  expect(
    judgeClaims(makeProposal('analyse-work', {}, { 'latest-session.yaml': { claims: lie } }, { facts })).outcome,
  ).toBe('modify');
});

describe('a memory entry can rest only on evidenced claims', () => {
  const latest = {
    claims: [
      { id: 'c1', text: 'x', verdict: 'evidenced' },
      { id: 'c2', text: 'x', verdict: 'unsupported' },
      { id: 'c3', text: 'x', verdict: 'contradicted' },
      { id: 'c4', text: 'x' },
    ],
  };
  const entry = { id: 'e', title: 'E', body: 'b', claims: ['c2'] };

  function refused(before: object[], after: object[], phase: 'reflect' | 'triage' | 'dream' = 'reflect') {
    const base = { 'latest-session.yaml': latest, 'memory.yaml': { entries: before } };
    return findingsOf(judgeClaims(makeProposal(phase, base, { 'memory.yaml': { entries: after } }))).length;
  }

  test.each<[string, number]>([
    ['c1', 0],
    ['c2', 1],
    ['c3', 1],
    ['c4', 1],
    ['c9', 1],
  ])('a new claim %s gives %d findings', (claim, expected) => {
    expect(refused([], [{ ...entry, claims: [claim] }])).toBe(expected);
    expect(refused([], [{ ...entry, claims: [claim] }], 'triage')).toBe(expected);
    expect(refused([{ ...entry, claims: [] }], [{ ...entry, claims: ['c1', claim] }])).toBe(expected);
  });

  test('an old entry keeps the claims of its own session', () => {
    expect(refused([entry], [entry, { ...entry, id: 'f', claims: ['c1'] }])).toBe(0);
    expect(refused([entry], [{ ...entry, body: 'other' }])).toBe(0);
  });

  test('a claim is refused without a session record', () => {
    const proposal = makeProposal('reflect', {}, { 'memory.yaml': { entries: [{ ...entry, claims: ['c1'] }] } });
    expect(findingsOf(judgeClaims(proposal))).toHaveLength(1);
  });
});
