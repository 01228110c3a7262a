import * as fs from 'node:fs';
import type { DirectoryEntry, FileStat, ReadingDisk } from './disk.ts';
import { toSystemPath as at, decodeName, mayBeEscaped } from './fileNames.ts';
import { nodeDisk, pushStamp, toFileStat, toKind } from './nodeDisk.ts';

const { O_NONBLOCK, O_RDONLY } = fs.constants;
// Windows knows no such flag, and no such pipes.
const readFlags = O_RDONLY | (O_NONBLOCK ?? 0);

/**
 * The real disk for a thread that does nothing else: whatever is asked was done when the call returns, which for many
 * small files takes a third of the time. On the main thread it would hold up everything, so only worker threads have it.
 */
export const blockingDisk: ReadingDisk = {
  readFile: (path, inspect) => settled(() => readFile(path, inspect)),
  readEach: (paths, bytesMax) => settled(() => paths.map((path) => readIfSmall(path, bytesMax))),
  readDirectory: (path) => settled(() => readDirectory(path)),
  lstat: (path) => settled(() => toFileStat(fs.lstatSync(at(path)))),
  stat: (path) => settled(() => toFileStat(fs.statSync(at(path)))),
  stampEach: (paths) => settled(() => stampEach(paths)),
  readLink: nodeDisk.readLink,
  realPath: nodeDisk.realPath,
};

function readDirectory(path: string): DirectoryEntry[] {
  const entries = fs.readdirSync(at(path), { withFileTypes: true });
  if (!entries.some(({ name }) => mayBeEscaped(name))) {
    return entries.map((entry): DirectoryEntry => ({ name: entry.name, kind: toKind(entry) }));
  }
  return fs
    .readdirSync(at(path), { withFileTypes: true, encoding: 'buffer' })
    .map((entry): DirectoryEntry => ({ name: decodeName(entry.name), kind: toKind(entry) }));
}

/** One way to the file for both. To open a pipe does not wait for a writer here, so that it can be inspected. */
function readFile(path: string, inspect: (stat: FileStat) => void = () => undefined): Buffer {
  const descriptor = fs.openSync(at(path), readFlags);
  try {
    const stats = fs.fstatSync(descriptor);
    inspect(toFileStat(stats));
    return readWhole(descriptor, stats.size);
  } finally {
    fs.closeSync(descriptor);
  }
}

function readIfSmall(path: string, bytesMax: number): Buffer | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = fs.openSync(at(path), readFlags);
    const stats = fs.fstatSync(descriptor);
    return stats.isFile() && stats.size <= bytesMax ? readWhole(descriptor, stats.size) : undefined;
  } catch {
    // As promised by the port.
    return undefined;
  } finally {
    if (descriptor !== undefined) fs.closeSync(descriptor);
  }
}

/** In one read if the file is as long as it was said to be. What it has grown by is read from where that ended. */
function readWhole(descriptor: number, size: number): Buffer {
  const buffer = Buffer.allocUnsafe(size + 1);
  const length = fs.readSync(descriptor, buffer, 0, size + 1, null);
  if (length <= size) return buffer.subarray(0, length);
  return Buffer.concat([buffer, fs.readFileSync(descriptor)]);
}

function stampEach(paths: readonly string[]): number[] {
  const stamps: number[] = [];
  for (const path of paths) pushStamp(stamps, statIfThere(path));
  return stamps;
}

function statIfThere(path: string): fs.Stats | undefined {
  try {
    return fs.statSync(at(path), { throwIfNoEntry: false });
  } catch {
    // As the port promises: a caller that needs the reason inspects the file itself.
    return undefined;
  }
}

function settled<T>(work: () => T): Promise<T> {
  try {
    return Promise.resolve(work());
  } catch (error) {
    return Promise.reject(error);
  }
}
