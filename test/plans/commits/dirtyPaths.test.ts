import { describe, expect, test } from 'vitest';
import { hashPaths } from '../../../src/git/status.ts';
import { dirtyPaths, pathsChangedTwice, pathsLeftOut } from '../../../src/plans/commits/dirtyPaths.ts';
import type { WorkBaseline } from '../../../src/vault/runState.ts';
import { type GitProject, makeGitProject } from '../../support/gitProject.ts';

const files = { 'kept.txt': 'old\n', 'gone.txt': 'old\n', 'moved.txt': 'moved\n' };

async function baselineOf({ git, directory, person }: GitProject): Promise<WorkBaseline> {
  const paths = [...(await dirtyPaths(git, directory))];
  const hashes = await hashPaths(git, directory, paths);
  const commit = (await person('rev-parse', 'HEAD')).trim();
  return { commit, branch: 'main', dirty: paths.map((path) => ({ path, hash: hashes.get(path) ?? null })) };
}

async function check(
  change: (project: GitProject) => Promise<unknown>,
  expected: { readonly twice: readonly string[]; readonly leftOut: readonly string[] },
): Promise<void> {
  const project = await makeGitProject({ files });
  const { git, directory } = project;
  await project.write('kept.txt', 'by a person\n');
  await project.write('new.txt', 'by a person\n');
  await project.remove('gone.txt');
  await project.person('mv', 'moved.txt', 'to.txt');
  const baseline = await baselineOf(project);
  await change(project);
  expect(await pathsChangedTwice(git, directory, baseline)).toEqual(expected.twice);
  expect(await pathsLeftOut(git, directory, baseline)).toEqual(expected.leftOut);
}

const all = ['gone.txt', 'kept.txt', 'moved.txt', 'new.txt', 'to.txt'];

describe('paths that were dirty before work', () => {
  test('are left out of the commit while they stay as they were', () =>
    check(async () => undefined, { twice: [], leftOut: all }));

  test('are changed twice when their content changes again', () =>
    check((project) => project.write('kept.txt', 'by a session\n'), { twice: ['kept.txt'], leftOut: all }));

  test('are changed twice when a session undid the change', () =>
    check((project) => project.write('kept.txt', 'old\n'), {
      twice: ['kept.txt'],
      leftOut: all.filter((path) => path !== 'kept.txt'),
    }));

  test('are changed twice when a new file is removed or a removed file comes back', () =>
    check(
      async (project) => {
        await project.remove('new.txt');
        await project.write('gone.txt', 'old\n');
      },
      { twice: ['gone.txt', 'new.txt'], leftOut: ['kept.txt', 'moved.txt', 'to.txt'] },
    ));

  test('are settled once their current content is committed', () =>
    check(
      async (project) => {
        await project.write('kept.txt', 'by both\n');
        await project.write('new.txt', 'by both\n');
        await project.person('add', 'kept.txt', 'new.txt');
        await project.person('commit', '--quiet', '-m', 'Settle', 'kept.txt', 'new.txt');
      },
      { twice: [], leftOut: ['gone.txt', 'moved.txt', 'to.txt'] },
    ));

  test('are not settled by a commit of other content', () =>
    check(
      async (project) => {
        await project.person('commit', '--quiet', '-m', 'Mine', 'kept.txt');
        await project.write('kept.txt', 'by a session\n');
      },
      { twice: ['kept.txt'], leftOut: all },
    ));
});
