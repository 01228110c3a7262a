import { join } from 'node:path';
import { delay } from '../base/clock.ts';
import type { Disk } from '../base/disk.ts';
import { isRavelError, systemCode } from '../base/errors.ts';
import { removeTree } from '../base/files.ts';
import { failure } from '../model/codes.ts';
import type { Git } from './git.ts';

/**
 * Lends a path for an index of our own, so that the person's is not touched; nothing is there yet. It lies inside the
 * git directory, because `read-tree --index-output` can only rename within one file system.
 */
export async function withTemporaryIndex<T>(
  git: Git,
  gitDirectory: string,
  use: (indexFile: string) => Promise<T>,
): Promise<T> {
  const folder = await makeFolder(git, gitDirectory);
  try {
    return await use(join(folder, 'index'));
  } finally {
    await removeFolder(git.disk, folder);
  }
}

/** More than a large `git add` takes. A `git commit --all` holds the lock as long as its editor is open. */
const lockWaitMs = 15_000;
const pauseMsMin = 40;
const pauseMsMax = 640;

/** Repeats `operation` for 15 seconds while another git holds the index; its lock is never removed (design 8). */
export async function waitForIndex<T>(git: Git, operation: () => Promise<T>): Promise<T> {
  const deadlineMs = git.clock.monotonicMs() + lockWaitMs;
  for (let pauseMs = pauseMsMin; ; pauseMs = Math.min(2 * pauseMs, pauseMsMax)) {
    try {
      return await operation();
    } catch (error) {
      if (!isRavelError(error, 'git/indexLocked') || git.clock.monotonicMs() >= deadlineMs) throw error;
      await delay(git.clock, pauseMs);
    }
  }
}

const folderAttemptsMax = 100;

async function makeFolder(git: Git, gitDirectory: string): Promise<string> {
  const stamp = git.clock.wallMs().toString(36);
  for (let n = 0; n < folderAttemptsMax; n++) {
    const folder = join(gitDirectory, `ravel-index-${stamp}-${n}`);
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

async function removeFolder(disk: Disk, folder: string): Promise<void> {
  try {
    await removeTree(disk, folder);
  } catch (error) {
    // A folder left over harms nobody, whereas a failure here would deny a commit that was made.
    if (!isRavelError(error)) throw error;
  }
}
