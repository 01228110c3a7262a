import { join } from 'node:path';
import { type Backoff, backoffMs } from '../base/backoff.ts';
import { delay } from '../base/clock.ts';
import type { Disk } from '../base/disk.ts';
import { isRavelError, systemCode } from '../base/errors.ts';
import { removeTree, sha256 } from '../base/files.ts';
import type { ProcessIdentity } from '../base/processes.ts';
import { dayMs } from '../base/units.ts';
import { failure } from '../model/codes.ts';
import type { Git } from './git.ts';

/**
 * Lends a path for an index of our own, so that the person's is not touched; nothing is there yet. It lies inside the
 * git directory, because `read-tree --index-output` can only rename within one file system. What killed processes left
 * there is removed first.
 */
export async function withTemporaryIndex<T>(
  git: Git,
  gitDirectory: string,
  use: (indexFile: string) => Promise<T>,
): Promise<T> {
  await removeStaleIndexes(git, gitDirectory);
  const folder = await makeFolder(git, gitDirectory);
  try {
    return await use(join(folder, 'index'));
  } finally {
    await removeFolder(git.disk, folder);
  }
}

/** More than a large `git add` takes. A `git commit --all` holds the lock as long as its editor is open. */
const lockWaitMs = 15_000;
const pauses: Backoff = { firstMs: 40, longestMs: 640 };

/** Repeats `operation` for 15 seconds while another git holds the index; its lock is never removed. */
export async function waitForIndex<T>(git: Git, operation: () => Promise<T>): Promise<T> {
  const deadlineMs = git.clock.monotonicMs() + lockWaitMs;
  for (let tryNumber = 0; ; tryNumber++) {
    try {
      return await operation();
    } catch (error) {
      if (!isRavelError(error, 'git/indexLocked') || git.clock.monotonicMs() >= deadlineMs) throw error;
      await delay(git.clock, backoffMs(pauses, tryNumber));
    }
  }
}

/** Attempts to find a free name. */
const folderAttemptsMax = 100;
/** A machine may have slept in the middle of a commit that another container makes; no commit takes a week. */
const staleMs = 7 * dayMs;

async function makeFolder(git: Git, gitDirectory: string): Promise<string> {
  const owner = await ownerName(git);
  for (let n = 0; n < folderAttemptsMax; n++) {
    const folder = join(gitDirectory, `${prefix}${owner}-${n}`);
    try {
      await git.disk.makeDirectory(folder, 0o700);
      return folder;
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') {
        throw failure('git/failed', gitDirectory, `No temporary folder could be made in ${gitDirectory}.`, {
          cause: error,
        });
      }
    }
  }
  throw failure('git/failed', gitDirectory, `${gitDirectory} is full of temporary folders of earlier commits.`);
}

const prefix = 'ravel-index-';
const ownedFolder = /^ravel-index-(\d+)-([0-9a-f]{16})-\d+$/;
const namelessFolder = /^ravel-index-[0-9a-z]+-\d+$/;

/** A word that names this process among all others, or this moment if there is no table of processes. */
async function ownerName({ clock, processes }: Git): Promise<string> {
  const self = await processes?.self();
  return self === undefined ? clock.wallMs().toString(36) : `${self.pid}-${markOf(self)}`;
}

/** Tells a process from a later one with the same pid. */
function markOf({ startTime, bootId }: ProcessIdentity): string {
  return sha256(`${bootId} ${startTime}`).slice(0, 16);
}

/**
 * Removes what killed processes left; each may be as large as the index. A process that does not show here may live in a
 * container or on another machine, so only what is older than any commit counts: without its index, a commit would be empty.
 * Returns how many went.
 */
export async function removeStaleIndexes(git: Git, gitDirectory: string): Promise<number> {
  const { disk, clock } = git;
  let removed = 0;
  try {
    for (const { name } of await disk.readDirectory(gitDirectory)) {
      if (!name.startsWith(prefix)) continue;
      const folder = join(gitDirectory, name);
      const stat = await disk.lstat(folder);
      if (clock.wallMs() - stat.mtimeMs < staleMs) continue;
      if (!(await isOrphan(git, name))) continue;
      await removeFolder(disk, folder);
      removed += 1;
    }
  } catch {
    // Cleaning decides nothing about the commit, whatever it meets; the next one tries again.
  }
  return removed;
}

async function isOrphan({ processes }: Git, name: string): Promise<boolean> {
  const [, pid, mark] = ownedFolder.exec(name) ?? [];
  if (pid === undefined) return namelessFolder.test(name);
  const living = await processes?.identify(Number(pid));
  return processes !== undefined && (living === undefined || markOf(living) !== mark);
}

async function removeFolder(disk: Disk, folder: string): Promise<void> {
  try {
    await removeTree(disk, folder);
  } catch (error) {
    // A stale folder does no harm, but a failure here would report a commit that was made as failed.
    if (!isRavelError(error)) throw error;
  }
}
