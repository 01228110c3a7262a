import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commitOwnPaths, initRepository } from '../../src/git/vaultRepository.ts';
import { makeGitProject } from '../support/gitProject.ts';

test('a new repository starts on main, and commitOwnPaths commits the given paths only', async () => {
  const project = await makeGitProject({ identity: false });
  await project.write('vault/ravel.toml', 'x');
  await project.write('vault/mine', 'x');
  const vault = join(project.directory, 'vault');
  await initRepository(project.git, vault);
  const outcome = await commitOwnPaths(project.git, vault, ['ravel.toml', 'not*there'], 'Found the vault');
  expect(outcome).toMatchObject({ outcome: 'committed', paths: ['ravel.toml'], unmatched: [':(literal)not*there'] });
  expect(await project.person('-C', 'vault', 'log', '--format=%D %an %cn %s')).toBe(
    'HEAD -> main Ravel Ravel Found the vault\n',
  );
  expect(await project.person('-C', 'vault', 'status', '--short')).toBe('?? mine\n');
});

test('initRepository creates the folder and leaves an existing repository alone', async () => {
  const project = await makeGitProject();
  const vault = join(project.directory, '-new');
  await initRepository(project.git, vault);
  await project.person('-C', vault, 'checkout', '--quiet', '-b', 'mine');
  await initRepository(project.git, vault);
  expect(await project.person('-C', vault, 'symbolic-ref', 'HEAD')).toBe('refs/heads/mine\n');
});

test('commitOwnPaths uses the identity of the person and leaves their other changes alone', async () => {
  const project = await makeGitProject({ files: { 'a*': '1', ab: '1', staged: '1' } });
  for (const name of ['a*', 'ab', 'staged']) await project.write(name, 'x');
  await project.person('add', 'staged');
  await commitOwnPaths(project.git, project.directory, ['a*'], 'Change one');
  expect(await project.person('log', '-1', '--format=%an', '--name-only')).toBe('Person\n\na*\n');
  expect(await project.person('status', '--short')).toBe(' M ab\nM  staged\n');
});

describe('a commit of own paths that a crash or a lock cut off from the index is not staged as its own reversal', () => {
  /** `first` was committed, `folder/new` too, and the index knows neither; `mine` is staged by a person. */
  async function makeCutOff() {
    const project = await makeGitProject({ files: { first: '1', mine: '1' } });
    await project.write('first', 'x');
    await project.write('folder/new', 'x');
    const commit = (paths: string[]) => commitOwnPaths(project.git, project.directory, paths, 'Change');
    await commit(['first', 'folder/new']);
    await project.person('read-tree', 'HEAD~1');
    await project.write('mine', 'x');
    await project.person('add', 'mine');
    return { project, commit };
  }

  test.each([
    ['it is tried again', ['first', 'folder/new'], 'nothing'],
    ['it is tried again beside a path that is not there', ['folder', 'first', 'nowhere'], 'unmatched'],
    ['another one comes for those paths', ['folder', 'first', 'later'], 'committed'],
  ])('once %s', async (_title, paths, outcome) => {
    const { project, commit } = await makeCutOff();
    if (outcome === 'committed') await project.write('later', 'x');
    expect(await commit(paths)).toMatchObject({ outcome });
    expect(await project.person('status', '--short')).toBe('M  mine\n');
    await project.person('commit', '--quiet', '--message=Mine');
    expect(await project.person('show', '--format=', '--name-only', 'HEAD')).toBe('mine\n');
  });
});
