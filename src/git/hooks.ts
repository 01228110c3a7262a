import { dirname, join, resolve } from 'node:path';
import { ifThere, leadsNowhere, listIfThere } from '../base/diskErrors.ts';
import { isRavelError } from '../base/errors.ts';
import { sha256 } from '../base/files.ts';
import { isWithin } from '../base/paths.ts';
import { failure } from '../model/codes.ts';
import type { Hook, HooksPlace } from './confinedHooks.ts';
import { type Git, gitText } from './git.ts';
import { isInclude } from './programSettings.ts';
import { answers } from './repository.ts';
import { splitNul } from './splitNul.ts';

/** Where git finds the hooks of a commit, absolute, and the commit that HEAD named as of then. */
export interface CommitPlaces {
  readonly commonDirectory: string;
  readonly folder: string;
  readonly head: string;
}

/** Undefined if HEAD names no commit. */
export async function readCommitPlaces(git: Git, root: string): Promise<CommitPlaces | undefined> {
  try {
    const [common, hooks, head = ''] = await answers(git, root, [...hookPlaces, ['HEAD^{commit}']], inCommit);
    return { ...placesFrom(root, [common, hooks]), head };
  } catch (error) {
    if (isRavelError(error, 'git/failed')) return undefined;
    throw error;
  }
}

const hookPlaces = [['--git-common-dir'], ['--git-path', 'hooks']];

function placesFrom(root: string, [common = '.', hooks = '.']: readonly (string | undefined)[]) {
  return { commonDirectory: resolve(root, common), folder: resolve(root, hooks) };
}

/**
 * The hooks of the repository that a commit would start; undefined if there are none. What lies in a folder outside of
 * the repository that a person's own configuration names is not among them: these are the person's own programs.
 */
export async function hooksOfCommit(
  git: Git,
  { root, gitDirectory }: { readonly root: string; readonly gitDirectory: string },
  places: Omit<CommitPlaces, 'head'> | undefined,
): Promise<HooksPlace | undefined> {
  const { commonDirectory, folder } = places ?? placesFrom(root, await answers(git, root, hookPlaces, inCommit));
  const isInside = [root, gitDirectory, commonDirectory].some((place) => isWithin(place, folder));
  if (!isInside && (await isNamedByPerson(git, root))) return undefined;
  const hooks = (await readHooks(git, root, folder)).filter(({ isProgram }) => isProgram);
  if (hooks.length === 0) return undefined;
  const settings = [...(await settingsInForce(git, root)), ...(await includedFiles(git, root))];
  return { root, gitDirectory, commonDirectory, hooks, settings: [...new Set(settings)] };
}

/** The files of settings that count in the repository, a person's and included ones too; absolute. */
async function settingsInForce(git: Git, root: string): Promise<string[]> {
  const { stdout } = await git.run(root, ['config', '--list', '--name-only', '-z', '--show-origin'], inCommit);
  const origins = splitNul(stdout).filter((_text, at) => at % 2 === 0);
  return origins.filter((origin) => origin.startsWith('file:')).map((origin) => resolve(root, origin.slice(5)));
}

/** Files that settings of the repository name, also if their condition does not hold now or they are empty; absolute. */
async function includedFiles(git: Git, root: string): Promise<string[]> {
  const { files } = await git.settings(root);
  return [...files].flatMap(([file, settings]) =>
    settings.filter(isInclude).map(({ value }) => resolve(dirname(file), value)),
  );
}

/** Whether the folder of the hooks is named by settings, and not by those of the repository. */
async function isNamedByPerson(git: Git, root: string): Promise<boolean> {
  const args = ['config', '--show-scope', '--get', 'core.hooksPath'];
  const found = await gitText(git, root, args, { ...inCommit, okCodes: [0, 1] });
  return found !== '' && !['local', 'worktree'].includes(found.split('\t')[0] ?? '');
}

/** With the settings that a commit is made with. */
const inCommit = { hooks: true };

/** Where the hooks of the repository around a directory are, absolute, as its settings say. */
async function hooksFolder(git: Git, directory: string): Promise<string> {
  return resolve(
    directory,
    await gitText(git, directory, ['rev-parse', '--git-path', 'hooks'], { asConfigured: true }),
  );
}

/** Files of a hooks folder, and bytes of one; a folder beyond that is refused. */
const hooksMax = 500;
const hookBytesMax = 16 * 1024 * 1024;

/** Those of a folder, or else of where the settings say. The examples that git puts into a new repository do not count. */
export async function readHooks(git: Git, directory: string, from?: string): Promise<readonly Hook[]> {
  const { disk } = git;
  const folder = from ?? (await hooksFolder(git, directory));
  const entries = await listIfThere(disk, folder, leadsNowhere);
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

/** Throws `git/unaccepted` if a hook would run that was added or changed while a session ran and was not accepted. */
export async function assertHooksAccepted(git: Git, directory: string): Promise<void> {
  const accepted = await git.accepted?.(directory);
  if (accepted === undefined) return;
  const foreign = (await readHooks(git, directory)).filter(
    ({ name, sha256: hash }) => accepted.hooks.get(name) !== hash,
  );
  if (foreign.length === 0) return;
  const names = foreign.map(({ name }) => name).join(', ');
  const message = `Hooks of the repository changed while a session ran and were not accepted: ${names}.`;
  throw failure('git/unaccepted', directory, message);
}
