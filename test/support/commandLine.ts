import { fileURLToPath } from 'node:url';
import { inject } from 'vitest';

/** Absolute path of the bundled command line, for tests that start it as a process. */
export function commandLinePath(): string {
  const problem = inject('buildProblem');
  if (problem !== '') throw new Error(`the command line could not be bundled: ${problem}`);
  return fileURLToPath(new URL('../../dist/ravel.mjs', import.meta.url));
}
