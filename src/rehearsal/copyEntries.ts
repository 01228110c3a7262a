import { dirname, join } from 'node:path';
import { forEachOfSome } from '../base/async.ts';
import type { Disk } from '../base/disk.ts';
import { attempt, leadsNowhere, toDiskError } from '../base/diskErrors.ts';
import { systemCode } from '../base/errors.ts';
import type { CopiedEntry } from '../git/repositoryContents.ts';
import { failure } from '../model/codes.ts';

/** Files that are copied in the same moment. */
const copiesMax = 16;

/**
 * Copies files and links to their places below `folder`, with their times; files share their blocks with the originals if
 * the file system can. What is gone by now is left out unless it is needed, and so is what cannot be read. Throws
 * `rehearsal/changed` for one that is needed, `disk/full`, `disk/denied` or `disk/failed`.
 */
export async function copyEntries(
  disk: Disk,
  folder: string,
  entries: readonly CopiedEntry[],
  { signal, onCopied }: { readonly signal: AbortSignal; readonly onCopied?: (entry: CopiedEntry) => void },
): Promise<void> {
  const makeFolder = folderMaker(disk);
  await forEachOfSome(entries, copiesMax, async (entry) => {
    signal.throwIfAborted();
    const to = join(folder, entry.to);
    await makeFolder(dirname(to));
    if (await copyEntry(disk, entry, to)) onCopied?.(entry);
  });
}

/** Whether it was there. */
async function copyEntry(disk: Disk, { from, kind, isNeeded }: CopiedEntry, to: string): Promise<boolean> {
  try {
    if (kind === 'file') await disk.cloneFile(from, to);
    else await disk.symlink(await disk.readLink(from), to);
    return true;
  } catch (error) {
    if (isNeeded && leadsNowhere(error)) {
      throw failure('rehearsal/changed', from, `${from} was removed while the repository was copied.`, {
        cause: error,
      });
    }
    if (!isNeeded && (leadsNowhere(error) || unreadable.has(systemCode(error) ?? ''))) return false;
    throw toDiskError(error, to, 'write');
  }
}

/** A file that the person cannot read is left out; a full disk ends the copying. */
const unreadable: ReadonlySet<string> = new Set(['EACCES', 'EPERM']);

/** Makes a folder and those above it once. Nothing is synced: a copy that a crash leaves is removed. */
function folderMaker(disk: Disk): (path: string) => Promise<void> {
  const made = new Map<string, Promise<void>>();
  const make = (path: string): Promise<void> => {
    const before = made.get(path);
    if (before !== undefined) return before;
    const making = attempt(path, 'make', async () => {
      try {
        await disk.makeDirectory(path);
      } catch (error) {
        if (systemCode(error) === 'EEXIST') return;
        if (systemCode(error) !== 'ENOENT') throw error;
        await make(dirname(path));
        await disk.makeDirectory(path).catch((again: unknown) => {
          if (systemCode(again) !== 'EEXIST') throw again;
        });
      }
    });
    made.set(path, making);
    return making;
  };
  return make;
}
