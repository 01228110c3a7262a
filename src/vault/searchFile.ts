import type { Disk } from '../base/disk.ts';
import { ifThere } from '../base/diskErrors.ts';
import { createExclusive } from '../base/exclusiveFile.ts';
import type { VaultLayout } from './layout.ts';

/** For the search of an editor (ripgrep), which reads it behind `.gitignore` and leaves out what that leaves out. */
export const searchFileText = `# Lets an editor's search find the files of plans, although git ignores the links to them here.
!/projects/
`;

/** Makes the file in a vault of an older Ravel, and says whether it did; whatever has its name is a person's and stays. */
export async function addSearchFile(disk: Disk, { searchFile }: VaultLayout): Promise<boolean> {
  const there = await ifThere(searchFile, () => disk.lstat(searchFile));
  return there === undefined && createExclusive(disk, searchFile, searchFileText);
}
