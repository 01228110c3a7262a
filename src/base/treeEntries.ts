import { randomBytes } from 'node:crypto';
import { dirname, join, posix } from 'node:path';
import type { Disk, FileStat } from './disk.ts';
import {
  attempt,
  changedMeanwhile,
  fileError,
  ifThere,
  isAbsent,
  leadsNowhere,
  listIfThere,
  toDiskError,
} from './diskErrors.ts';
import { systemCode } from './errors.ts';
import { withExecution } from './fileModes.ts';
import { ensureDirectory, readChunks, writeFully } from './files.ts';
import { isSameFile, replaceSeen } from './seenFile.ts';

/** What one path of a tree of files holds; a link is itself, and never what it leads to. */
export type TreeEntry =
  | { readonly kind: 'file'; readonly content: Buffer; readonly isExecutable: boolean }
  | { readonly kind: 'symlink'; readonly target: string };

/** A place in a tree in which other programs can put links, and folders, at any time. */
export interface TreePlace {
  /** Real path of the top. */
  readonly top: string;
  /** Relative to it, with `/`, without `..`. */
  readonly path: string;
}

export interface FoundTreeEntry {
  readonly entry: TreeEntry;
  /** Permission bits. */
  readonly mode: number;
}

/**
 * The entry at a place; undefined if nothing is there. What is neither a file nor a link, or longer than `bytesMax`, is named
 * instead. A link above it is not followed: nothing of the tree is there.
 */
export async function readTreeEntry(
  disk: Disk,
  place: TreePlace,
  bytesMax: number,
): Promise<FoundTreeEntry | 'directory' | 'other' | 'tooLarge' | undefined> {
  const file = join(place.top, place.path);
  if (!(await isPlainFolder(disk, place.top, posix.dirname(place.path)))) return undefined;
  return ifThere(
    file,
    async () => {
      const { kind, size, mode } = await disk.lstat(file);
      if (kind === 'symlink') return { entry: { kind, target: await disk.readLink(file) }, mode: mode & 0o777 };
      if (kind !== 'file') return kind;
      if (size > bytesMax) return 'tooLarge' as const;
      const content = await readItself(disk, file, bytesMax);
      if (content === undefined) return 'tooLarge' as const;
      return { entry: { kind, content, isExecutable: (mode & 0o111) !== 0 }, mode: mode & 0o777 };
    },
    leadsNowhere,
  );
}

/** Undefined if it has become longer. */
async function readItself(disk: Disk, path: string, bytesMax: number): Promise<Buffer | undefined> {
  const file = await disk.open(path, 'readItself');
  try {
    const pieces: Buffer[] = [];
    const size = await file.size();
    if (size > bytesMax) return undefined;
    for await (const chunk of readChunks(file, size)) pieces.push(Buffer.from(chunk));
    return Buffer.concat(pieces);
  } finally {
    await file.close();
  }
}

export interface TreeChange extends TreePlace {
  /** What has to be there still: otherwise nothing is changed. */
  readonly seen: TreeEntry | undefined;
  readonly next: TreeEntry | undefined;
  /** Permission bits of a file; without them it keeps those of the one before, but for whether it can be run. */
  readonly mode?: number | undefined;
}

/**
 * Gives a place another entry, whole or not at all, and durably. Throws `yaml/changedMeanwhile` if it is not as seen, and
 * `disk/failed` if a link or a file stands where a folder has to be. Folders that are missing are made; nothing is written
 * outside of the tree, even if a folder is swapped for a link meanwhile: what is put in place has to have been in the same
 * folder before.
 */
export async function changeTreeEntry(disk: Disk, change: TreeChange): Promise<void> {
  const path = join(change.top, change.path);
  try {
    if (change.next === undefined) await removeEntry(disk, path, change);
    else await putEntry(disk, path, change, change.next);
  } catch (error) {
    throw toDiskError(error, path, change.next === undefined ? 'remove' : 'write');
  }
}

/** Removes folders that are empty, from `folder` up to the top, which stays. */
export async function removeEmptyFolders(disk: Disk, top: string, folder: string): Promise<void> {
  for (let at = folder; at !== '.' && at !== ''; at = posix.dirname(at)) {
    // After a removal that was cut short it can be gone, and those above it empty.
    if (!(await isPlainFolder(disk, top, at))) continue;
    try {
      await disk.removeDirectory(join(top, at));
    } catch (error) {
      if (systemCode(error) === undefined) throw error;
      // Something is in it, or it may not be removed: it does no harm.
      return;
    }
    await attempt(join(top, at), 'remove', () => disk.syncDirectory(dirname(join(top, at))));
  }
}

/** Takes away what a crash left of `changeTreeEntry` in this folder. */
export async function removeUnfinishedEntries(disk: Disk, top: string, folder: string): Promise<void> {
  if (!(await isPlainFolder(disk, top, folder))) return;
  for (const { name, kind } of await listIfThere(disk, join(top, folder), leadsNowhere)) {
    if (kind === 'directory' || !temporaryName.test(name)) continue;
    await disk.unlink(join(top, folder, name)).catch((error: unknown) => {
      if (!isAbsent(error)) throw toDiskError(error, join(top, folder, name), 'remove');
    });
  }
}

/** Short, for the name beside it can be as long as a name may be. */
const temporaryName = /^\.ravel-put\.[0-9a-f]{12}\.tmp$/;

function newTemporaryName(): string {
  return `.ravel-put.${randomBytes(6).toString('hex')}.tmp`;
}

async function putEntry(disk: Disk, path: string, change: TreeChange, next: TreeEntry): Promise<FileStat> {
  const { top, seen } = change;
  const folder = posix.dirname(change.path);
  await ensurePlainFolder(disk, top, folder);
  const temporary = join(dirname(path), newTemporaryName());
  const own = await writeTemporary(disk, temporary, next, await permissionsFor(disk, path, change, next));
  try {
    // Only now: had the folder been a link when it was opened, the file would not be where it is looked for.
    if (!(await isPlainFolder(disk, top, folder))) throw leadsAway(path);
    if (!isSameFile(await ifThere(temporary, () => disk.lstat(temporary)), own)) throw leadsAway(path);
    if (seen?.kind === 'symlink') await replaceLink(disk, temporary, path, seen.target);
    else await replaceSeen(disk, temporary, path, (bytes) => isContentOf(bytes, seen), newTemporaryName());
  } catch (error) {
    // A stale file does no harm, and what went wrong first is what the caller wants to know.
    await disk.unlinkIf(temporary, (now) => isSameFile(now, own)).catch(() => undefined);
    throw error;
  }
  await disk.syncDirectory(dirname(path));
  return own;
}

/**
 * First a copy of our own takes the place, which can only be in the same folder; then that copy is removed, and nothing else:
 * a file of the same content behind a link that came meanwhile is another one.
 */
async function removeEntry(disk: Disk, path: string, change: TreeChange): Promise<void> {
  if (change.seen === undefined) return;
  const own = await putEntry(disk, path, change, change.seen);
  if (!(await disk.unlinkIf(path, (now) => isSameFile(now, own)))) throw changedMeanwhile(path);
  await disk.syncDirectory(dirname(path));
}

function isContentOf(bytes: Buffer | undefined, seen: TreeEntry | undefined): boolean {
  if (bytes === undefined || seen === undefined) return bytes === seen;
  return seen.kind === 'file' && seen.content.equals(bytes);
}

/** A link cannot be written into, so a look at it is enough. */
async function replaceLink(disk: Disk, temporary: string, path: string, target: string): Promise<void> {
  const then = await lookAtLink(disk, path, target);
  if (!(await disk.renameIf(temporary, path, (now) => isSameFile(now, then)))) throw changedMeanwhile(path);
}

async function lookAtLink(disk: Disk, path: string, target: string): Promise<FileStat> {
  const stat = await disk.lstat(path);
  if (stat.kind !== 'symlink' || (await disk.readLink(path)) !== target) throw changedMeanwhile(path);
  return stat;
}

async function writeTemporary(
  disk: Disk,
  temporary: string,
  next: TreeEntry,
  permissions: number | undefined,
): Promise<FileStat> {
  if (next.kind === 'symlink') {
    await disk.symlink(next.target, temporary);
    return disk.lstat(temporary);
  }
  const file = await disk.open(temporary, 'exclusive', permissions);
  try {
    await writeFully(file, next.content);
    await file.sync();
  } finally {
    await file.close();
  }
  const own = await disk.lstat(temporary);
  if (permissions !== undefined || !next.isExecutable) return own;
  await disk.changeMode(temporary, withExecution(own.mode & 0o777, true));
  return disk.lstat(temporary);
}

/** Undefined for the usual ones. */
async function permissionsFor(
  disk: Disk,
  path: string,
  { seen, mode }: TreeChange,
  next: TreeEntry,
): Promise<number | undefined> {
  if (next.kind === 'symlink') return undefined;
  if (mode !== undefined) return mode;
  if (seen?.kind !== 'file') return undefined;
  return withExecution((await disk.lstat(path)).mode & 0o777, next.isExecutable);
}

/** Whether a folder of the tree, and each one above it, is a folder and no link. */
async function isPlainFolder(disk: Disk, top: string, folder: string): Promise<boolean> {
  let at = top;
  for (const name of namesOf(folder)) {
    at = join(at, name);
    const here = at;
    if ((await ifThere(here, () => disk.lstat(here), leadsNowhere))?.kind !== 'directory') return false;
  }
  return true;
}

async function ensurePlainFolder(disk: Disk, top: string, folder: string): Promise<void> {
  let at = '.';
  for (const name of namesOf(folder)) {
    const above = at;
    at = posix.join(at, name);
    const path = join(top, at);
    const stat = await ifThere(path, () => disk.lstat(path), leadsNowhere);
    if (stat?.kind === 'directory') continue;
    if (stat !== undefined) throw leadsAway(path);
    await ensureDirectory(disk, path);
    if (await isPlainFolder(disk, top, above)) continue;
    // It was made behind a link that came meanwhile; it is empty.
    await disk.removeDirectory(path).catch(() => undefined);
    throw leadsAway(path);
  }
}

function namesOf(folder: string): string[] {
  return folder.split('/').filter((name) => name !== '' && name !== '.');
}

function leadsAway(path: string) {
  return fileError('disk/failed', path, `${path} is behind a link, or behind a file in the place of a folder.`, {
    help: 'Put the folder back in its place, then try again.',
  });
}
