import { spawn as systemSpawn } from 'node:child_process';
import type { Clock } from '../base/clock.ts';
import type { Spawn } from '../base/processes.ts';
import { OutputHead } from '../base/processOutput.ts';
import { runProcess } from '../base/runProcess.ts';

export interface SecretCommand {
  readonly program: string;
  readonly args: readonly string[];
}

export interface SecretCommandPorts {
  readonly clock: Clock;
  /** The program is the person's own, such as a password manager, and has all of their environment. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly spawn?: Spawn | undefined;
}

/** A person who has to unlock a store needs longer; they unlock it before. */
const timeoutMs = 10_000;
/** The longest value, in bytes. */
export const secretBytesMax = 64 * 1024;

/**
 * What a program prints, without the line end after it; or why there is no value, as the end of a sentence. Nothing that it
 * printed is repeated. The program, and all that it started, is killed after ten seconds.
 */
export async function printedSecret(
  { program, args }: SecretCommand,
  { clock, environment, spawn = systemSpawn }: SecretCommandPorts,
): Promise<{ readonly value: string } | { readonly problem: string }> {
  const stdout = new OutputHead(secretBytesMax + 1, 'end');
  const inherited: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) if (value !== undefined) inherited[name] = value;
  const job = { program, args, environment: inherited, stdout, timeoutMs, killsRest: true };
  const end = await runProcess(job, { clock, spawn });
  switch (end.cause) {
    case 'notStarted':
      return { problem: 'cannot be started' };
    case 'timedOut':
      return { problem: `did not end within ${timeoutMs / 1000} seconds and was stopped` };
    case 'enoughOutput':
      return { problem: `prints more than ${secretBytesMax / 1024} KiB` };
    case 'stopped':
      return { problem: 'was stopped' };
    case 'exited':
      if (end.code !== 0) return { problem: `ended with ${end.code === undefined ? 'a signal' : `code ${end.code}`}` };
  }
  const { bytes } = stdout;
  if (bytes.length > secretBytesMax) return { problem: `prints more than ${secretBytesMax / 1024} KiB` };
  const value = bytes.toString('utf8').replace(/\r?\n$/, '');
  return value === '' ? { problem: 'prints nothing' } : { value };
}
