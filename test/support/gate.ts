import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface Gate {
  /** A step of a scenario that waits until the gate is opened. */
  readonly wait: Readonly<Record<string, unknown>>;
  /** The pipe, for a program that waits by reading it. */
  readonly path: string;
  open(): void;
}

/** A pipe in `folder` that holds a session up until the test opens it. */
export async function makeGate(folder: string): Promise<Gate> {
  const path = join(folder, `gate-${randomUUID()}`);
  await promisify(execFile)('mkfifo', [path]);
  // A pipe opens only once it has a reader. To wait for that here would keep the owner, in this process, from
  // answering the session that is about to read.
  const open = () =>
    writeFile(path, '', (error) => {
      if (error !== null) throw error;
    });
  return { path, wait: { run: { command: `cat ${path}` } }, open };
}
