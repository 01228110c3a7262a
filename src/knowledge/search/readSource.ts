import { isUtf8 } from 'node:buffer';
import { basename } from 'node:path';
import type { ReadingDisk } from '../../base/disk.ts';
import { systemCode } from '../../base/errors.ts';
import { isWithin } from '../../base/paths.ts';
import { projectPaths, type VaultLayout } from '../../vault/layout.ts';
import { type FileEntries, readEntries } from './entries.ts';
import type { FoundSource } from './listSources.ts';
import type { SearchSource } from './searchSource.ts';

/** What is larger is not read; the same bound holds for the files of a plan. */
const sourceBytesMax = 64 * 1024 * 1024;

/** The entries of a file that was listed just now; undefined if it is gone, or cannot be read as what it should be. */
export async function readListed(
  disk: ReadingDisk,
  layout: VaultLayout,
  source: FoundSource,
): Promise<FileEntries | undefined> {
  if (source.isLink && !(await staysInside(disk, layout, source))) return undefined;
  return readFrom(disk, source, source.readFrom);
}

/** The same of a source that a saved index names, which may never have been listed. */
export async function readNamed(
  disk: ReadingDisk,
  layout: VaultLayout,
  source: SearchSource,
): Promise<FileEntries | undefined> {
  return (await staysInside(disk, layout, source)) ? readFrom(disk, source, source.file) : undefined;
}

async function readFrom(disk: ReadingDisk, source: SearchSource, path: string): Promise<FileEntries | undefined> {
  const [bytes] = await disk.readEach([path], sourceBytesMax);
  if (bytes === undefined || !isUtf8(bytes)) return undefined;
  return readEntries(source, bytes.toString('utf8'));
}

/** Whether no link leads from the vault, or from the `ravel/` of its project, to somewhere else. */
async function staysInside(disk: ReadingDisk, layout: VaultLayout, { root, file }: SearchSource): Promise<boolean> {
  try {
    const realRoot = await disk.realPath(root);
    if (root !== layout.root && basename(realRoot) !== projectPaths.ravel) return false;
    return isWithin(realRoot, await disk.realPath(file));
  } catch (error) {
    // It is gone, or cannot be looked at.
    if (systemCode(error) === undefined) throw error;
    return false;
  }
}
