import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { isRavelError } from '../../src/base/errors.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { findVault, userConfigPath, type VaultSources, vaultsWithProjects } from '../../src/vault/discovery.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';

let folder: string;

beforeEach(async () => {
  folder = realpathSync(await makeTemporaryDirectory());
  for (const name of ['a', 'b', 'c']) write(`${name}/ravel.toml`, '');
  mkdirSync(join(folder, 'empty'));
});

function write(path: string, text: string): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

async function find(sources: Partial<VaultSources>): Promise<string> {
  try {
    const path = await findVault({ environment: {}, disk: nodeDisk, ...sources });
    return path.replace(folder, '');
  } catch (error) {
    if (!isRavelError(error)) throw error;
    return `${error.code}: ${error.message.replaceAll(folder, '')}`;
  }
}

describe('findVault', () => {
  test('prefers the flag to the variable to the configuration', async () => {
    const userConfig = write('config.toml', `vault = "${join(folder, 'c')}"\n`);
    const environment = { RAVEL_VAULT: join(folder, 'b') };
    expect(await find({ flag: join(folder, 'a'), environment, userConfig })).toBe('/a');
    expect(await find({ environment, userConfig })).toBe('/b');
    expect(await find({ environment: { RAVEL_VAULT: '' }, userConfig })).toBe('/c');
    expect(await find({ userConfig })).toBe('/c');
  });

  test('never searches upward or falls back to the next source', async () => {
    const environment = { RAVEL_VAULT: join(folder, 'b') };
    expect(await find({ flag: join(folder, 'empty'), environment })).toBe(
      'vault/none: --vault names "/empty", which is not a vault: there is no ravel.toml in it.',
    );
    mkdirSync(join(folder, 'a/below'));
    expect(await find({ environment: { RAVEL_VAULT: join(folder, 'a/below') } })).toContain('RAVEL_VAULT names');
  });

  test('finds the user configuration in its default place', async () => {
    write('home/.config/ravel/config.toml', `vault = "~/../c"\n`);
    expect(await find({ environment: { HOME: join(folder, 'home') } })).toBe('/c');
    write('xdg/ravel/config.toml', `vault = "${join(folder, 'b')}"\n`);
    expect(await find({ environment: { HOME: join(folder, 'home'), XDG_CONFIG_HOME: join(folder, 'xdg') } })).toBe(
      '/b',
    );
    expect(userConfigPath({})).toBeUndefined();
    expect(userConfigPath({ HOME: '/h', XDG_CONFIG_HOME: 'relative' })).toBe('/h/.config/ravel/config.toml');
  });

  test('lists where it looked if nothing names a vault', async () => {
    expect(await find({})).toBe('vault/none: No vault is named by --vault, RAVEL_VAULT.');
    expect(await find({ userConfig: join(folder, 'no.toml') })).toBe(
      'vault/none: No vault is named by --vault, RAVEL_VAULT or /no.toml.',
    );
    expect(await find({ userConfig: write('other.toml', 'x = 1') })).toContain('vault/none: No vault');
  });

  test.each([
    ['vault = = 1', 'vault/unreadable: /config.toml is not valid TOML at line 1'],
    ['vault = 3', 'vault/unreadable: /config.toml names no path'],
    ['vault = "c"', 'vault/none: /config.toml names "c", which is not a vault: the path is relative'],
    ['vault = "/nowhere/at/all"', 'vault/none: /config.toml names "/nowhere/at/all"'],
  ])('refuses the configuration %j', async (text, message) => {
    expect(await find({ userConfig: write('config.toml', text) })).toContain(message);
  });

  test('accepts a relative path only with a working directory', async () => {
    expect(await find({ flag: 'a', workingDirectory: folder })).toBe('/a');
    expect(await find({ environment: { RAVEL_VAULT: './b' }, workingDirectory: folder })).toBe('/b');
    expect(await find({ flag: 'a' })).toContain('the path is relative');
    expect(await find({ flag: '', workingDirectory: join(folder, 'a') })).toContain(
      '--vault names "", which is not a vault',
    );
  });

  test('resolves links, and refuses link loops and files', async () => {
    symlinkSync(join(folder, 'a'), join(folder, 'link'));
    symlinkSync('loop', join(folder, 'loop'));
    expect(await find({ flag: join(folder, 'link') })).toBe('/a');
    expect(await find({ flag: join(folder, 'loop') })).toContain('there is no such folder');
    expect(await find({ flag: write('file', '') })).toContain('there is no such folder');
  });
});

describe('vaultsWithProjects finds the vaults that adopted', () => {
  function adopt(vault: string, project: string): void {
    mkdirSync(join(folder, project, 'ravel'), { recursive: true });
    mkdirSync(join(folder, vault, 'projects'), { recursive: true });
    symlinkSync(join(folder, project, 'ravel'), join(folder, vault, 'projects', project.replaceAll('/', '-')));
  }

  test.each([
    ['the project itself', 'code/shop', ['/a']],
    ['a project by a folder in it', 'code/shop/ravel', ['/a']],
    ['the projects in a folder', 'code', ['/a', '/b']],
    ['no folder whose name only begins alike', 'code/shopping', []],
    ['no folder that does not exist', 'code/gone', []],
  ])('%s', async (_name, open, expected) => {
    adopt('a', 'code/shop');
    adopt('b', 'code/blog');
    mkdirSync(join(folder, 'code/shopping'));
    symlinkSync(join(folder, 'nowhere'), join(folder, 'b/projects/broken'));
    const vaults = ['a', 'b', 'c', 'empty', 'gone'].map((name) => join(folder, name));
    const found = await vaultsWithProjects(nodeDisk, vaults, [join(folder, open)]);
    expect(found.map((vault) => vault.replace(folder, ''))).toEqual(expected);
  });
});
