import type { Readable } from 'node:stream';
import { onAbort } from './abort.ts';
import { createDeferred } from './async.ts';
import { type Clock, delay } from './clock.ts';
import { systemCode } from './errors.ts';
import type { Spawn } from './processes.ts';
import type { OutputSink } from './processOutput.ts';

export interface ProcessJob {
  readonly program: string;
  readonly args: readonly string[];
  /** That of this process unless told. */
  readonly workingDirectory?: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Written to its standard input, which is then closed; without it there is none to read. */
  readonly stdin?: string | Uint8Array | undefined;
  readonly stdout: OutputSink;
  /** Without it what goes there is dropped. */
  readonly stderr?: OutputSink;
  /** Open files of this process that the program has as descriptors 3, 4 and so on. */
  readonly descriptors?: readonly number[];
  readonly timeoutMs: number;
  /** How long its group has after a SIGTERM when its time is up; without it SIGKILL comes at once. */
  readonly graceMs?: number;
  /** Whether what it leaves running in its group is killed once it is gone. */
  readonly killsRest?: boolean;
}

export interface ProcessPorts {
  readonly clock: Clock;
  readonly spawn: Spawn;
}

/** Why a process came to its end: of all the reasons that apply, the one that came first. */
export type EndCause = 'exited' | 'timedOut' | 'stopped' | 'enoughOutput';

/** `code` is undefined if a signal ended the process, ours or another. */
export type ProcessEnd =
  | { readonly cause: EndCause; readonly code: number | undefined }
  | { readonly cause: 'notStarted'; readonly error: Error };

/** How long output can still come once a process is gone: one that it left in the background can hold a pipe for ever. */
const drainMs = 1_000;

type Child = ReturnType<Spawn>;

/**
 * Runs a program as the leader of a process group of its own. Resolves once it is gone and its output was read; if it
 * was ended from here, once its whole group was killed as well. Throws only what `spawn` throws.
 */
export async function runProcess(job: ProcessJob, ports: ProcessPorts, stop?: AbortSignal): Promise<ProcessEnd> {
  if (stop?.aborted) return { cause: 'stopped', code: undefined };
  const child = start(job, ports.spawn);
  const gone = whenGone(child, ports.clock);
  // What settles it first is the cause; whatever comes later changes nothing.
  const cause = createDeferred<EndCause>();
  const onEnough = () => cause.resolve('enoughOutput');
  const timer = ports.clock.schedule(job.timeoutMs, () => cause.resolve('timedOut'));
  const listening = onAbort(stop, () => cause.resolve('stopped'));
  forward(child.stdout, job.stdout, onEnough);
  forward(child.stderr, job.stderr, onEnough);
  void gone.then(() => cause.resolve('exited'));
  try {
    const first = await cause.promise;
    if (first !== 'exited') await endGroup(child, first === 'timedOut' ? job.graceMs : undefined, ports.clock);
    const ended = await gone;
    if (job.killsRest === true) signalGroup(child, 'SIGKILL');
    return 'error' in ended ? { cause: 'notStarted', error: ended.error } : { cause: first, code: ended.code };
  } finally {
    timer.dispose();
    listening.dispose();
    child.stdout?.destroy();
    child.stderr?.destroy();
  }
}

function start(job: ProcessJob, spawn: Spawn): Child {
  const { program, args, workingDirectory, environment, stdin, stderr, descriptors = [] } = job;
  const child = spawn(program, args, {
    cwd: workingDirectory,
    env: { ...environment },
    stdio: [stdin === undefined ? 'ignore' : 'pipe', 'pipe', stderr === undefined ? 'ignore' : 'pipe', ...descriptors],
    detached: true,
    windowsHide: true,
  });
  // A program can end without having read everything; its exit code says whether that was a failure.
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(stdin);
  return child;
}

function forward(stream: Readable | null, sink: OutputSink | undefined, onEnough: () => void): void {
  stream?.on('data', (chunk: Buffer) => {
    if (sink?.push(chunk) === 'enough') onEnough();
  });
}

/** Resolves once the process is gone and its output read, as far as it comes in time; or was never there. */
function whenGone(
  child: Child,
  clock: Clock,
): Promise<{ readonly code: number | undefined } | { readonly error: Error }> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ error }));
    child.once('exit', (exitCode) => {
      const end = { code: exitCode ?? undefined };
      const drain = clock.schedule(drainMs, () => resolve(end));
      child.once('close', () => {
        drain.dispose();
        resolve(end);
      });
    });
  });
}

async function endGroup(child: Child, graceMs: number | undefined, clock: Clock): Promise<void> {
  if (graceMs !== undefined) {
    signalGroup(child, 'SIGTERM');
    await delay(clock, graceMs);
  }
  signalGroup(child, 'SIGKILL');
}

function signalGroup(child: Child, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch (error) {
    // The whole group is gone already (ESRCH; macOS reports EPERM for a group of zombies).
    if (systemCode(error) !== 'ESRCH' && systemCode(error) !== 'EPERM') throw error;
  }
}
