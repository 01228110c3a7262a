import { isUtf8 } from 'node:buffer';
import type { ReadingDisk } from '../../base/disk.ts';
import { entriesOf, type SearchableEntry } from './entries.ts';
import type { SearchSource } from './searchSource.ts';

/** What is larger is not read; the same bound holds for the files of a plan. */
const sourceBytesMax = 64 * 1024 * 1024;

/** The entries of a file as it is now; undefined if it is gone, or cannot be read as what it should be. */
export async function readSource(
  disk: ReadingDisk,
  source: SearchSource,
  path = source.file,
): Promise<readonly SearchableEntry[] | undefined> {
  const [bytes] = await disk.readEach([path], sourceBytesMax);
  if (bytes === undefined || !isUtf8(bytes)) return undefined;
  return entriesOf(source, bytes.toString('utf8'));
}
