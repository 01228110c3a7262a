import { type ChildProcess, spawn as systemSpawn } from 'node:child_process';
import { createDeferred } from '../base/async.ts';
import type { Clock } from '../base/clock.ts';
import { systemCode } from '../base/errors.ts';
import type { Spawn } from '../base/processes.ts';
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

const outputBytesMax = 1024 * 1024;
/** How long the streams may stay open once the script is gone; what it left in the background can hold them for ever. */
const drainMs = 1000;

export function createScriptRunner({ clock, environment, settings, spawn = systemSpawn }: ScriptPorts): RunScript {
  return async ({ program, args = [], workingDirectory, timeoutMs, environment: added }, stop) => {
    const child = spawn(program, args, {
      cwd: workingDirectory,
      env: { ...inheritedEnvironment(environment, settings.environment.pass), ...added },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    const chunks: Buffer[] = [];
    let size = 0;
    const keep = (chunk: Buffer) => {
      if (size < outputBytesMax) chunks.push(chunk.subarray(0, outputBytesMax - size));
      size += chunk.length;
    };
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    let end: ScriptOutcome['end'] = 'exited';
    const endAs = (why: ScriptOutcome['end']) => {
      end = why;
      killGroup(child.pid);
    };
    const timer = clock.schedule(timeoutMs, () => endAs('timedOut'));
    const onStop = () => endAs('stopped');
    stop.addEventListener('abort', onStop, { once: true });
    if (stop.aborted) onStop();
    try {
      const exitCode = await ended(child, clock);
      return { end, exitCode, output: Buffer.concat(chunks).toString('utf8') };
    } finally {
      timer.dispose();
      stop.removeEventListener('abort', onStop);
      // No process of the script's group outlives it, so only a session's own processes run beside that session.
      killGroup(child.pid);
    }
  };
}

/** The exit code, once the output is read as well; 127 where the program could not be started at all. */
async function ended(child: ChildProcess, clock: Clock): Promise<number> {
  const done = createDeferred<number>();
  child.once('error', () => done.resolve(notStarted));
  child.once('exit', (code) => {
    const exitCode = code ?? signalled;
    const drain = clock.schedule(drainMs, () => done.resolve(exitCode));
    child.once('close', () => {
      drain.dispose();
      done.resolve(exitCode);
    });
  });
  const exitCode = await done.promise;
  child.stdout?.destroy();
  child.stderr?.destroy();
  return exitCode;
}

const notStarted = 127;
const signalled = 128;

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // Everybody in the group is gone already (ESRCH; EPERM is what macOS says of a group of zombies).
    if (systemCode(error) !== 'ESRCH' && systemCode(error) !== 'EPERM') throw error;
  }
}
