import { basename, join } from 'node:path';
import type { Disk } from '../../base/disk.ts';
import { toDiskError } from '../../base/diskErrors.ts';
import { systemCode } from '../../base/errors.ts';
import { exists, readTextIfExists, writeAtomic } from '../../base/files.ts';
import type { HooksPlace } from '../../git/confinedHooks.ts';
import { textsOfAbsence } from '../../git/repositoryFiles.ts';

/**
 * Puts a file, for as long as hooks run, wherever one that is not there would decide what git runs: a sandbox can keep a
 * file from being changed, but not from being made. To git each means what its absence does. Gives what takes them away again, with those that a crash left. Throws `disk/denied`, `disk/full` or `disk/failed`.
 */
export async function makeStandIns(disk: Disk, place: HooksPlace): Promise<() => Promise<void>> {
  const { gitDirectory, commonDirectory } = place;
  const hooks = join(commonDirectory, 'hooks');
  const paths = [...textsOfAbsence.keys()].map((name) => join(commonDirectory, name));
  const files = [...new Set([...paths, join(gitDirectory, 'config.worktree')])].map(
    (path) => [path, textsOfAbsence.get(basename(path)) ?? ''] as const,
  );
  const remove = async () => {
    for (const [path, text] of files) {
      // Another text is a person's, who set something meanwhile.
      if ((await readTextIfExists(disk, path)) === text) await unless('ENOENT', path, () => disk.unlink(path));
    }
  };
  try {
    for (const [path, text] of files) await unless('EEXIST', path, () => create(disk, path, text));
    // It stays: git makes this folder with each repository.
    await unless('EEXIST', hooks, () => disk.makeDirectory(hooks));
  } catch (error) {
    await remove();
    throw error;
  }
  return remove;
}

/** Git dies at once of an empty `commondir`, and another plan's may start at any moment. */
async function create(disk: Disk, path: string, text: string): Promise<void> {
  if (text === '') await (await disk.open(path, 'exclusive', 0o644)).close();
  else if (!(await exists(disk, path))) await writeAtomic(disk, path, text, { permissions: 0o644 });
}

async function unless(code: string, path: string, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (systemCode(error) !== code) throw toDiskError(error, path, 'write');
  }
}
