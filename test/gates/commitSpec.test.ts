import { describe, expect, test } from 'vitest';
import { judgeCommitSpec } from '../../src/gates/commitSpec.ts';
import { findingsOf, makeProposal } from './proposal.ts';

interface Commit {
  readonly paths: readonly string[];
  readonly message: string;
}

function check(
  commits: readonly Commit[],
  expected: readonly (string | RegExp)[],
  changedPaths: readonly string[] = [],
  body = '',
) {
  const proposal = makeProposal(
    'analyse-work',
    { 'backlog.yaml': { tasks: [{ id: 'fix-the-parser' }, { id: 'cache' }] } },
    { 'commits.yaml': { commits }, 'latest-session.yaml': { id: 'x', body } },
    { facts: { diff: '', existingFiles: new Set(), commits: [], commands: [], changedPaths } },
  );
  const findings = findingsOf(judgeCommitSpec(proposal));
  expect(findings).toHaveLength(expected.length);
  expected.forEach((text, index) => {
    expect(findings[index]).toMatch(text);
  });
}

describe('the title of a commit', () => {
  test.each([
    'Add a cache',
    'fix(parser): handle empty input',
    'Embed the prompts',
    'Bring back the old order',
    'Reflect the change in the docs',
    'Need no lock for reading',
    'Pass the signal on',
    `Add ${'x'.repeat(68)}`,
    'Add a cache\n\nIt was slow.\nVery.',
  ])('%j is accepted', (message) => check([{ paths: ['.'], message }], []));

  test.each<[string, string]>([
    ['Added a cache', 'starts with "Added"'],
    ['Adding a cache', 'starts with "Adding"'],
    ['Adds a cache', 'starts with "Adds"'],
    ['fix: fixed it', 'starts with "fixed"'],
    [`Add ${'x'.repeat(69)}`, 'has 73 characters'],
    ['Add a cache\nIt was slow.', 'blank line'],
    ['Finish fix-the-parser', 'the task "fix-the-parser"'],
    ['Record session 12', 'a session'],
    ['Save 01JD0000000000000000000000', 'a session'],
    ['Finish analyse-work', 'the phase "analyse-work"'],
    ['Commit the work phase', 'the phase "work phase"'],
  ])('%j is refused because it %s', (message, problem) => check([{ paths: ['.'], message }], [problem]));
});

describe('the paths of a commit', () => {
  test.each(['.', 'src', 'src/*.ts', './src/a.ts', ':!docs', ':(exclude)docs', 'a/../b', 'ravelling', 'src/ravel'])(
    '%j are accepted',
    (path) => check([{ paths: [path], message: 'Add x' }], []),
  );
  test.each<[string, string]>([
    ['../other', 'leads out of its directory'],
    ['a/../../b', 'leads out of its directory'],
    ['/etc/x', 'absolute'],
    [':/x', 'magic'],
    [':(top)x', 'magic'],
    [':!../x', 'leads out of its directory'],
    ['ravel', 'plans'],
    ['./ravel/project-root/backlog.yaml', 'plans'],
    ['.git/config', '.git'],
    ['', 'empty'],
  ])('%j are refused: %s', (path, problem) => check([{ paths: [path], message: 'Add x' }], [problem]));
});

describe('coverage of the changed paths', () => {
  const changed = ['src/a.ts', 'src/deep/b.ts', 'README.md', 'ravel/project-root/backlog.yaml'];
  test.each<[readonly string[], readonly RegExp[], string]>([
    [['.'], [], ''],
    [['src', 'README.md'], [], ''],
    [['src/*', '*.md'], [], ''],
    [['*.ts'], [/"README\.md" changed/], ''],
    [['src'], [/"README\.md" changed/], ''],
    [['src'], [], 'I left README.md as it was found.'],
    [['src'], [/"README\.md" changed/], 'See docs/README.md.'],
    [['.', ':!src/deep'], [/"src\/deep\/b\.ts"/], ''],
    [['src/a.ts', 'README.md'], [/"src\/deep\/b\.ts"/], ''],
    [['sr', 'README.md'], [/"src\/a\.ts"/, /"src\/deep\/b\.ts"/], ''],
    [['src/?.ts', 'src/[a-d]eep', '[!x]EADME.md'], [], ''],
  ])('by %j leaves these findings: %j', (paths, expected, body) =>
    check([{ paths, message: 'Add x' }], expected, changed, body),
  );

  test('is not reduced by an exclusion in another commit', () => {
    const commits = [
      { paths: ['.', ':!src'], message: 'Add x' },
      { paths: ['src'], message: 'Add y' },
    ];
    check(commits, [], changed);
  });
});

test('an empty or unchanged commit spec has nothing to check', () => {
  check([], [], ['src/a.ts']);
  const files = { 'commits.yaml': { commits: [{ paths: ['/'], message: 'Added' }] } };
  expect(judgeCommitSpec(makeProposal('analyse-work', files, files)).outcome).toBe('accept');
  expect(judgeCommitSpec(makeProposal('analyse-work', {}, files)).outcome).toBe('reject');
});
