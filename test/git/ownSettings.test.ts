import { expect, test } from 'vitest';
import { makeGitProject } from '../support/gitProject.ts';

/** What counts for git that Ravel runs, whatever a repository says. */
const standing: Readonly<Record<string, string>> = {
  'core.fsmonitor': 'false',
  'core.hooksPath': '/dev/null',
  'core.pager': 'cat',
  'core.editor': 'true',
  'sequence.editor': 'true',
  'core.sshCommand': 'false',
  'core.askPass': '',
  'credential.helper': '',
  'core.fsync': 'all',
  'core.fsyncMethod': ['darwin', 'win32'].includes(process.platform) ? 'batch' : 'fsync',
  'core.filesRefLockTimeout': '5000',
  'gc.auto': '0',
  'maintenance.auto': 'false',
  'log.showSignature': 'false',
  'submodule.recurse': 'false',
  'safe.bareRepository': 'explicit',
};

test.each(Object.entries(standing))('%s is %j for git that Ravel runs', async (key, value) => {
  const { git, directory, person } = await makeGitProject({ files: { a: '1\n' } });
  await person('config', key, '7');
  expect(await person('config', '--get', key)).toBe('7\n');
  expect((await git.run(directory, ['config', '--get', key])).stdout.toString()).toBe(`${value}\n`);
});

test('git that Ravel runs asks no questions, fetches nothing and writes no index to read the repository', async () => {
  const { git, directory, person } = await makeGitProject({ files: { a: '1\n' } });
  await person('config', 'alias.show-environment', '!env');
  const { stdout } = await git.run(directory, ['show-environment']);
  const variables = stdout.toString().split('\n');
  expect(variables).toEqual(
    expect.arrayContaining([
      ...['GIT_EDITOR=true', 'GIT_TERMINAL_PROMPT=0', 'GIT_OPTIONAL_LOCKS=0', 'GIT_NO_LAZY_FETCH=1'],
      'GIT_ALLOW_PROTOCOL=none',
    ]),
  );
});
