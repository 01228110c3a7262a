import { dirname, isAbsolute, join, resolve } from 'node:path';
import type { Disk } from '../base/disk.ts';
import { leadsNowhere, toDiskError } from '../base/diskErrors.ts';
import type { RavelError } from '../base/errors.ts';
import { exists, readTextIfExists } from '../base/files.ts';
import { isWithin } from '../base/paths.ts';
import { failure } from '../model/codes.ts';
import { VaultLayout } from './layout.ts';
import { parseToml } from './toml.ts';

export interface VaultSources {
  /** The value of `--vault`. */
  readonly flag?: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Path of the user's configuration file; without one the usual place is read. */
  readonly userConfig?: string;
  /** What a relative path in the flag or in RAVEL_VAULT starts from; without it a relative path is refused. */
  readonly workingDirectory?: string;
  readonly disk: Disk;
}

/**
 * Absolute path of the vault, symlinks resolved: from the flag, else RAVEL_VAULT, else the user's configuration file.
 * Never searches upward. The first source that says anything decides; if it names no vault, throws `vault/none` with
 * the name of that source.
 */
export async function findVault(sources: VaultSources): Promise<string> {
  const { flag, environment, disk } = sources;
  const variable = environment['RAVEL_VAULT'];
  if (flag !== undefined) return checkVault(disk, absolutePath(sources, flag, '--vault'), '--vault');
  if (variable) return checkVault(disk, absolutePath(sources, variable, 'RAVEL_VAULT'), 'RAVEL_VAULT');
  const config = sources.userConfig ?? userConfigPath(environment);
  const configured = config === undefined ? undefined : await readUserConfig(sources, config);
  if (config === undefined || configured === undefined) {
    const also = config === undefined ? '' : ` or ${config}`;
    throw failure('vault/none', 'vault', `No vault is named by --vault, RAVEL_VAULT${also}.`);
  }
  return checkVault(disk, configured, config);
}

/** Where the user's own configuration lies; undefined when the environment names no home. */
export function userConfigPath(environment: VaultSources['environment']): string | undefined {
  const base = environment['XDG_CONFIG_HOME'];
  if (base && isAbsolute(base)) return join(base, 'ravel', 'config.toml');
  const home = homeOf(environment);
  return home === undefined ? undefined : join(home, '.config', 'ravel', 'config.toml');
}

/**
 * Of the vaults that a person has, those that have adopted a project in which one of the folders lies, or which lies in
 * one. A vault that is gone, and a link that leads nowhere, are passed over.
 */
export async function vaultsWithProjects(
  disk: Disk,
  vaults: readonly string[],
  folders: readonly string[],
): Promise<string[]> {
  const open = (await Promise.all(folders.map((folder) => realDirectory(disk, folder)))).filter(isThere);
  const found: string[] = [];
  for (const vault of vaults) {
    const projects = await projectsOf(disk, vault);
    const isOpen = (project: string) => open.some((folder) => isWithin(project, folder) || isWithin(folder, project));
    if (projects.some(isOpen)) found.push(vault);
  }
  return found;
}

/** The folders of the projects that a vault links to. */
async function projectsOf(disk: Disk, vault: string): Promise<string[]> {
  const { projects, identity } = new VaultLayout(vault);
  if (!(await exists(disk, identity)) || !(await exists(disk, projects))) return [];
  const entries = await disk.readDirectory(projects);
  const plans = await Promise.all(entries.map(({ name }) => realDirectory(disk, join(projects, name))));
  return plans.filter(isThere).map((ravel) => dirname(ravel));
}

function isThere(path: string | undefined): path is string {
  return path !== undefined;
}

async function readUserConfig(sources: VaultSources, file: string): Promise<string | undefined> {
  const text = await readTextIfExists(sources.disk, file);
  if (text === undefined) return undefined;
  const help = 'Write one line: vault = "/absolute/path".';
  const { vault } = parseToml(text, { file, subject: file, code: 'vault/unreadable', help });
  if (vault === undefined) return undefined;
  if (typeof vault !== 'string' || vault === '') {
    throw failure('vault/unreadable', file, `${file} names no path: "vault" must be a text.`, { file, help });
  }
  const home = homeOf(sources.environment);
  const path = vault.startsWith('~/') && home !== undefined ? join(home, vault.slice(2)) : vault;
  if (isAbsolute(path)) return path;
  throw notAVault(path, file, 'the path is relative');
}

function absolutePath(sources: VaultSources, path: string, source: string): string {
  if (path === '') throw notAVault(path, source, 'the path is empty');
  if (isAbsolute(path)) return path;
  if (sources.workingDirectory === undefined) throw notAVault(path, source, 'the path is relative');
  return resolve(sources.workingDirectory, path);
}

async function checkVault(disk: Disk, path: string, source: string): Promise<string> {
  const root = await realDirectory(disk, path);
  if (root === undefined) throw notAVault(path, source, 'there is no such folder');
  if (await exists(disk, new VaultLayout(root).identity)) return root;
  throw notAVault(path, source, 'there is no ravel.toml in it');
}

async function realDirectory(disk: Disk, path: string): Promise<string | undefined> {
  try {
    const real = await disk.realPath(path);
    return (await disk.stat(real)).kind === 'directory' ? real : undefined;
  } catch (error) {
    if (leadsNowhere(error)) return undefined;
    throw toDiskError(error, path, 'read');
  }
}

function notAVault(path: string, source: string, reason: string): RavelError {
  return failure(
    'vault/none',
    path === '' ? source : path,
    `${source} names "${path}", which is not a vault: ${reason}.`,
  );
}

/** The home folder of the user this process runs for; undefined when the environment names none. */
export function homeOf(environment: VaultSources['environment']): string | undefined {
  return environment['HOME'] || environment['USERPROFILE'] || undefined;
}
