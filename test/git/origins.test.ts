import { expect, test } from 'vitest';
import { firstCommitWith, showCommit } from '../../src/git/origins.ts';
import { makeGitProject } from '../support/gitProject.ts';

const utc = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

async function commit(project: Awaited<ReturnType<typeof makeGitProject>>, text: string, message: string) {
  await project.write('backlog.yaml', text);
  await project.person('commit', '--quiet', '--all', `--message=${message}`);
  return (await project.person('rev-parse', 'HEAD')).trim();
}

test('firstCommitWith finds the oldest commit that has a line, within the given range', async () => {
  const project = await makeGitProject({ files: { 'backlog.yaml': 'tasks: []\n' } });
  const { git, directory } = project;
  const added = await commit(project, 'tasks:\n- id: fix\n', 'Add it\n\nRavel-Session: 01M0\nRavel-Plan: x');
  await commit(project, 'tasks:\n- id: fix-more\n- id: fix\n', 'Add another');
  await commit(project, 'tasks:\n- id: fix\n  title: Fix\n', 'Say what it is');
  const wanted = { path: 'backlog.yaml', pattern: '^[- ]*id: +fix *$' };
  expect(await firstCommitWith(git, directory, wanted)).toEqual({
    hash: added,
    title: 'Add it',
    at: expect.stringMatching(utc),
    author: expect.stringMatching(/./),
    trailers: { 'Ravel-Session': ['01M0'], 'Ravel-Plan': ['x'] },
  });
  expect(await firstCommitWith(git, directory, { ...wanted, pattern: '^- id: nothing$' })).toBeUndefined();
  expect(await firstCommitWith(git, directory, { ...wanted, path: 'other.yaml' })).toBeUndefined();
  expect(await firstCommitWith(git, directory, { ...wanted, after: added })).toBeUndefined();
  expect(await firstCommitWith(git, directory, { ...wanted, upTo: `${added}~1` })).toBeUndefined();
  expect(await firstCommitWith(git, directory, { ...wanted, upTo: added })).toMatchObject({ hash: added });
});

test('showCommit finds a commit by its abbreviated hash, and nothing for anything else', async () => {
  const project = await makeGitProject({ files: { a: '1\n' } });
  const { git, directory } = project;
  const hash = (await project.person('rev-parse', 'HEAD')).trim();
  expect(await showCommit(git, directory, hash.slice(0, 8))).toMatchObject({ hash, at: expect.stringMatching(utc) });
  expect(await showCommit(git, directory, 'deadbeefdeadbeef')).toBeUndefined();
  expect(await showCommit(git, directory, '--all')).toBeUndefined();
});
