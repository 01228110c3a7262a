import { type ChildProcess, spawn as systemSpawn } from 'node:child_process';
import { join } from 'node:path';
import { settleAll } from '../base/async.ts';
import type { Clock } from '../base/clock.ts';
import { defined } from '../base/defined.ts';
import type { Disk } from '../base/disk.ts';
import { messageOf } from '../base/errors.ts';
import { writeAtomic } from '../base/files.ts';
import type { Logger } from '../base/log.ts';
import type { ProcessIdentity, ProcessTable, Spawn } from '../base/processes.ts';
import { failure } from '../model/codes.ts';
import type { Settings } from '../model/settings.ts';
import type { HarnessAdapter, HarnessCommand, HarnessSession, SessionHost, SessionSpec } from './adapter.ts';
import { sessionEnvironment } from './environment.ts';
import { type HostRecord, leaderOf, loadHostRecord, saveHostRecord, sessionFiles } from './hostRecord.ts';
import { interactiveAdapter, launchCommand } from './inTerminal.ts';
import { watchLeader } from './leaderWatch.ts';
import { RunningSession, type RunningSessionOptions } from './runningSession.ts';
import { terminateSession } from './terminate.ts';

export interface SessionHostOptions {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly processes: ProcessTable;
  /** The environment of this process, from which a session inherits what the allow-list names. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly settings: Settings;
  readonly log: Logger;
  readonly spawn?: Spawn;
}

/**
 * Runs a program so that any owner finds on disk all it needs to find the program again: its pid and start time before
 * it starts, its output while it runs, its exit code after it. If an owner wrote meanwhile that it comes too late
 * (`hasStarted`), it starts nothing. The signals are for the program; the shell stays to write down how it ended. It needs
 * no other program: both files are one short write, and readers take them only when whole.
 */
const wrapper = `
directory=$1 input=$2
shift 2
trap : HUP INT TERM
stat=
[ ! -r "/proc/$$/stat" ] || read -r stat < "/proc/$$/stat"
printf '%s\\n%s\\n' "$$" "$stat" > "$directory/pid"
[ ! -e "$directory/too-late" ] || exit 0
"$@" < "$input" >> "$directory/spool" 2>> "$directory/stderr"
printf '%s\\n' "$?" > "$directory/exit"
`;

export function createSessionHost(options: SessionHostOptions): SessionHost {
  const { disk, processes } = options;
  const released = new AbortController();
  const watched = new Set<RunningSession>();
  const watch = (given: Omit<RunningSessionOptions, 'released'>): RunningSession => {
    const session = new RunningSession({ ...given, released: released.signal });
    watched.add(session);
    const forget = () => watched.delete(session);
    session.ended.then(forget, forget);
    return session;
  };
  return {
    async start(given, spec, signal) {
      signal.throwIfAborted();
      const program = await given.locate(options.settings, options.environment);
      const adapter = spec.terminal === undefined ? given : interactiveAdapter(given);
      const { settings, environment } = options;
      const command = launchCommand(spec, adapter.command(spec, program, settings, environment));
      const record = await prepare(options, adapter, spec, command);
      signal.throwIfAborted();
      const { child, gone } = await spawnSession(options, adapter, spec, command);
      let session: RunningSession | undefined;
      try {
        const leader = await identify(options, spec, record, child);
        const running: HostRecord = { ...record, state: 'running', ...leader, group: leader.pid };
        const directory = spec.sessionDirectory;
        // Before anything watches it: a session that ends at once writes down its end, which must stand.
        await saveHostRecord(disk, directory, running);
        session = watch({ ...options, adapter, directory, record: running, leader, gone });
        signal.throwIfAborted();
        return session;
      } catch (cause) {
        // Whatever failed, no other code can end what was started.
        if (session !== undefined) await session.kill('stopped');
        else if (child.pid !== undefined) await terminateSession(options, { pid: child.pid, session: spec.session });
        throw cause;
      }
    },

    async reattach(given, directory): Promise<HarnessSession> {
      const record = await loadHostRecord(disk, directory);
      const adapter = record.interactive === true ? interactiveAdapter(given) : given;
      const leader = await leaderOf(disk, directory, record);
      const isAlive = leader !== undefined && (await processes.isAlive(leader));
      await createOutputFiles(disk, directory);
      const over = new AbortController();
      const gone = isAlive ? watchLeader(options, leader, over.signal) : AbortSignal.abort();
      const session = watch({
        ...options,
        adapter,
        directory,
        record,
        ...defined({ leader }),
        gone,
      });
      const stopWatching = () => over.abort();
      session.ended.then(stopWatching, stopWatching);
      // The owner before us was about to end it.
      if (record.state === 'ending' && record.end !== undefined) await session.kill(record.end);
      return session;
    },

    async release() {
      released.abort(failure('run/stopped', 'vault', 'This Ravel is shutting down; the session continues.'));
      await Promise.allSettled([...watched].map(({ ended }) => ended));
    },
  };
}

async function prepare(
  options: SessionHostOptions,
  adapter: HarnessAdapter,
  spec: SessionSpec,
  command: HarnessCommand,
): Promise<HostRecord> {
  const { bootId } = await options.processes.self();
  const record: HostRecord = {
    state: 'starting',
    session: spec.session,
    actor: spec.actor,
    purpose: spec.purpose,
    harness: adapter.name,
    limits: { ...spec.limits },
    startedAt: new Date(options.clock.wallMs()).toISOString(),
    awakeMs: 0,
    bootId,
    ...(spec.terminal !== undefined && { interactive: true }),
    ...(command.recordsRuns === true && { recordsRuns: true }),
  };
  await settleAll([
    saveHostRecord(options.disk, spec.sessionDirectory, record),
    createOutputFiles(options.disk, spec.sessionDirectory),
    ...Object.entries(command.files).map(([path, text]) =>
      writeAtomic(options.disk, path, text, { permissions: 0o600 }),
    ),
    ...Object.entries(command.programs ?? {}).map(([path, text]) =>
      writeAtomic(options.disk, path, text, { permissions: 0o700 }),
    ),
  ]);
  return record;
}

/** Created before the start, so that no other user can read them. */
async function createOutputFiles(disk: Disk, directory: string): Promise<void> {
  for (const name of [sessionFiles.spool, sessionFiles.stderr]) {
    const file = await disk.open(join(directory, name), 'append', 0o600);
    await file.close();
  }
}

async function spawnSession(
  options: SessionHostOptions,
  adapter: HarnessAdapter,
  spec: SessionSpec,
  command: HarnessCommand,
): Promise<{ child: ChildProcess; gone: AbortSignal }> {
  const { environment, settings, spawn = systemSpawn } = options;
  const gone = new AbortController();
  const args = ['-c', wrapper, 'ravel-session', spec.sessionDirectory, command.stdin, command.program, ...command.args];
  const child = spawn('/bin/sh', args, {
    cwd: spec.cwd,
    env: sessionEnvironment({ environment, adapter, settings, command, spec }),
    // A group of its own, which outlives this process.
    detached: true,
    stdio: 'ignore',
  });
  child.once('exit', () => gone.abort());
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (cause) => {
      const message = `The session cannot be started in ${spec.cwd}: ${messageOf(cause)}`;
      reject(failure('harness/failed', spec.actor, message, { cause }));
    });
  });
  child.unref();
  return { child, gone: gone.signal };
}

/** A child that is gone already is known by what it wrote itself. */
async function identify(
  { disk, processes }: SessionHostOptions,
  spec: SessionSpec,
  record: HostRecord,
  child: ChildProcess,
): Promise<ProcessIdentity> {
  const pid = child.pid;
  if (pid === undefined) throw failure('harness/failed', spec.actor, 'The session has no process id.');
  const written = () => leaderOf(disk, spec.sessionDirectory, record);
  return (await processes.identify(pid)) ?? (await written()) ?? { pid, startTime: '', bootId: record.bootId };
}
