import { basename, dirname, join } from 'node:path';
import { assert } from './assert.ts';
import type { Disk } from './disk.ts';
import { attempt, fileError, toDiskError } from './diskErrors.ts';
import { systemCode } from './errors.ts';
import { copyFileAtomic, ensureDirectory, exists, removeTree } from './files.ts';

export interface TreeMove {
  readonly from: string;
  readonly to: string;
  /** Names this move among all others: after a crash the same tag finds what it had begun. */
  readonly tag: string;
}

/**
 * Gives a file or a whole folder another place, durably, also on another file system; the folders above the new place are
 * made. Doing it again after a crash, with the same tag, finishes it; nothing at the old place means that it is done.
 * There is always one whole copy under the old name, the new one, or one that this knows. Whatever stands at the new
 * place is never replaced: `disk/failed`.
 */
export async function moveTree(disk: Disk, move: TreeMove): Promise<void> {
  const { from, to } = move;
  assert(from !== to, 'a move leads somewhere else');
  if (await exists(disk, from)) {
    await refuseTaken(disk, move);
    await ensureDirectory(disk, dirname(to));
    if (await renamed(disk, move)) return;
    await removeTree(disk, arriving(move));
    await copyTree(disk, from, arriving(move));
    await attempt(from, 'write', () => disk.rename(from, leaving(move)));
    await attempt(from, 'write', () => disk.syncDirectory(dirname(from)));
  }
  // An earlier process may have died after the last step but before it was durable.
  if (!(await exists(disk, leaving(move)))) return syncBoth(disk, move);
  if (await exists(disk, arriving(move))) {
    await refuseTaken(disk, move);
    await attempt(to, 'write', () => disk.rename(arriving(move), to));
    await attempt(to, 'write', () => disk.syncDirectory(dirname(to)));
  }
  await removeTree(disk, leaving(move));
  await attempt(from, 'write', () => disk.syncDirectory(dirname(from)));
}

/** Takes away what a move that is given up had copied; the old place must still be whole. */
export async function abandonMove(disk: Disk, move: TreeMove): Promise<void> {
  assert(await exists(disk, move.from), 'what did not move is where it was');
  await removeTree(disk, arriving(move));
}

/** The copy, until it is whole. */
function arriving({ to, tag }: TreeMove): string {
  return join(dirname(to), `.${tag}.arriving`);
}

/** What was copied, until it is removed. */
function leaving({ from, tag }: TreeMove): string {
  return join(dirname(from), `.${tag}.leaving`);
}

async function refuseTaken(disk: Disk, { from, to }: TreeMove): Promise<void> {
  // If case does not count, the old name is also the new one.
  const isSameName = dirname(from) === dirname(to) && fold(basename(from)) === fold(basename(to));
  if (isSameName || !(await exists(disk, to))) return;
  throw fileError('disk/failed', to, `${from} cannot be moved: ${to} exists already.`, {
    help: 'Move that away first.',
  });
}

function fold(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** False if the two places are on different file systems. */
async function renamed(disk: Disk, { from, to }: TreeMove): Promise<boolean> {
  try {
    await disk.rename(from, to);
  } catch (error) {
    if (systemCode(error) === 'EXDEV') return false;
    throw toDiskError(error, to, 'write');
  }
  await syncBoth(disk, { from, to });
  return true;
}

async function syncBoth(disk: Disk, { from, to }: Pick<TreeMove, 'from' | 'to'>): Promise<void> {
  for (const folder of new Set([dirname(to), dirname(from)])) {
    if (await exists(disk, folder)) await attempt(folder, 'write', () => disk.syncDirectory(folder));
  }
}

/** Copies a file, a link or a folder with all below it; `to` must not exist. */
async function copyTree(disk: Disk, from: string, to: string): Promise<void> {
  const stat = await attempt(from, 'write', () => disk.lstat(from));
  if (stat.kind === 'file') return copyFileAtomic(disk, from, to);
  if (stat.kind === 'symlink') return attempt(to, 'write', async () => disk.symlink(await disk.readLink(from), to));
  if (stat.kind === 'other') {
    throw fileError('disk/failed', from, `${from} is neither file nor folder and cannot be copied.`, {
      help: 'Move it away first.',
    });
  }
  const permissions = stat.mode & 0o777;
  // Its owner must be able to write in it until it is filled.
  await attempt(to, 'write', () => disk.makeDirectory(to, permissions | 0o700));
  for (const entry of await attempt(from, 'write', () => disk.readDirectory(from))) {
    await copyTree(disk, join(from, entry.name), join(to, entry.name));
  }
  await attempt(to, 'write', () => disk.syncDirectory(to));
  if ((permissions & 0o700) !== 0o700) await attempt(to, 'write', () => disk.changeMode(to, permissions));
}
