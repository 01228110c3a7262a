import { execFileSync } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { findStartNeeds } from '../../src/doctor/startNeeds.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';

/** What is found on a machine whose PATH has git, or not, and a program of this name that prints a version, or not. */
async function find({ hasGit = true, claude }: { readonly hasGit?: boolean; readonly claude?: string }) {
  const folder = await makeTemporaryDirectory();
  const path = join(folder, 'bin');
  await mkdir(path);
  const whereIs = (program: string) => execFileSync('which', [program], { encoding: 'utf8' }).trim();
  if (hasGit) await symlink(whereIs('git'), join(path, 'git'));
  await symlink(whereIs('sh'), join(path, 'sh'));
  if (claude !== undefined) await writeFile(join(path, 'claude'), `#!/bin/sh\n${claude}\n`, { mode: 0o755 });
  const environment = { PATH: path, HOME: folder };
  const ports = { disk: nodeDisk, clock: systemClock, environment, overrides: {}, folder };
  return findStartNeeds(ports, new AbortController().signal);
}

test('the versions of git and Claude Code are what the programs say', async () => {
  const { git, claude } = await find({ claude: 'echo "99.1.2 (Claude Code)"' });
  expect(git).toBe(/\d+\.\d+\.\d+/.exec(execFileSync('git', ['--version'], { encoding: 'utf8' }))?.[0]);
  expect(claude).toMatchObject({ version: '99.1.2' });
  expect(['ready', 'noLogin']).toContain(claude.state);
});

test('what is not there is missing, and neither hides the other', async () => {
  expect(await find({})).toMatchObject({ git: expect.any(String), claude: { state: 'missing' } });
  const { git, claude } = await find({ hasGit: false, claude: 'echo "99.1.2 (Claude Code)"' });
  expect([git, claude.version]).toEqual([undefined, '99.1.2']);
});

test('a program that ends with an error instead of its version does not count', async () => {
  expect(await find({ claude: 'exit 1' })).toMatchObject({ claude: { state: 'silent' } });
});
