import { randomBytes } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import type { Disk } from './disk.ts';
import { fileError, lacksHardLinks, toDiskError } from './diskErrors.ts';
import { systemCode } from './errors.ts';
import { writeFully } from './files.ts';

/**
 * Creates a file that did not exist, whole and durable, and returns whether it did: of several callers that try at once
 * exactly one gets true, and after a crash either no caller got true or the file exists. Without `permissions` it has the
 * usual ones. Throws `disk/full`, `disk/denied`, `disk/failed` or `disk/noLinks`.
 */
export async function createExclusive(disk: Disk, path: string, text: string, permissions?: number): Promise<boolean> {
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    const file = await disk.open(temporary, 'exclusive', permissions);
    try {
      await writeFully(file, Buffer.from(text));
      await file.sync();
    } finally {
      await file.close();
    }
    return await link(disk, temporary, path);
  } catch (error) {
    throw toDiskError(error, path, 'write');
  } finally {
    // A stale file does no harm, and whether the file was made matters more.
    await disk.unlink(temporary).catch(() => undefined);
  }
}

/** The name appears with its content; false if another file already has the name. */
async function link(disk: Disk, temporary: string, path: string): Promise<boolean> {
  try {
    await disk.link(temporary, path);
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw lacksHardLinks(error) ? withoutLinks(path, error) : error;
  }
  await disk.syncDirectory(dirname(path));
  return true;
}

/** Of a file that is made in any other way, two processes could each believe that they made it. */
export function withoutLinks(path: string, cause: unknown) {
  return fileError('disk/noLinks', path, `The file system of ${path} makes no hard links, which Ravel needs to lock.`, {
    help: 'Move the vault to a file system with hard links, such as ext4, APFS or NTFS; exFAT and some network mounts have none.',
    cause,
  });
}
