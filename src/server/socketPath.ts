import { join } from 'node:path';

/** The longest path of a socket that every supported system takes (104 bytes with the closing zero on macOS). */
export const socketPathBytesMax = 100;

/** What a path outside the vault is made of; `hash` is a digest of the vault's path, at least 12 characters. */
export interface SocketFallback {
  readonly platform: string;
  readonly temporaryDirectory: string;
  readonly userId: number;
  readonly hash: string;
}

/**
 * Where the owner listens: in the vault, or, if that path is too long for the system, in a short folder of this user
 * under the temporary directory; on Windows a named pipe. A client reads the choice from the lock file.
 */
export function chooseSocketPath(preferred: string, fallback: SocketFallback): string {
  const hash = fallback.hash.slice(0, 12);
  if (fallback.platform === 'win32') return `\\\\.\\pipe\\ravel-${hash}`;
  if (Buffer.byteLength(preferred) <= socketPathBytesMax) return preferred;
  return join(fallback.temporaryDirectory, `ravel-${fallback.userId}-${hash}`, 's');
}

/** A named pipe has neither a folder nor permissions. */
export function isPipe(socketPath: string): boolean {
  return socketPath.startsWith('\\\\.\\pipe\\');
}
