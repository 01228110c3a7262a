import type { Server } from 'node:net';
import { dirname } from 'node:path';
import type { Disk } from '../base/disk.ts';
import { messageOf, systemCode } from '../base/errors.ts';
import { failure } from '../model/codes.ts';
import { isPipe, socketPathBytesMax } from './socketPath.ts';

/** A folder that only this user can enter, without a stale socket in it. */
export async function makeSocketRoom(disk: Disk, socketPath: string): Promise<void> {
  if (isPipe(socketPath)) return;
  // Node would listen at the beginning of a longer path.
  if (Buffer.byteLength(socketPath) > socketPathBytesMax) {
    throw listenFailure(socketPath, new Error(`its path has more than ${socketPathBytesMax} bytes`));
  }
  const folder = dirname(socketPath);
  try {
    await disk.makeDirectory(folder, 0o700).catch(ignoring('EEXIST'));
    const { kind } = await disk.lstat(folder);
    // A link could lead to a folder that others may enter.
    if (kind !== 'directory') throw new Error(`${folder} is not a folder of its own`);
    // Fails if the folder belongs to another user, who could read along.
    await disk.changeMode(folder, 0o700);
    await disk.unlink(socketPath).catch(ignoring('ENOENT'));
  } catch (error) {
    throw listenFailure(socketPath, error);
  }
}

/** Listens at a socket that only this user may connect to. */
export async function listenAt(server: Server, socketPath: string, disk: Disk): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(listenFailure(socketPath, error)));
    server.listen(socketPath, resolve);
  });
  if (!isPipe(socketPath)) await disk.changeMode(socketPath, 0o600);
}

function ignoring(code: string): (error: unknown) => void {
  return (error) => {
    if (systemCode(error) !== code) throw error;
  };
}

function listenFailure(socketPath: string, cause: unknown) {
  const denied = ['EACCES', 'EPERM', 'EROFS'].includes(systemCode(cause) ?? '');
  const message = `The socket ${socketPath} cannot be made: ${messageOf(cause)}.`;
  return failure(denied ? 'disk/denied' : 'disk/failed', socketPath, message, { cause });
}
