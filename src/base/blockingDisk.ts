import * as fs from 'node:fs';
import type { DirectoryEntry, FileStat, ReadingDisk } from './disk.ts';
import { nodeDisk, toFileStat, toKind, toStamp } from './nodeDisk.ts';

const { O_NONBLOCK, O_RDONLY } = fs.constants;
// Windows knows no such flag, and no such pipes.
const readFlags = O_RDONLY | (O_NONBLOCK ?? 0);

/**
 * The real disk for a thread that does nothing else: whatever is asked was done when the call returns, which for many
 * small files takes a third of the time. On the main thread it would hold up everything, so only `scanWorker.ts` has it.
 */
export const blockingDisk: ReadingDisk = {
  readFile: (path, inspect) => settled(() => readFile(path, inspect)),
  readDirectory: (path) =>
    settled(() =>
      fs.readdirSync(path, { withFileTypes: true }).map(
        (entry): DirectoryEntry => ({
          name: entry.name,
          kind: toKind(entry),
        }),
      ),
    ),
  lstat: (path) => settled(() => toFileStat(fs.lstatSync(path))),
  stat: (path) => settled(() => toFileStat(fs.statSync(path))),
  stampEach: (paths) => settled(() => paths.flatMap(stampOf)),
  readLink: nodeDisk.readLink,
  realPath: nodeDisk.realPath,
};

/** One way to the file for both. To open a pipe does not wait for a writer here, so that it can be inspected. */
function readFile(path: string, inspect: ((stat: FileStat) => void) | undefined): Buffer {
  const descriptor = fs.openSync(path, readFlags);
  try {
    inspect?.(toFileStat(fs.fstatSync(descriptor)));
    return fs.readFileSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}

function stampOf(path: string): readonly number[] {
  try {
    return toStamp(fs.statSync(path, { throwIfNoEntry: false }));
  } catch {
    // As promised by the port: whoever needs the reason asks for the file itself.
    return toStamp(undefined);
  }
}

function settled<T>(work: () => T): Promise<T> {
  try {
    return Promise.resolve(work());
  } catch (error) {
    return Promise.reject(error);
  }
}
