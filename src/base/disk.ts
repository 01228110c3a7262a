/** The part of the file-system port that changes nothing. Errors are Node's own (`code` ENOENT, EACCES, ENOSPC ...). */
export interface ReadingDisk {
  /** `inspect` sees what is about to be read, and can throw. A pipe without a writer reads as empty, or fails. */
  readFile(path: string, inspect?: (stat: FileStat) => void): Promise<Buffer>;
  /**
   * Reads a few small files together. A file that is not a regular file, has more bytes or cannot be read gives
   * undefined, whatever the reason: a caller that needs the reason reads the file itself.
   */
  readEach(paths: readonly string[], bytesMax: number): Promise<(Buffer | undefined)[]>;
  readDirectory(path: string): Promise<DirectoryEntry[]>;
  /** Does not follow a final symlink. */
  lstat(path: string): Promise<FileStat>;
  /** Follows symlinks. */
  stat(path: string): Promise<FileStat>;
  /** The stamps of a few files, one after the other. */
  stampEach(paths: readonly string[]): Promise<FileStamps>;
  readLink(path: string): Promise<string>;
  realPath(path: string): Promise<string>;
}

/**
 * The file-system port. Every durable effect of the program goes through it, so that each single operation can be
 * traced, failed, or made the last one before a crash.
 */
export interface Disk extends ReadingDisk {
  /** What this user may still write on the file system of `path`. */
  freeBytes(path: string): Promise<number>;
  /** A file made by `exclusive` gets exactly `permissions`; without them, and by `append`, what the umask leaves. */
  open(path: string, mode: FileOpenMode, permissions?: number): Promise<DiskFile>;
  rename(from: string, to: string): Promise<void>;
  /**
   * Renames only if `isStill` says so of what has the name `to` (undefined: nothing; a link is not followed), and
   * whether it did. The look and the rename are one step, with nothing of this process between them.
   */
  renameIf(from: string, to: string, isStill: (now: FileStat | undefined) => boolean): Promise<boolean>;
  /** Hard link; fails with EEXIST when `path` is taken, which makes it the atomic "take if free". */
  link(existing: string, path: string): Promise<void>;
  symlink(target: string, path: string): Promise<void>;
  unlink(path: string): Promise<void>;
  /** As `renameIf`, for the removal of a file or a link: whether it was removed. */
  unlinkIf(path: string, isStill: (now: FileStat | undefined) => boolean): Promise<boolean>;
  makeDirectory(path: string, permissions?: number): Promise<void>;
  removeDirectory(path: string): Promise<void>;
  /** Makes renames, links and unlinks inside `path` durable. */
  syncDirectory(path: string): Promise<void>;
  changeMode(path: string, permissions: number): Promise<void>;
  /**
   * A copy of a regular file with its permissions and, to the millisecond, its time of modification. Both share their blocks
   * if the file system can, until one of them is written. Fails with EEXIST when `to` is taken. Nothing of it is synced.
   */
  cloneFile(from: string, to: string): Promise<void>;
}

/**
 * `read` existing; `append` create or extend; `appendDurably` as `append`, and each write is on the medium once it
 * resolves, as if synced; `exclusive` create, fails with EEXIST; `update` read and write existing; `readItself` as `read`,
 * and never waits for the other end of a pipe. Only `read` follows a final symlink; the others fail with ELOOP.
 */
export type FileOpenMode = 'read' | 'readItself' | 'append' | 'appendDurably' | 'exclusive' | 'update';

export interface DiskFile {
  /** Returns the number of bytes read; 0 at the end. */
  read(buffer: Uint8Array, position: number): Promise<number>;
  /** Returns the number of bytes written, which on a full disk can be fewer than asked, without an error. */
  write(data: Uint8Array): Promise<number>;
  /** Data and size on the medium (fdatasync). After a failure the file must be re-opened and verified. */
  sync(): Promise<void>;
  truncate(length: number): Promise<void>;
  size(): Promise<number>;
  close(): Promise<void>;
}

export type EntryKind = 'file' | 'directory' | 'symlink' | 'other';

export interface DirectoryEntry {
  readonly name: string;
  readonly kind: EntryKind;
}

export interface FileStat {
  readonly kind: EntryKind;
  /** Another number for another file of the same name. */
  readonly inode: number;
  readonly size: number;
  readonly mtimeMs: number;
  /** Permission bits. */
  readonly mode: number;
  /** Number of the user who has it; 0 where the system has no such numbers. */
  readonly owner: number;
}

/**
 * Four numbers for each file, which change when its content does: inode (another file was renamed over it), size,
 * modification time, and the time the system last recorded a change, which no program can set; times in milliseconds.
 * Zeroes stand for a file that cannot be inspected, whatever the reason.
 */
export type FileStamps = ArrayLike<number>;
