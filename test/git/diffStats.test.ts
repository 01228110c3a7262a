import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { diffStatsOfCommit, diffStatsSince, parentOf } from '../../src/git/diffStats.ts';
import { makeGitProject } from '../support/gitProject.ts';

const files = { a: '1\n2\n', gone: '1\n', 'plan/state': '1\n', '../two/c': '1\n' };

test('diffStatsSince counts lines of changed, removed and untracked files below the directory, and none for binary files', async () => {
  const project = await makeGitProject({ files, below: 'apps/one' });
  const { git, directory } = project;
  const baseline = await project.person('rev-parse', 'HEAD');
  await project.write('a', '1\n3\n4\n');
  await project.remove('gone');
  await project.write('new\tfile', 'line\n');
  await writeFile(join(directory, 'picture'), Buffer.from([0, 1, 2]));
  await project.write('plan/state', '2\n');
  await project.write('../two/c', '2\n');
  const status = await project.status();
  const scope = { directory, baseline: baseline.trim(), exclude: ['plan'] };
  expect(await diffStatsSince(git, scope)).toEqual([
    { path: 'a', status: 'changed', added: 2, removed: 1 },
    { path: 'gone', status: 'removed', added: 0, removed: 1 },
    { path: 'new\tfile', status: 'added', added: 1, removed: 0 },
    { path: 'picture', status: 'added' },
  ]);
  expect(await project.status()).toEqual(status);
});

test('diffStatsSince without a baseline counts everything as added', async () => {
  const project = await makeGitProject({ files: { a: '1\n' } });
  const scope = { directory: project.directory, baseline: undefined, exclude: [] };
  expect(await diffStatsSince(project.git, scope)).toEqual([{ path: 'a', status: 'added', added: 1, removed: 0 }]);
});

test('diffStatsOfCommit counts the lines of a commit, even the first one', async () => {
  const project = await makeGitProject({ files: { a: '1\n', b: '1\n' } });
  const { git, directory } = project;
  const first = (await project.person('rev-parse', 'HEAD')).trim();
  await project.person('mv', 'a', 'c');
  await project.person('commit', '--quiet', '--message=Move');
  const second = (await project.person('rev-parse', 'HEAD')).trim();
  expect(await diffStatsOfCommit(git, directory, first)).toEqual([
    { path: 'a', status: 'added', added: 1, removed: 0 },
    { path: 'b', status: 'added', added: 1, removed: 0 },
  ]);
  expect(await diffStatsOfCommit(git, directory, second)).toEqual([
    { path: 'a', status: 'removed', added: 0, removed: 1 },
    { path: 'c', status: 'added', added: 1, removed: 0 },
  ]);
  expect(await parentOf(git, directory, second)).toBe(first);
  expect(await parentOf(git, directory, first)).toBeUndefined();
});
