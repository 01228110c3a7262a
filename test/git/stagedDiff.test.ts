import { describe, expect, test } from 'vitest';
import { secretsAdded } from '../../src/gates/secrets/secretFindings.ts';
import { secretId } from '../../src/gates/secrets/secretId.ts';
import { commitPaths } from '../../src/git/commit.ts';
import { type GitProject, makeGitProject } from '../support/gitProject.ts';
import { joined } from '../support/madeSecrets.ts';

const token = joined('gh¦p_85RKTjrXp3l2pdI4YTHRu3kowQ2hZAPfWq6S');

function commit({ git, directory }: GitProject, allowed: readonly string[] = []) {
  const review = (diff: string) => secretsAdded(diff, { allowed: new Set(allowed) });
  return commitPaths(git, { directory, paths: ['.'], exclude: [], message: 'Change things', trailers: [], review });
}

async function checkRefused(project: GitProject, place: RegExp): Promise<void> {
  const before = await project.person('rev-parse', 'HEAD');
  const thrown: unknown = await commit(project).catch((error: unknown) => error);
  expect(thrown).toMatchObject({ code: 'gate/secretInCommit', message: expect.stringMatching(place) });
  expect(String(thrown)).not.toContain(token);
  expect(await project.person('rev-parse', 'HEAD')).toBe(before);
}

describe('a commit is looked at as it would be made, and refused for a secret', () => {
  test('in a new and in a changed file, at the line of the new file', async () => {
    const project = await makeGitProject({ files: { a: '1\n2\n3\n' } });
    await project.write('a', `1\n2\n3\n4 ${token}\n`);
    await project.write('new/b.txt', `${token}\n`);
    await checkRefused(project, /a, line 4: .*GitHub token.* new\/b\.txt, line 1: /);
  });

  test('in a file that a blank byte, or an attribute, calls binary', async () => {
    const project = await makeGitProject({ files: { a: '1' } });
    await project.write('b', `\0${token}\n`);
    await checkRefused(project, /b, line 1/);
    await project.write('b', '1');
    await project.write('.gitattributes', '*.js -diff\n');
    await project.write('c.js', `${token}\n`);
    await checkRefused(project, /c\.js, line 1/);
  });

  test('in one file among many megabytes of others', async () => {
    const project = await makeGitProject({ files: { a: '1' } });
    await project.write('large', 'a line of a text\n'.repeat(1_100_000));
    await project.write('b', `${token}\n`);
    await checkRefused(project, /b, line 1/);
  });

  test('in a project below the root of its repository', async () => {
    const project = await makeGitProject({ files: { a: '1' }, below: 'deep/er' });
    await project.write('b', `${token}\n`);
    await checkRefused(project, /b, line 1/);
  });
});

describe('a commit is made', () => {
  test('with a secret that was in the last commit somewhere, or that a person allowed', async () => {
    const project = await makeGitProject({ files: { a: `${token}\n`, b: '1\n' } });
    await project.write('b', `1\n${token}\n`);
    expect(await commit(project)).toMatchObject({ outcome: 'committed' });
    const other = joined('gh¦p_x5RKTjrXp3l2pdI4YTHRu3kowQ2hZAPfWq6T');
    await project.write('b', `${other}\n`);
    expect(await commit(project, [secretId(other)])).toMatchObject({ outcome: 'committed' });
  });

  test('in a repository without a commit', async () => {
    const project = await makeGitProject();
    await project.write('a', '1\n');
    expect(await commit(project)).toMatchObject({ outcome: 'committed' });
  });
});
