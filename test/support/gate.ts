import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface Gate {
  /** A step of a scenario that waits until the gate is opened. */
  readonly wait: Readonly<Record<string, unknown>>;
  open(): void;
}

/** A pipe in `folder` that holds a session up until the test opens it. */
export async function makeGate(folder: string): Promise<Gate> {
  const path = join(folder, `gate-${randomUUID()}`);
  await promisify(execFile)('mkfifo', [path]);
  return { wait: { run: { command: `cat ${path}` } }, open: () => writeFileSync(path, '') };
}
