import * as fs from 'node:fs';
import { join } from 'node:path';
import type { DirectoryEntry, Disk, DiskFile, EntryKind, FileOpenMode, FileStat } from './disk.ts';
import { systemCode } from './errors.ts';
import { toSystemPath as at, decodeName, mayBeEscaped } from './fileNames.ts';

/** The real disk. With `blockingDisk.ts` the only importer of `node:fs`; callbacks are wrapped by hand, which costs least per operation. */
export const nodeDisk: Disk = {
  async readFile(path, inspect) {
    // Before it is opened, since some devices act when they are; a pipe can come in its place even then.
    inspect?.(await nodeDisk.stat(path));
    return readWhole(path);
  },
  readEach: (paths, bytesMax) => Promise.all(paths.map((path) => readIfSmall(path, bytesMax))),
  async readDirectory(path) {
    try {
      const entries = await withResult<fs.Dirent[]>((done) => fs.readdir(at(path), { withFileTypes: true }, done));
      if (entries.some(({ name }) => mayBeEscaped(name))) return await readByBytes(path);
      return entries.map((entry): DirectoryEntry => ({ name: entry.name, kind: toKind(entry) }));
    } catch (error) {
      if (systemCode(error) !== 'ENOENT') throw error;
      return readByName(path);
    }
  },
  lstat: (path) => withResult<fs.Stats>((done) => fs.lstat(at(path), done)).then(toFileStat),
  stat: (path) => withResult<fs.Stats>((done) => fs.stat(at(path), done)).then(toFileStat),
  stampEach,
  readLink: (path) => withResult<Buffer>((done) => fs.readlink(at(path), 'buffer', done)).then(decodeName),
  realPath: (path) => withResult((done) => fs.realpath.native(at(path), done)),
  async open(path, mode, permissions) {
    const descriptor = await withResult<number>((done) => fs.open(at(path), flags[mode], permissions ?? 0o666, done));
    if (mode === 'exclusive' && permissions !== undefined) await ensurePermissions(descriptor, permissions);
    return mode === 'appendDurably' && !writesAreDurable ? new SyncingFile(descriptor) : new NodeFile(descriptor);
  },
  async freeBytes(path) {
    const { bavail, bsize } = await withResult<fs.StatsFs>((done) => fs.statfs(at(path), done));
    return bavail * bsize;
  },
  rename: (from, to) => withoutResult((done) => fs.rename(at(from), at(to), done)),
  renameIf,
  link: (existing, path) => withoutResult((done) => fs.link(at(existing), at(path), done)),
  symlink: (target, path) => withoutResult((done) => fs.symlink(at(target), at(path), done)),
  unlink: (path) => withoutResult((done) => fs.unlink(at(path), done)),
  unlinkIf,
  makeDirectory: (path, permissions = 0o777) => withoutResult((done) => fs.mkdir(at(path), permissions, done)),
  removeDirectory: (path) => withoutResult((done) => fs.rmdir(at(path), done)),
  syncDirectory,
  changeMode: (path, permissions) => withoutResult((done) => fs.chmod(at(path), permissions, done)),
  async cloneFile(from, to) {
    const { mtimeMs } = await nodeDisk.stat(from);
    const mode = fs.constants.COPYFILE_EXCL | fs.constants.COPYFILE_FICLONE;
    await withoutResult((done) => fs.copyFile(at(from), at(to), mode, done));
    // Never rounded up to the next second, by which programs such as git tell files apart.
    const seconds = Math.floor(mtimeMs) / 1000;
    await withoutResult((done) => fs.utimes(at(to), seconds, seconds, done));
  },
};

async function readIfSmall(path: string, bytesMax: number): Promise<Buffer | undefined> {
  try {
    const { kind, size } = await nodeDisk.stat(path);
    return kind === 'file' && size <= bytesMax ? await nodeDisk.readFile(path) : undefined;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}

/** By its path, for a folder that is read by a descriptor has no bytes, and no error. */
function readWhole(path: string): Promise<Buffer> {
  return withResult((done) => fs.readFile(at(path), { flag: fileFlags }, done));
}

async function stampEach(paths: readonly string[]): Promise<number[]> {
  // As the port promises: a caller that needs the reason inspects the file itself.
  const stats = paths.map((path) => withResult<fs.Stats>((done) => fs.stat(at(path), done)).catch(() => undefined));
  const stamps: number[] = [];
  for (const one of await Promise.all(stats)) pushStamp(stamps, one);
  return stamps;
}

/** Lists a folder in which a name is not valid UTF-8. */
async function readByBytes(path: string): Promise<DirectoryEntry[]> {
  const options = { withFileTypes: true, encoding: 'buffer' } as const;
  const entries = await withResult<fs.Dirent<Buffer>[]>((done) => fs.readdir(at(path), options, done));
  return entries.map((entry): DirectoryEntry => ({ name: decodeName(entry.name), kind: toKind(entry) }));
}

/**
 * If a file system leaves a kind open, as /proc does for a process that ends, Node looks at that entry by itself and
 * fails for the whole folder when it is gone by then. Here it is left out.
 */
async function readByName(path: string): Promise<DirectoryEntry[]> {
  const names = await withResult<string[]>((done) => fs.readdir(at(path), done));
  const entries = names.map(async (name): Promise<DirectoryEntry | undefined> => {
    try {
      return { name, kind: toKind(await withResult<fs.Stats>((done) => fs.lstat(at(join(path, name)), done))) };
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return undefined;
      throw error;
    }
  });
  return (await Promise.all(entries)).filter((entry) => entry !== undefined);
}

const { O_APPEND, O_CREAT, O_DSYNC, O_EXCL, O_RDONLY, O_RDWR } = fs.constants;
/** Prevents writing through a link that was put in the place of a file; Windows has no such flag. */
const O_NOFOLLOW = fs.constants.O_NOFOLLOW ?? 0;
const O_NONBLOCK = fs.constants.O_NONBLOCK ?? 0;

/** Linux makes a write durable in the same call, which saves a trip to another thread; elsewhere the flag promises less. */
const writesAreDurable = process.platform === 'linux';

/** To open a pipe does not wait for a writer. */
// Node takes numbers wherever it takes the names of flags; its types leave that out.
const fileFlags = (O_RDONLY | O_NONBLOCK) as unknown as string;

const flags: Readonly<Record<FileOpenMode, number>> = {
  read: O_RDONLY | O_NONBLOCK,
  readItself: O_RDONLY | O_NOFOLLOW | O_NONBLOCK,
  append: O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW,
  appendDurably: O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | (writesAreDurable ? O_DSYNC : 0),
  exclusive: O_RDWR | O_CREAT | O_EXCL,
  update: O_RDWR | O_NOFOLLOW,
};

class NodeFile implements DiskFile {
  readonly #descriptor: number;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  read(buffer: Uint8Array, position: number): Promise<number> {
    return withResult((done) => fs.read(this.#descriptor, buffer, 0, buffer.byteLength, position, done));
  }

  write(data: Uint8Array): Promise<number> {
    return withResult((done) => fs.write(this.#descriptor, data, done));
  }

  sync(): Promise<void> {
    return withoutResult((done) => fs.fdatasync(this.#descriptor, done));
  }

  truncate(length: number): Promise<void> {
    return withoutResult((done) => fs.ftruncate(this.#descriptor, length, done));
  }

  async size(): Promise<number> {
    const stats = await withResult<fs.Stats>((done) => fs.fstat(this.#descriptor, done));
    return stats.size;
  }

  close(): Promise<void> {
    return withoutResult((done) => fs.close(this.#descriptor, done));
  }
}

/** For systems where a write is durable only after a sync of its own. */
class SyncingFile extends NodeFile {
  override async write(data: Uint8Array): Promise<number> {
    const count = await super.write(data);
    await this.sync();
    return count;
  }
}

/**
 * A new file gets what the umask leaves of the bits that were asked for. To look at an open file waits for no medium, and
 * done at once it costs a fiftieth of a trip to another thread.
 */
async function ensurePermissions(descriptor: number, permissions: number): Promise<void> {
  if ((fs.fstatSync(descriptor).mode & 0o777) === permissions) return;
  try {
    await withoutResult((done) => fs.fchmod(descriptor, permissions, done));
  } catch (error) {
    fs.close(descriptor, () => undefined);
    throw error;
  }
}

/** Both at once, on this thread: a trip to another one and back would leave others a fifth of a millisecond in between. */
async function renameIf(from: string, to: string, isStill: (now: FileStat | undefined) => boolean): Promise<boolean> {
  const [source, target] = [at(from), at(to)];
  const stats = fs.lstatSync(target, { throwIfNoEntry: false });
  if (!isStill(stats === undefined ? undefined : toFileStat(stats))) return false;
  fs.renameSync(source, target);
  return true;
}

/** Both at once, as in `renameIf`. */
async function unlinkIf(path: string, isStill: (now: FileStat | undefined) => boolean): Promise<boolean> {
  const name = at(path);
  const stats = fs.lstatSync(name, { throwIfNoEntry: false });
  if (!isStill(stats === undefined ? undefined : toFileStat(stats))) return false;
  fs.unlinkSync(name);
  return true;
}

/** Resolves once the folder is durable; its descriptor is closed afterwards, and no caller needs to wait for that. */
function syncDirectory(path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    fs.open(at(path), O_RDONLY, (openError, descriptor) => {
      if (openError !== null) {
        settle(openError);
        return;
      }
      fs.fsync(descriptor, (syncError) => {
        fs.close(descriptor, () => undefined);
        settle(syncError !== null && syncsNoFolders(syncError) ? null : syncError);
      });
    });
    const settle = (error: NodeJS.ErrnoException | null) => {
      // Windows can neither open nor sync a folder; NTFS journals renames by itself.
      if (error === null || (process.platform === 'win32' && (error.code === 'EPERM' || error.code === 'EINVAL'))) {
        resolve();
        return;
      }
      reject(error);
    };
  });
}

/**
 * Some network and user-space file systems do not know how to sync a folder, and say so. Their names are as durable as
 * they make them; PostgreSQL goes on there as well (`fsync_fname`). A sync that was tried and failed is EIO.
 */
function syncsNoFolders({ code }: NodeJS.ErrnoException): boolean {
  return code === 'EINVAL' || code === 'ENOTSUP' || code === 'EOPNOTSUPP';
}

export function toKind(entry: fs.Dirent | fs.Dirent<Buffer> | fs.Stats): EntryKind {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'directory';
  return entry.isSymbolicLink() ? 'symlink' : 'other';
}

export function toFileStat(stats: fs.Stats): FileStat {
  const { ino: inode, size, mtimeMs, uid: owner } = stats;
  return { kind: toKind(stats), inode, size, mtimeMs, mode: stats.mode & 0o7777, owner };
}

export function pushStamp(stamps: number[], stats: fs.Stats | undefined): void {
  if (stats === undefined) stamps.push(0, 0, 0, 0);
  else stamps.push(stats.ino, stats.size, stats.mtimeMs, stats.ctimeMs);
}

type SystemError = NodeJS.ErrnoException | null;

function withResult<T>(start: (done: (error: SystemError, value: T) => void) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    start((error, value) => {
      if (error === null) resolve(value);
      else reject(error);
    });
  });
}

function withoutResult(start: (done: (error: SystemError) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    start((error) => {
      if (error === null) resolve();
      else reject(error);
    });
  });
}
