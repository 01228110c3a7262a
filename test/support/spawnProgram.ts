import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

/**
 * Starts a program whose input and output the test has, and whose errors are printed with those of the tests. It does not
 * get the stream itself: the run could not end until each process that inherited it has ended.
 */
export function spawnProgram(
  program: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv; readonly detached?: boolean } = {},
): ChildProcessByStdio<Writable, Readable, Readable> {
  const child = spawn(program, args, { ...options, stdio: ['pipe', 'pipe', 'pipe'] });
  child.stderr.on('data', (chunk: Buffer) => process.stderr.write(chunk));
  return child;
}
