import { defined } from './defined.ts';
import type { DirectoryEntry, Disk } from './disk.ts';
import { messageOf, type Range, RavelError, systemCode } from './errors.ts';

export type DiskOperation = 'read' | 'write' | 'make' | 'remove';

/** The diagnostic error for what the operating system said about `path`; errors of our own pass through. */
export function toDiskError(error: unknown, path: string, operation: DiskOperation): RavelError {
  if (error instanceof RavelError) return error;
  const code = systemCode(error) ?? '';
  const failed = `could not be ${participles[operation]}`;
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return fileError('disk/full', path, `The disk is full; ${path} ${failed}.`, {
      help: 'Free some space and try again; what was there before is unchanged.',
      cause: error,
    });
  }
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return fileError('disk/denied', path, `No permission: ${path} ${failed}.`, {
      help: 'Give yourself access to the file and its folder, then try again.',
      cause: error,
    });
  }
  return fileError('disk/failed', path, `${path} ${failed}: ${messageOf(error)}.`, {
    help: 'Fix the cause that the operating system gives, then try again.',
    cause: error,
  });
}

/** Does `work`; what the system says of it is thrown as `toDiskError` puts it. */
export async function attempt<T>(path: string, operation: DiskOperation, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toDiskError(error, path, operation);
  }
}

/** Whether the system said that nothing is there: no such name, or a file where a folder should be. */
export function isAbsent(error: unknown): boolean {
  const code = systemCode(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** As `isAbsent`, or a symlink that leads back to itself. */
export function leadsNowhere(error: unknown): boolean {
  return isAbsent(error) || systemCode(error) === 'ELOOP';
}

/** As `isAbsent`, or a name too long for anything to bear it. */
export function namesNothing(error: unknown): boolean {
  return isAbsent(error) || systemCode(error) === 'ENAMETOOLONG';
}

/** Whether a hard link failed since the file system has none, as exFAT and some mounts. */
export function lacksHardLinks(error: unknown): boolean {
  return ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(systemCode(error) ?? '');
}

/** What `read` finds; undefined if nothing is there. What else the system says is thrown as `toDiskError` puts it. */
export async function ifThere<T>(path: string, read: () => Promise<T>, isNothing = isAbsent): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (isNothing(error)) return undefined;
    throw toDiskError(error, path, 'read');
  }
}

/** What is in a folder; nothing if there is none. What else the system says is thrown as `toDiskError` puts it. */
export async function listIfThere(
  disk: Pick<Disk, 'readDirectory'>,
  folder: string,
  isNothing = isAbsent,
): Promise<readonly DirectoryEntry[]> {
  return (await ifThere(folder, () => disk.readDirectory(folder), isNothing)) ?? [];
}

export interface FileErrorDetails {
  readonly help: string;
  readonly cause?: unknown;
  readonly range?: Range;
}

/** An error about one file, which is its subject. */
export function fileError(code: string, path: string, message: string, details: FileErrorDetails): RavelError {
  const { help, cause, range } = details;
  return new RavelError(
    { code, severity: 'error', message, subject: path, help, file: path, ...defined({ range }) },
    cause === undefined ? undefined : { cause },
  );
}

/** The file was saved after the caller read it. */
export function changedMeanwhile(path: string): RavelError {
  return fileError('yaml/changedMeanwhile', path, `${path} was changed meanwhile and is left as it is.`, {
    help: 'Another program saved the file at the same moment. Repeat the change on the new content.',
  });
}

const participles: Readonly<Record<DiskOperation, string>> = {
  read: 'read',
  write: 'written',
  make: 'made',
  remove: 'removed',
};
