import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface Gate {
  /** A step of a scenario that waits until the gate is opened. */
  readonly wait: Readonly<Record<string, unknown>>;
  open(): void;
}

export interface Pipe extends Gate {
  /** The pipe, for a program that waits by reading it. */
  readonly path: string;
}

/** Holds a session of the scripted harness up, in any phase, until the test opens it; `folder` is for its file. */
export async function makeGate(folder: string): Promise<Gate> {
  const path = join(folder, `gate-${randomUUID()}`);
  return { wait: { wait: { for: path } }, open: () => writeFile(path, '', throwIfFailed) };
}

/** A pipe in `folder` that holds up a program which reads it, such as a command of a work session. */
export async function makePipe(folder: string): Promise<Pipe> {
  const path = join(folder, `gate-${randomUUID()}`);
  await promisify(execFile)('mkfifo', [path]);
  // A pipe opens only once it has a reader. To wait for that here would keep the owner, in this process, from
  // answering the session that is about to read.
  return { path, wait: { run: { command: `cat ${path}` } }, open: () => writeFile(path, '', throwIfFailed) };
}

function throwIfFailed(error: NodeJS.ErrnoException | null): void {
  if (error !== null) throw error;
}
