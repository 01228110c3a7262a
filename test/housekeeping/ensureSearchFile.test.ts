import { execFile } from 'node:child_process';
import { lstat, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { searchFileText } from '../../src/vault/searchFile.ts';
import { openCore } from '../support/openCore.ts';
import { makeWorld, type World } from '../support/world.ts';

async function git({ vault, environment }: World, ...args: string[]): Promise<string> {
  return (await promisify(execFile)('git', args, { cwd: vault, env: environment })).stdout;
}

/** A vault as an older Ravel made it. */
async function makeOlder(settings = ''): Promise<World> {
  const world = await makeWorld({ settings });
  await git(world, 'rm', '--quiet', '.ignore');
  await git(world, 'commit', '--quiet', '-m', 'As it was');
  return world;
}

/** What git says of the vault once an owner was there. */
async function owned(world: World): Promise<{ readonly last: string; readonly status: string }> {
  const core = await openCore(world);
  await core.stop();
  const status = await git(world, 'status', '--porcelain', '--', '.ignore');
  return { last: await git(world, 'log', '-1', '--format=%s'), status };
}

describe('the file that lets searches find plans', () => {
  test('comes with a new vault', async () => {
    const { vault } = await makeWorld();
    expect(await readFile(join(vault, '.ignore'), 'utf8')).toBe(searchFileText);
  });

  test('is made and committed by the owner of an older vault', async () => {
    const world = await makeOlder();
    expect(await owned(world)).toEqual({ last: 'Let searches find the files of plans\n', status: '' });
    expect(await readFile(join(world.vault, '.ignore'), 'utf8')).toBe(searchFileText);
  });

  test('is left uncommitted if the vault commits nothing by itself', async () => {
    const world = await makeOlder('[vault]\ncommit = "never"\n');
    expect(await owned(world)).toEqual({ last: 'As it was\n', status: '?? .ignore\n' });
  });

  test("stays a person's own, be it empty or a link that leads nowhere", async () => {
    const world = await makeWorld();
    const file = join(world.vault, '.ignore');
    await writeFile(file, '');
    await owned(world);
    expect(await readFile(file, 'utf8')).toBe('');
    await rm(file);
    await symlink('nowhere', file);
    await owned(world);
    expect((await lstat(file)).isSymbolicLink()).toBe(true);
  });
});
