import type { ChildProcess } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { spawnProgram } from './spawnProgram.ts';

/** A shell that leads a group, runs the script and prints `up` when it is ready. */
export async function startGroup(
  script: string,
  environment: Record<string, string>,
): Promise<ChildProcess & { pid: number }> {
  const env = { PATH: process.env['PATH'], ...environment };
  const child = spawnProgram('/bin/sh', ['-c', script], { detached: true, env });
  onTestFinished(() => {
    try {
      process.kill(-(child.pid ?? 0), 'SIGKILL');
    } catch {
      // Gone, as most tests want it.
    }
  });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  if (child.pid === undefined) throw new Error('the shell did not start');
  return Object.assign(child, { pid: child.pid });
}
