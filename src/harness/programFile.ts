import type { Disk } from '../base/disk.ts';
import { fileError } from '../base/diskErrors.ts';
import { type FileBeginning, readBeginning } from '../base/files.ts';

/**
 * The beginning of a file of a repository that says what runs. A session can have put anything there: reading a pipe or a device would block this process, and the agent program
 * too.
 */
export async function beginningOf(disk: Disk, path: string, bytesMax: number): Promise<FileBeginning> {
  const found = await readBeginning(disk, await disk.realPath(path), bytesMax);
  if (typeof found === 'object') return found;
  const message = `${path} would say what runs, and is not a regular file.`;
  throw fileError('disk/failed', path, message, { help: 'Remove it, or put a file in its place.' });
}

/** What a file that says what runs is refused with. */
export function tooLarge(path: string, size: number, bytesMax: number) {
  const message = `${path} has ${size} bytes; Ravel compares at most ${bytesMax} of a file that says what runs.`;
  return fileError('disk/tooLarge', path, message, {
    help: 'Take it out of the settings in .claude, or make it smaller.',
  });
}
