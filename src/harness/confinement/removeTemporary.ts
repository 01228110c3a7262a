import { join } from 'node:path';
import type { Disk } from '../../base/disk.ts';
import { systemCode } from '../../base/errors.ts';
import { removeTree } from '../../base/files.ts';
import { confinementFiles } from './confiner.ts';

/** Removes what the commands of a session left outside of its project, even from folders that they closed to all users. */
export async function removeTemporary(disk: Disk, sessionDirectory: string): Promise<void> {
  const folder = join(sessionDirectory, confinementFiles.temporary);
  await openFolders(disk, folder);
  await removeTree(disk, folder);
}

async function openFolders(disk: Disk, folder: string): Promise<void> {
  try {
    const { kind, mode } = await disk.lstat(folder);
    if (kind !== 'directory') return;
    if ((mode & 0o700) !== 0o700) await disk.changeMode(folder, 0o700);
    for (const entry of await disk.readDirectory(folder)) {
      if (entry.kind === 'directory') await openFolders(disk, join(folder, entry.name));
    }
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
}
