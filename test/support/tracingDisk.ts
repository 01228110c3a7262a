import type { Disk, DiskFile } from '../../src/base/disk.ts';

type FileOperation = `file.${Exclude<keyof DiskFile, symbol>}`;

/** Every single thing that can be asked of a disk, handles included. */
export type DiskOperationName = Exclude<keyof Disk, symbol> | FileOperation;

/** Between two of these the disk stays as it is, so an end at a reading operation is the end at the next of them. */
export const diskChanges: ReadonlySet<DiskOperationName> = new Set([
  'file.write',
  'file.sync',
  'file.truncate',
  'rename',
  'link',
  'symlink',
  'unlink',
  'makeDirectory',
  'removeDirectory',
  'syncDirectory',
  'changeMode',
  'cloneFile',
]);

/** Called before operation `n` (from 1). May throw a system error in its place, or never return. */
export type OnOperation = (n: number, name: DiskOperationName, path: string) => void | Promise<void>;

export interface TracedDisk extends Disk {
  /** How many operations were asked for until now. */
  operationCount(): number;
}

/** A disk that tells of each operation before it does it. Operations on an open file carry the path it was opened by. */
export function traceDisk(disk: Disk, onOperation: OnOperation): TracedDisk {
  let count = 0;
  const tell = async (name: DiskOperationName, path: string): Promise<void> => {
    count++;
    await onOperation(count, name, path);
  };
  const traced =
    <A extends readonly unknown[], R>(name: DiskOperationName, path: string, work: (...input: A) => Promise<R>) =>
    async (...input: A): Promise<R> => {
      await tell(name, path);
      return work(...input);
    };
  const onPath =
    <A extends readonly unknown[], R>(name: DiskOperationName, work: (path: string, ...rest: A) => Promise<R>) =>
    async (path: string, ...rest: A): Promise<R> => {
      await tell(name, path);
      return work(path, ...rest);
    };
  const traceFile = (file: DiskFile, path: string): DiskFile => ({
    read: traced('file.read', path, (buffer: Uint8Array, position: number) => file.read(buffer, position)),
    write: traced('file.write', path, (data: Uint8Array) => file.write(data)),
    sync: traced('file.sync', path, () => file.sync()),
    truncate: traced('file.truncate', path, (length: number) => file.truncate(length)),
    size: traced('file.size', path, () => file.size()),
    close: traced('file.close', path, () => file.close()),
  });
  return {
    operationCount: () => count,
    readFile: onPath('readFile', disk.readFile),
    readEach: async (paths, bytesMax) => {
      const readable: boolean[] = [];
      // As on a real disk: what cannot be read here is left for a read of its own to name.
      for (const path of paths)
        readable.push(
          await tell('readEach', path).then(
            () => true,
            () => false,
          ),
        );
      const texts = await disk.readEach(paths, bytesMax);
      return texts.map((text, at) => (readable[at] ? text : undefined));
    },
    readDirectory: onPath('readDirectory', disk.readDirectory),
    lstat: onPath('lstat', disk.lstat),
    stat: onPath('stat', disk.stat),
    stampEach: async (paths) => {
      await tell('stampEach', paths[0] ?? '');
      return disk.stampEach(paths);
    },
    readLink: onPath('readLink', disk.readLink),
    realPath: onPath('realPath', disk.realPath),
    open: async (path, mode, permissions) => {
      await tell('open', path);
      return traceFile(await disk.open(path, mode, permissions), path);
    },
    freeBytes: onPath('freeBytes', disk.freeBytes),
    rename: onPath('rename', disk.rename),
    // A rename as well, for code that counts or fails them.
    renameIf: onPath('rename', disk.renameIf),
    link: onPath('link', disk.link),
    symlink: onPath('symlink', disk.symlink),
    unlink: onPath('unlink', disk.unlink),
    unlinkIf: onPath('unlink', disk.unlinkIf),
    makeDirectory: onPath('makeDirectory', disk.makeDirectory),
    removeDirectory: onPath('removeDirectory', disk.removeDirectory),
    syncDirectory: onPath('syncDirectory', disk.syncDirectory),
    changeMode: onPath('changeMode', disk.changeMode),
    cloneFile: onPath('cloneFile', disk.cloneFile),
  };
}

export interface DiskFault {
  /** A system error code such as EIO. */
  readonly code: string;
  /** Which of the matching operations fails, from 1; it alone unless `forEver`. */
  readonly at: number;
  readonly matches?: (name: DiskOperationName, path: string) => boolean;
  readonly forEver?: boolean;
}

/** A disk whose n-th matching operation fails. */
export function failingDisk(disk: Disk, fault: DiskFault): TracedDisk {
  let matching = 0;
  return traceDisk(disk, (_n, name, path) => {
    if (fault.matches !== undefined && !fault.matches(name, path)) return;
    matching++;
    if (matching === fault.at || (fault.forEver === true && matching > fault.at)) throw systemError(fault.code);
  });
}

/**
 * A disk that is full after `bytes` more: the write that hits the limit comes back short, and the next one fails. Files
 * that `isLimited` does not name have room for ever.
 */
export function shortWritingDisk(disk: Disk, bytes: number, isLimited: (path: string) => boolean = () => true): Disk {
  let left = bytes;
  return {
    ...disk,
    open: async (path, mode, permissions) => {
      const file = await disk.open(path, mode, permissions);
      const write = async (data: Uint8Array): Promise<number> => {
        if (!isLimited(path)) return file.write(data);
        if (left === 0) throw systemError('ENOSPC');
        const count = await file.write(data.subarray(0, left));
        left -= count;
        return count;
      };
      return {
        read: (buffer, position) => file.read(buffer, position),
        write,
        sync: () => file.sync(),
        truncate: (length) => file.truncate(length),
        size: () => file.size(),
        close: () => file.close(),
      };
    },
  };
}

export function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: made by a test`), { code });
}
