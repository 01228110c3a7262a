import { spawn as systemSpawn } from 'node:child_process';
import type { Clock } from '../base/clock.ts';
import type { Spawn } from '../base/processes.ts';
import { OutputHead } from '../base/processOutput.ts';
import { runProcess } from '../base/runProcess.ts';
import type { Settings } from '../model/settings.ts';
import { inheritedEnvironment } from './environment.ts';

export interface ScriptJob {
  /** Absolute path of an executable file. */
  readonly program: string;
  readonly args?: readonly string[];
  readonly workingDirectory: string;
  readonly timeoutMs: number;
  /** Added to what it inherits. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** How a script ended. `output` is both of its streams, at most a MiB from their beginning. */
export interface ScriptOutcome {
  readonly end: 'exited' | 'timedOut' | 'stopped';
  readonly exitCode: number;
  readonly output: string;
}

/** Runs a script of a repository to its end, with the environment that sessions have and nothing of theirs. */
export type RunScript = (job: ScriptJob, stop: AbortSignal) => Promise<ScriptOutcome>;

export interface ScriptPorts {
  readonly clock: Clock;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly settings: Settings;
  readonly spawn?: Spawn;
}

/** Bytes of a script's output that are kept. */
const outputBytesMax = 1024 * 1024;

export function createScriptRunner({ clock, environment, settings, spawn = systemSpawn }: ScriptPorts): RunScript {
  return async ({ program, args = [], workingDirectory, timeoutMs, environment: added }, stop) => {
    const both = new OutputHead(outputBytesMax, 'drop');
    const job = {
      ...{ program, args, workingDirectory, timeoutMs, stdout: both, stderr: both },
      environment: { ...inheritedEnvironment(environment, settings.environment.pass), ...added },
      // No process of the script's group outlives it, so only a session's own processes run beside that session.
      killsRest: true,
    };
    const end = await runProcess(job, { clock, spawn }, stop);
    const output = both.bytes.toString('utf8');
    switch (end.cause) {
      case 'notStarted':
        return { end: 'exited', exitCode: notStarted, output };
      case 'timedOut':
      case 'stopped':
        return { end: end.cause, exitCode: end.code ?? signalled, output };
      case 'exited':
      case 'enoughOutput':
        return { end: 'exited', exitCode: end.code ?? signalled, output };
    }
  };
}

/** As shells have it. */
const notStarted = 127;
const signalled = 128;
