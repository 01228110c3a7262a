import { isUtf8 } from 'node:buffer';
import { createHash, randomBytes } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { assert } from './assert.ts';
import type { Disk, DiskFile, EntryKind, FileStat, ReadingDisk } from './disk.ts';
import { attempt, changedMeanwhile, fileError, ifThere, isAbsent, toDiskError } from './diskErrors.ts';
import { type RavelError, systemCode } from './errors.ts';
import { replaceSeen, type Seen } from './seenFile.ts';

/** Hexadecimal, 64 characters. */
export function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

/** Whether anything has this name; a dangling symlink does. */
export async function exists(disk: ReadingDisk, path: string): Promise<boolean> {
  return (await lstatIfExists(disk, path)) !== undefined;
}

export interface ReadOptions {
  readonly bytesMax?: number;
}

/**
 * The text of a file in strict UTF-8; a byte order mark stays in it. Throws `yaml/encoding` with the first bad byte,
 * `disk/tooLarge`, `disk/denied` or `disk/failed`.
 */
export async function readText(disk: ReadingDisk, path: string, options: ReadOptions = {}): Promise<string> {
  try {
    return decodeText(path, await readBytes(disk, path, options.bytesMax));
  } catch (error) {
    throw toDiskError(error, path, 'read');
  }
}

/** As `readText`; undefined if there is no such file. */
export async function readTextIfExists(
  disk: ReadingDisk,
  path: string,
  options: ReadOptions = {},
): Promise<string | undefined> {
  const bytes = await readBytesIfExists(disk, path, options.bytesMax);
  return bytes === undefined ? undefined : decodeText(path, bytes);
}

/** The first bytes of a regular file, and how many it has. */
export interface FileBeginning {
  readonly bytes: Buffer;
  readonly size: number;
}

/**
 * The first `bytesMax` bytes of a file that other programs can replace at any time. If the path is not a regular file
 * (a link, for example), returns its kind instead; if nothing is there, undefined. Neither follows a link nor waits for
 * a pipe. Errors are Node's own.
 */
export async function readBeginning(
  disk: Disk,
  path: string,
  bytesMax: number,
): Promise<FileBeginning | Exclude<EntryKind, 'file'> | undefined> {
  const stat = await lstatIfExists(disk, path);
  if (stat === undefined) return undefined;
  if (stat.kind !== 'file') return stat.kind;
  const file = await disk.open(path, 'readItself');
  try {
    const size = await file.size();
    const buffer = Buffer.alloc(Math.min(size, bytesMax));
    let length = 0;
    for (let count = -1; count !== 0 && length < buffer.length; length += count)
      count = await file.read(buffer.subarray(length), length);
    return { bytes: buffer.subarray(0, length), size };
  } finally {
    await file.close();
  }
}

/** Bytes that are read at once. */
const chunkBytes = 256 * 1024;

/**
 * The SHA-256 of a regular file that others can replace at any time, of the bytes it has when it is opened, and never all
 * of them in memory. Neither follows a link nor waits for a pipe. Errors are Node's own.
 */
export async function hashFile(disk: Disk, path: string): Promise<string> {
  const file = await disk.open(path, 'readItself');
  try {
    const hash = createHash('sha256');
    for await (const chunk of readChunks(file, await file.size())) hash.update(chunk);
    return hash.digest('hex');
  } finally {
    await file.close();
  }
}

/**
 * The first `length` bytes of a file, a piece at a time, or what it has of them: one that grows without end would be read
 * without end. Each piece holds until the next one is asked for.
 */
export async function* readChunks(
  file: Pick<DiskFile, 'read'>,
  length: number,
): AsyncGenerator<Buffer, void, undefined> {
  const buffer = Buffer.alloc(Math.min(length, chunkBytes));
  for (let at = 0, count = -1; count !== 0 && at < length; at += count) {
    count = await file.read(buffer.subarray(0, length - at), at);
    yield buffer.subarray(0, count);
  }
}

export interface WriteOptions {
  /** Permission bits of the file; without it an existing file keeps its own, and a new one gets the usual. */
  readonly permissions?: number;
  /** Makes the temporary file's name unique in its folder. */
  readonly randomSuffix?: () => string;
  /** A symlink in the file's place is replaced itself; otherwise it is refused, for a person may mean what it leads to. */
  readonly replacesLink?: boolean;
}

/**
 * Replaces a file's content, all or nothing, also over a power cut: once this resolves, the new content is there to stay.
 * `path` must not be a symlink; a caller that means its target resolves it first. Throws `disk/full`, `disk/denied` or
 * `disk/failed`; the file is then as before, or whole and new if only the last sync failed.
 */
export async function writeAtomic(
  disk: Disk,
  path: string,
  data: string | Uint8Array,
  options: WriteOptions = {},
): Promise<void> {
  await replaceFile({ disk, path, data, options });
}

/**
 * As `writeAtomic`, but only if the file still has the content that the caller saw (undefined: is still absent).
 * Otherwise throws `yaml/changedMeanwhile` and writes nothing.
 */
export async function writeAtomicIf(
  disk: Disk,
  path: string,
  expectedSha256: string | undefined,
  data: string | Uint8Array,
): Promise<void> {
  const isSeen: Seen = (bytes) => (bytes === undefined ? undefined : sha256(bytes)) === expectedSha256;
  await replaceFile({ disk, path, data, options: {}, isSeen });
}

/**
 * Removes a file durably, but only if it still has the content that the caller saw; otherwise throws
 * `yaml/changedMeanwhile`. A missing file is fine; anything but a regular file is refused with `disk/failed`.
 */
export async function removeFileIf(disk: Disk, path: string, expectedSha256: string): Promise<void> {
  const existing = await lstatIfExists(disk, path);
  if (existing === undefined) return;
  refuseUnlessFile(path, existing, 'removed');
  const bytes = await readBytesIfExists(disk, path);
  if (bytes === undefined) return;
  if (sha256(bytes) !== expectedSha256) throw changedMeanwhile(path);
  await removeFile(disk, path);
}

/** Removes a file durably, or the symlink in its place; a missing one is fine. */
export async function removeFile(disk: Disk, path: string): Promise<void> {
  const unlessAbsent = (error: unknown) => {
    if (!isAbsent(error)) throw toDiskError(error, path, 'remove');
  };
  await disk.unlink(path).catch(unlessAbsent);
  // Also if the file is gone already: its removal may have failed at this.
  await disk.syncDirectory(dirname(path)).catch(unlessAbsent);
}

/** A durable copy of one regular file with its permission bits; whatever `to` was is replaced as in `writeAtomic`. */
export async function copyFileAtomic(disk: Disk, from: string, to: string): Promise<void> {
  const { mode } = await attempt(from, 'read', () => disk.stat(from));
  const bytes = await attempt(from, 'read', () => readBytes(disk, from));
  await writeAtomic(disk, to, bytes, { permissions: mode & 0o777 });
}

const temporaryName = /^\..+\.[0-9a-z]+\.tmp$/;

/** Whether a file is the temporary file of a write that a crash cut short; it may be removed. */
export function isTemporaryName(name: string): boolean {
  return temporaryName.test(name);
}

/**
 * Makes a folder and those above it, durably; `permissions` apply to each one made. Throws `disk/full`, `disk/denied` or
 * `disk/failed`, even if only the last sync failed and the folder is there.
 */
export async function ensureDirectory(disk: Disk, path: string, permissions?: number): Promise<void> {
  const parent = dirname(path);
  try {
    await disk.makeDirectory(path, permissions);
  } catch (error) {
    if (systemCode(error) === 'ENOENT' && parent !== path) {
      await ensureDirectory(disk, parent, permissions);
      await ensureDirectory(disk, path, permissions);
      return;
    }
    const isThere = (await statIfExists(disk, path))?.kind === 'directory';
    if (!isThere) throw toDiskError(error, path, 'make');
    return;
  }
  try {
    await disk.syncDirectory(parent);
  } catch (error) {
    throw toDiskError(error, path, 'make');
  }
}

/**
 * Removes a file or a whole folder; symlinks are removed, never followed. Missing is fine. A folder below that its owner
 * may not write in, or look into, is opened to them first.
 */
export async function removeTree(disk: Disk, path: string): Promise<void> {
  try {
    const stat = await lstatIfExists(disk, path);
    if (stat === undefined) return;
    if (stat.kind !== 'directory') {
      await disk.unlink(path);
      return;
    }
    // If this is refused, what follows says so.
    if ((stat.mode & 0o700) !== 0o700) await disk.changeMode(path, stat.mode | 0o700).catch(() => undefined);
    for (const entry of await disk.readDirectory(path)) await removeTree(disk, join(path, entry.name));
    await disk.removeDirectory(path);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw toDiskError(error, path, 'remove');
  }
}

/** Folders read at the same time; more gains nothing, and without a bound a large tree runs out of descriptors. */
const walkersMax = 8;

/**
 * The regular files below a folder as sorted relative paths with `/`. Symlinks are neither followed nor listed; what
 * disappears during the walk is left out. Throws when the folder itself cannot be read.
 */
export async function walkFiles(disk: Disk, directory: string): Promise<string[]> {
  const files: string[] = [];
  const pending: string[] = [];
  const visit = async (relative: string): Promise<void> => {
    for (const entry of await readFolder(disk, directory, relative)) {
      const path = relative === '' ? entry.name : `${relative}/${entry.name}`;
      if (entry.kind === 'file') files.push(path);
      if (entry.kind === 'directory') pending.push(path);
    }
  };
  await visit('');
  while (pending.length > 0) await Promise.all(pending.splice(-walkersMax).map(visit));
  return files.sort();
}

/** Writes everything, whatever counts the system returns; a count of 0 is a full disk. */
export async function writeFully(file: DiskFile, data: Uint8Array): Promise<void> {
  let rest = data;
  while (rest.byteLength > 0) {
    const count = await file.write(rest);
    assert(count >= 0 && count <= rest.byteLength, 'a write returns how much of its data it took');
    if (count === 0) throw Object.assign(new Error('no byte could be written'), { code: 'ENOSPC' });
    rest = rest.subarray(count);
  }
}

interface Replacement {
  readonly disk: Disk;
  readonly path: string;
  readonly data: string | Uint8Array;
  readonly options: WriteOptions;
  readonly isSeen?: Seen;
}

async function replaceFile(replacement: Replacement): Promise<void> {
  const { disk, path, options } = replacement;
  try {
    const existing = await lstatIfExists(disk, path);
    const isLink = existing?.kind === 'symlink';
    if (existing !== undefined && !(isLink && options.replacesLink === true)) {
      refuseUnlessFile(path, existing, 'replaced by a file');
    }
    const suffix = (options.randomSuffix ?? defaultSuffix)();
    const temporary = join(dirname(path), `.${basename(path)}.${suffix}.tmp`);
    const permissions = options.permissions ?? (existing === undefined || isLink ? undefined : existing.mode & 0o777);
    const file = await disk.open(temporary, 'exclusive', permissions);
    await fillAndRename(file, temporary, replacement);
    await disk.syncDirectory(dirname(path));
  } catch (error) {
    throw toDiskError(error, path, 'write');
  }
}

async function fillAndRename(file: DiskFile, temporary: string, replacement: Replacement): Promise<void> {
  const { disk, path, data, isSeen } = replacement;
  let closed: Promise<void> | undefined;
  try {
    await writeFully(file, typeof data === 'string' ? Buffer.from(data) : data);
    await file.sync();
    if (isSeen !== undefined) {
      closed = file.close();
      await closed;
      return await replaceSeen(disk, temporary, path, isSeen);
    }
    // Neither needs the other, and each is a trip to another thread and back.
    const renamed = disk.rename(temporary, path);
    closed = file.close();
    await bothDone(renamed, closed);
  } catch (error) {
    // A stale file does no harm, and what went wrong first is what the caller wants to know.
    await (closed ?? file.close()).catch(() => undefined);
    await disk.unlink(temporary).catch(() => undefined);
    throw error;
  }
}

/** Waits for both even when one fails, so that nothing is still at work on a file that is being cleaned up. */
async function bothDone(first: Promise<void>, second: Promise<void>): Promise<void> {
  for (const outcome of await Promise.allSettled([first, second])) {
    if (outcome.status === 'rejected') throw outcome.reason;
  }
}

/** Only a regular file is written over or removed; what a symlink leads to is not ours to guess. */
export function refuseUnlessFile(path: string, existing: FileStat, done: string): void {
  if (existing.kind === 'file') return;
  const what = existing.kind === 'other' ? 'no regular file' : `a ${existing.kind}`;
  throw fileError('disk/failed', path, `${path} is ${what} and is not ${done}.`, {
    help: existing.kind === 'symlink' ? 'Put the file that it leads to in its place.' : 'Move it away first.',
  });
}

async function readBytesIfExists(disk: ReadingDisk, path: string, bytesMax?: number): Promise<Buffer | undefined> {
  try {
    return await readBytes(disk, path, bytesMax);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw toDiskError(error, path, 'read');
  }
}

async function readBytes(disk: ReadingDisk, path: string, bytesMax = Number.POSITIVE_INFINITY): Promise<Buffer> {
  const bytes = await disk.readFile(path, ({ kind, size }) => {
    if (kind !== 'file') {
      const what = kind === 'directory' ? 'a folder' : 'no regular file';
      throw fileError('disk/failed', path, `${path} is ${what}; a file was expected.`, { help: 'Move it away.' });
    }
    if (size > bytesMax) throw tooLarge(path, size, bytesMax);
  });
  if (bytes.length > bytesMax) throw tooLarge(path, bytes.length, bytesMax);
  return bytes;
}

function tooLarge(path: string, size: number, bytesMax: number): RavelError {
  return fileError('disk/tooLarge', path, `${path} has ${size} bytes; at most ${bytesMax} are read.`, {
    help: 'Split the file, or move old records to an archive file.',
  });
}

function decodeText(path: string, bytes: Buffer): string {
  const text = bytes.toString('utf8');
  if (isUtf8(bytes)) return text;
  const offset = firstInvalidByte(bytes, text);
  const line = countLines(bytes.subarray(0, offset));
  const start = { line, character: 0 };
  throw fileError(
    'yaml/encoding',
    path,
    `${path} is not UTF-8: the byte at offset ${offset}, on line ${line + 1}, is invalid.`,
    { help: 'Save the file as UTF-8.', range: { start, end: start } },
  );
}

/** Decoding replaced the bad sequence by U+FFFD, so encoding again differs from there on. */
function firstInvalidByte(bytes: Buffer, text: string): number {
  const encoded = Buffer.from(text);
  let offset = 0;
  while (offset < bytes.length && bytes[offset] === encoded[offset]) offset++;
  // The replacement may share its first bytes with the bad sequence; go back to where the sequence starts.
  while (offset > 0 && ((encoded[offset] ?? 0) & 0xc0) === 0x80) offset--;
  return offset;
}

function countLines(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) lines++;
  return lines;
}

async function readFolder(disk: Disk, directory: string, relative: string) {
  const path = relative === '' ? directory : join(directory, relative);
  try {
    return await disk.readDirectory(path);
  } catch (error) {
    if (isAbsent(error) && relative !== '') return [];
    throw toDiskError(error, path, 'read');
  }
}

async function lstatIfExists(disk: ReadingDisk, path: string): Promise<FileStat | undefined> {
  return ifThere(path, () => disk.lstat(path), isMissing);
}

async function statIfExists(disk: Disk, path: string): Promise<FileStat | undefined> {
  return ifThere(path, () => disk.stat(path), isMissing);
}

/** A file in the place of a folder above counts as an error here, unlike with `isAbsent`. */
function isMissing(error: unknown): boolean {
  return systemCode(error) === 'ENOENT';
}

function defaultSuffix(): string {
  return randomBytes(6).toString('hex');
}
