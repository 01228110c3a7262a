import { fileURLToPath } from 'node:url';

/** Absolute path of the bundled command line, for tests that start it as a process. */
export function commandLinePath(): string {
  return fileURLToPath(new URL('../../dist/ravel.mjs', import.meta.url));
}
