import { dirname, join } from 'node:path';
import type { Disk } from '../base/disk.ts';
import { ifThere, leadsNowhere, listIfThere } from '../base/diskErrors.ts';
import { commonDirectory } from './repositoryFiles.ts';

/** Puts on the medium what `core.fsync` leaves out: the folders, and the settings and the HEAD of a new repository. */

/** After `git init`. A repository elsewhere that a file of this name leads to was there before, and is left alone. */
export async function syncNewRepository(disk: Disk, directory: string): Promise<void> {
  const gitDirectory = join(directory, '.git');
  const entries = await listIfThere(disk, gitDirectory, leadsNowhere);
  for (const { name, kind } of entries) {
    const path = join(gitDirectory, name);
    if (kind === 'directory') await syncFolder(disk, path);
    if (kind === 'file') await syncFile(disk, path);
  }
  await syncFolder(disk, gitDirectory);
  await syncFolder(disk, directory);
}

interface CommittedPlace {
  /** Of the work tree, absolute; its index is there. */
  readonly gitDirectory: string;
  /** Short name. */
  readonly branch?: string;
}

/** After a commit: the names that the branch and the index were given by a rename. */
export async function syncCommit(disk: Disk, { gitDirectory, branch }: CommittedPlace): Promise<void> {
  await syncFolder(disk, gitDirectory);
  if (branch === undefined) return;
  const common = (await commonDirectory(disk, gitDirectory)) ?? gitDirectory;
  // With another store of branches there is no such folder.
  await syncFolder(disk, dirname(join(common, 'refs', 'heads', branch)));
}

async function syncFolder(disk: Disk, folder: string): Promise<void> {
  await ifThere(folder, () => disk.syncDirectory(folder), leadsNowhere);
}

async function syncFile(disk: Disk, path: string): Promise<void> {
  await ifThere(path, async () => {
    const file = await disk.open(path, 'update');
    try {
      await file.sync();
    } finally {
      await file.close();
    }
  });
}
