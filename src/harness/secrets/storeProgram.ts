import { spawn as systemSpawn } from 'node:child_process';
import type { Clock } from '../../base/clock.ts';
import type { Spawn } from '../../base/processes.ts';
import { OutputHead } from '../../base/processOutput.ts';
import { runProcess } from '../../base/runProcess.ts';
import { secretValueBytesMax } from '../../model/secretState.ts';

export interface StorePorts {
  readonly clock: Clock;
  /** The program is the person's own, such as a password manager, and has all of their environment. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly spawn?: Spawn | undefined;
}

export interface StoreJob {
  readonly program: string;
  readonly args: readonly string[];
  /** What it reads on standard input: a value goes this way, since arguments are in the list of processes. */
  readonly stdin?: string;
}

/**
 * `output` is what it printed, at most a byte more than `secretValueBytesMax`; `complained` whether it printed an error;
 * `problem` the end of a sentence about it.
 */
export type StoreOutcome =
  | { readonly code: number; readonly output: Buffer; readonly complained: boolean }
  | { readonly problem: string; readonly cause: 'missing' | 'hangs' | 'signal' };

/** A person who has to unlock a store needs longer; they unlock it before. */
const timeoutMs = 10_000;

/**
 * Runs the program of a store. Nothing that it printed is repeated in a problem. It, and all that it started, is killed
 * after ten seconds; its output is read up to the longest value.
 */
export async function runStoreProgram(
  { program, args, stdin }: StoreJob,
  { clock, environment, spawn = systemSpawn }: StorePorts,
): Promise<StoreOutcome> {
  const stdout = new OutputHead(secretValueBytesMax + 1, 'end');
  const stderr = new OutputHead(1, 'drop');
  const inherited: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) if (value !== undefined) inherited[name] = value;
  const job = { program, args, stdin, environment: inherited, stdout, stderr, timeoutMs, killsRest: true };
  const end = await runProcess(job, { clock, spawn });
  const printed = { output: stdout.bytes, complained: stderr.bytes.length > 0 };
  switch (end.cause) {
    case 'notStarted':
      return { problem: 'cannot be started', cause: 'missing' };
    case 'timedOut':
      return { problem: `did not end within ${timeoutMs / 1000} seconds and was stopped`, cause: 'hangs' };
    case 'stopped':
      return { problem: 'was stopped', cause: 'signal' };
    case 'enoughOutput':
      return { code: 0, ...printed };
    case 'exited':
      if (end.code === undefined) return { problem: 'ended with a signal', cause: 'signal' };
      return { code: end.code, ...printed };
  }
}

/** What a program printed as a value: without the line end after it; or why it is none. */
export function readPrinted(output: Buffer): { readonly value: string } | { readonly problem: string } {
  if (output.length > secretValueBytesMax) return { problem: `prints more than ${secretValueBytesMax / 1024} KiB` };
  const value = output.toString('utf8').replace(/\r?\n$/, '');
  return value === '' ? { problem: 'prints nothing' } : { value };
}
