import { join, resolve } from 'node:path';
import { ifThere, leadsNowhere } from '../base/diskErrors.ts';
import { sha256 } from '../base/files.ts';
import { failure } from '../model/codes.ts';
import { type Git, readText } from './git.ts';

/** A file in the folder of the hooks; git runs those whose name is that of a hook. */
export interface Hook {
  readonly name: string;
  /** Absolute. */
  readonly path: string;
  readonly sha256: string;
  readonly isProgram: boolean;
}

/** Where the hooks of the repository around a directory are, absolute, as its settings say. */
async function hooksFolder(git: Git, directory: string): Promise<string> {
  return resolve(
    directory,
    await readText(git, directory, ['rev-parse', '--git-path', 'hooks'], { asConfigured: true }),
  );
}

const hooksMax = 500;
const hookBytesMax = 16 * 1024 * 1024;

/** The examples that git puts into a new repository do not count. */
export async function readHooks(git: Git, directory: string): Promise<readonly Hook[]> {
  const { disk } = git;
  const folder = await hooksFolder(git, directory);
  const entries = (await ifThere(folder, () => disk.readDirectory(folder), leadsNowhere)) ?? [];
  const names = entries.map(({ name }) => name).filter((name) => !name.endsWith('.sample'));
  if (names.length > hooksMax) {
    throw failure('git/failed', directory, `The hooks folder ${folder} has more than ${hooksMax} files.`);
  }
  const hooks: Hook[] = [];
  for (const name of names.sort()) {
    const path = join(folder, name);
    const stat = await ifThere(path, () => disk.stat(path), leadsNowhere);
    if (stat?.kind !== 'file') continue;
    if (stat.size > hookBytesMax)
      throw failure('git/failed', directory, `The hook ${path} is too large to be compared.`);
    const content = await disk.readFile(path);
    hooks.push({ name, path, sha256: sha256(content), isProgram: (stat.mode & 0o111) !== 0 });
  }
  return hooks;
}

/** Throws `git/unaccepted` where a hook would run that came or changed while a session ran, and that nobody accepted. */
export async function assertHooksAccepted(git: Git, directory: string): Promise<void> {
  const accepted = await git.accepted?.(directory);
  if (accepted === undefined) return;
  const foreign = (await readHooks(git, directory)).filter(
    ({ name, sha256: hash }) => accepted.hooks.get(name) !== hash,
  );
  if (foreign.length === 0) return;
  const names = foreign.map(({ name }) => name).join(', ');
  const message = `Hooks of the repository changed while a session ran, and nobody accepted them: ${names}.`;
  throw failure('git/unaccepted', directory, message);
}
