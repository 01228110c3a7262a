import { constants } from 'node:os';
import { join } from 'node:path';
import { AwakeTime } from '../base/awakeTime.ts';
import { type Clock, delay } from '../base/clock.ts';
import { defined } from '../base/defined.ts';
import type { Disk } from '../base/disk.ts';
import type { Logger } from '../base/log.ts';
import type { ProcessIdentity, ProcessTable } from '../base/processes.ts';
import { SerialQueue } from '../base/semaphore.ts';
import type { SessionEnd } from '../model/event.ts';
import type { HarnessOutput } from '../model/harnessOutput.ts';
import type { Ulid } from '../model/id.ts';
import type { Usage } from '../model/usage.ts';
import type { CallsRecord, CommandRuns, HarnessAdapter, HarnessSession, SessionOutcome } from './adapter.ts';
import { readRecord } from './callsRecord.ts';
import { removeTemporary } from './confinement/removeTemporary.ts';
import { type HostRecord, loadExitCode, loadWatchdogReason, saveHostRecord, sessionFiles } from './hostRecord.ts';
import { readTail, SpoolProgress, SpoolReader, type SpoolSource } from './spool.ts';
import { terminateSession } from './terminate.ts';

export interface RunningSessionOptions {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly processes: ProcessTable;
  readonly log: Logger;
  readonly adapter: HarnessAdapter;
  readonly directory: string;
  readonly record: HostRecord;
  /** The leading process; undefined when none was ever started. */
  readonly leader?: ProcessIdentity;
  /** Aborted once the leading process is gone. */
  readonly gone: AbortSignal;
  /** Aborted once this owner releases the session: from there on it belongs to the next one. */
  readonly released: AbortSignal;
}

/** How long a program may take to exit after it reported its result. */
const resultGraceMs = 5000;
/** How much of its time a session can get again with each owner. */
const awakePeriodMs = 60_000;
const stderrTailBytes = 4096;
/** How soon the first word of a program is noticed is how long its start took; some wait for a person first. */
const startPollMs = 15;
const startMs = 10_000;
const fastPollMs = 30;
/** The longest that a word waits which comes after a long silence; a hundred silent sessions must cost next to nothing. */
const slowPollMs = 250;

type Result = Extract<HarnessOutput, { kind: 'result' }>;
type Reason = NonNullable<HostRecord['end']>;

/** Watches one session from its start, or its adoption, to its end: its spool, its limits, its processes. */
export class RunningSession implements HarnessSession {
  readonly session: Ulid;
  readonly pid: number;
  /** Rejects with the reason of `released` if the owner lets go first. */
  readonly ended: Promise<SessionOutcome>;
  readonly #options: RunningSessionOptions;
  readonly #spool: SpoolSource;
  readonly #progress = new SpoolProgress();
  readonly #control: SpoolReader;
  /** To see that the program's own record grows: if its hooks fail, nothing else tells that it does something. */
  readonly #record: CallsRecord | undefined;
  readonly #recordProgress = new SpoolProgress();
  readonly #awake: AwakeTime;
  readonly #saves = new SerialQueue();
  /** When there is nothing left to watch. */
  readonly #over: AbortSignal;
  #savedAwakeMs: number;
  #leaderState: 'alive' | 'gone' = 'alive';
  #end: Reason | undefined;
  #terminating: Promise<void> | undefined;
  #result: Result | undefined;
  #resultAtMs: number | undefined;
  #usage: Usage | undefined;
  #outputs = 0;
  #outputBytes = 0;

  constructor(options: RunningSessionOptions) {
    const { clock, directory, disk, record } = options;
    this.#options = options;
    this.#over = AbortSignal.any([options.gone, options.released]);
    this.session = record.session as Ulid;
    this.pid = options.leader?.pid ?? 0;
    this.#end = record.end;
    // The wall clock would also count the time that the machine sleeps, and any change that a user makes to the clock.
    this.#savedAwakeMs = record.awakeMs;
    this.#awake = new AwakeTime(clock, record.awakeMs);
    this.#spool = { disk, path: join(directory, sessionFiles.spool), progress: this.#progress };
    this.#control = new SpoolReader(this.#spool, options.adapter.createParser());
    this.#record = options.adapter.openRecord?.(disk, directory);
    this.ended = this.#run();
    // A caller that never asks how it ended is not to be brought down by it.
    this.ended.catch(() => undefined);
  }

  /** Every iteration reads the spool again, at its own pace. */
  get outputs(): AsyncIterable<HarnessOutput> {
    const { adapter } = this.#options;
    const source = this.#spool;
    return { [Symbol.asyncIterator]: () => new SpoolReader(source, adapter.createParser()).outputs() };
  }

  /** As with the outputs, every iteration reads it again. */
  get recordedCalls(): AsyncIterable<HarnessOutput> | undefined {
    const { adapter, disk, directory } = this.#options;
    const { openRecord } = adapter;
    if (openRecord === undefined) return undefined;
    return {
      [Symbol.asyncIterator]: () => readRecord(this.session, openRecord(disk, directory), this.#recordProgress),
    };
  }

  /** As with the outputs, each reads it again. */
  get commandRuns(): CommandRuns | undefined {
    const { adapter, disk, directory, record } = this.#options;
    return record.recordsRuns === true ? adapter.openRuns?.(disk, directory) : undefined;
  }

  async kill(reason: SessionEnd): Promise<void> {
    this.#options.released.throwIfAborted();
    // Decided at once, so that of two callers the first one's reason stands.
    if (this.#leaderState === 'gone' || this.#options.gone.aborted) await this.#terminate();
    else await this.#endFor(toReason(reason));
  }

  async #run(): Promise<SessionOutcome> {
    const followed = this.#follow();
    // Awaited below; until then a failure must not count as unhandled.
    followed.catch(() => undefined);
    try {
      await this.#watchToEnd();
      // Before the caller hears of it: what is being written must not come after what the next owner writes.
      if (this.#options.released.aborted) await this.#saves.drained();
      this.#options.released.throwIfAborted();
      await this.#measure();
    } finally {
      // Whatever went wrong, readers must not wait for outputs that will never be announced.
      this.#progress.end();
      this.#recordProgress.end();
    }
    await followed;
    const outcome = await this.#outcome();
    await this.#removeTemporary();
    await this.#save('ended');
    return outcome;
  }

  /** Reads the outputs for what they mean to the session itself, whether or not anything else reads them. */
  async #follow(): Promise<void> {
    for await (const output of this.#control.outputs()) {
      this.#outputs++;
      if (output.kind === 'usage') this.#usage = output.usage;
      if (output.kind === 'result') {
        this.#usage = output.usage;
        this.#result = output;
        this.#resultAtMs ??= this.#options.clock.monotonicMs();
      }
    }
  }

  /** A session that cannot be watched any more, because its files cannot be read, is ended as well. */
  async #watchToEnd(): Promise<void> {
    try {
      await this.#watch();
    } finally {
      if (!this.#options.released.aborted) {
        this.#leaderState = 'gone';
        await this.#terminate();
      }
    }
  }

  async #watch(): Promise<void> {
    const { clock } = this.#options;
    const startUntilMs = clock.monotonicMs() + startMs;
    for (let pauseMs = fastPollMs; !this.#over.aborted; ) {
      const grew = await this.#measure();
      const reason = this.#exceeded();
      if (reason !== undefined) await this.#endFor(reason);
      await this.#keepAwakeTime();
      if (this.#isOverdue()) await this.#terminate();
      const isStarting = this.#outputs === 0 && clock.monotonicMs() < startUntilMs;
      pauseMs = grew ? fastPollMs : Math.min(slowPollMs, pauseMs * 1.1);
      await this.#pause(isStarting ? startPollMs : pauseMs);
    }
  }

  async #pause(pauseMs: number): Promise<void> {
    try {
      await delay(this.#options.clock, pauseMs, this.#over);
    } catch (error) {
      if (!this.#over.aborted) throw error;
    }
  }

  /** Takes the sizes of what the session wrote; tells whether there is more than before. */
  async #measure(): Promise<boolean> {
    const { directory, disk } = this.#options;
    const spool = await disk.stat(this.#spool.path);
    const stderr = await disk.stat(join(directory, sessionFiles.stderr));
    const before = this.#outputBytes;
    this.#outputBytes = spool.size + stderr.size;
    this.#progress.grow(spool.size);
    await this.#measureRecord();
    return this.#outputBytes > before;
  }

  async #measureRecord(): Promise<void> {
    const progress = this.#recordProgress;
    try {
      if (this.#record !== undefined) progress.grow(await this.#record.size());
    } catch {
      // It reads the record as well, and tells what is wrong with it.
      progress.grow(progress.bytes + 1);
    }
  }

  #exceeded(): Reason | undefined {
    const { limits } = this.#options.record;
    if (this.#awake.passedMs() > limits.timeMs) return 'timeLimit';
    if (this.#outputBytes > limits.outputBytes) return 'byteLimit';
    if ((this.#usage?.costUsd ?? 0) > limits.costUsd) return 'costLimit';
    return undefined;
  }

  #isOverdue(): boolean {
    return this.#resultAtMs !== undefined && this.#options.clock.monotonicMs() - this.#resultAtMs > resultGraceMs;
  }

  /** The first reason stands; it is on disk before the first signal. */
  async #endFor(reason: Reason): Promise<void> {
    if (this.#terminating === undefined) {
      this.#end = reason;
      this.#terminating = this.#saveEnd().then(() => this.#signal());
    }
    await this.#terminating;
  }

  async #terminate(): Promise<void> {
    this.#terminating ??= this.#signal();
    await this.#terminating;
  }

  /** So that the next owner knows it; what one of less than a minute misses, the watchdog of the session counts. */
  async #keepAwakeTime(): Promise<void> {
    if (this.#awake.passedMs() - this.#savedAwakeMs < awakePeriodMs || this.#end !== undefined) return;
    this.#savedAwakeMs = this.#awake.passedMs();
    try {
      await this.#save('running');
    } catch (error) {
      // A full disk must not end a session; the next minute tries again.
      this.#options.log.warn('How long a session has run could not be written.', { session: this.session, error });
    }
  }

  async #saveEnd(): Promise<void> {
    try {
      await this.#save('ending');
    } catch (error) {
      // A full disk must not keep a session alive; all that is lost is the reason, should this process die right now.
      this.#options.log.warn('The reason to end a session could not be written.', { session: this.session, error });
    }
  }

  async #signal(): Promise<void> {
    const { leader } = this.#options;
    if (leader === undefined) return;
    await terminateSession(this.#options, { pid: leader.pid, session: this.session, leader });
  }

  /** No process is left that could write there. */
  async #removeTemporary(): Promise<void> {
    const { directory, disk, log } = this.#options;
    try {
      await removeTemporary(disk, directory);
    } catch (error) {
      // It lies in the session's folder, which goes with everything else that sessions left.
      log.warn('The temporary files of a session could not be removed.', { session: this.session, error });
    }
  }

  /** One after the other: what is written last must be what stands. */
  #save(state: HostRecord['state']): Promise<void> {
    const { disk, directory, record } = this.#options;
    return this.#saves.run(() => {
      if (this.#options.released.aborted) return undefined;
      // The end was decided while this waited.
      if (state === 'running' && this.#end !== undefined) return undefined;
      const ended = defined({ end: this.#end });
      const awakeMs = Math.round(this.#awake.passedMs());
      return saveHostRecord(disk, directory, { ...record, ...ended, state, awakeMs });
    });
  }

  async #outcome(): Promise<SessionOutcome> {
    const { directory, disk } = this.#options;
    const exitCode = await loadExitCode(disk, directory);
    const signal = exitCode === undefined ? undefined : signalFromExitCode(exitCode);
    const watchdogReason = await loadWatchdogReason(disk, directory);
    return {
      end: this.#end ?? this.#ownEnd({ exitCode, signal, watchdogReason }),
      ...defined({ exitCode, signal }),
      durationMs: await this.#durationMs(),
      ...defined({ usage: this.#usage }),
      succeeded: this.#result !== undefined && !this.#result.isError,
      ...defined({ watchdogReason }),
      stderrTail: await readTail(disk, join(directory, sessionFiles.stderr), stderrTailBytes),
      malformedLines: this.#control.malformedLines,
      outputBytes: this.#outputBytes,
    };
  }

  /** How it ended when this owner did not end it. */
  #ownEnd(found: {
    readonly exitCode: number | undefined;
    readonly signal: string | undefined;
    readonly watchdogReason: string | undefined;
  }): SessionEnd {
    const { exitCode, signal, watchdogReason } = found;
    if (this.#result?.isError === true && this.#result.reason === 'costLimit') return 'costLimit';
    if (this.#result !== undefined) return 'exited';
    if (watchdogReason !== undefined) return 'stopped';
    if (exitCode === undefined) return 'lost';
    return signal !== undefined || (exitCode !== 0 && this.#outputs === 0) ? 'crashed' : 'exited';
  }

  /** Up to the moment the exit was recorded, which for a session that was adopted can be long ago. */
  async #durationMs(): Promise<number> {
    const { directory, disk, record } = this.#options;
    if ((await loadExitCode(disk, directory)) === undefined) return this.#awake.passedMs();
    const { mtimeMs } = await disk.stat(join(directory, sessionFiles.exit));
    return Math.max(0, mtimeMs - Date.parse(record.startedAt));
  }
}

/** A caller's reason to end a session; what only a program can do by itself counts as stopped. */
function toReason(end: SessionEnd): Reason {
  return end === 'timeLimit' || end === 'byteLimit' || end === 'costLimit' ? end : 'stopped';
}

function signalFromExitCode(exitCode: number): string | undefined {
  return Object.entries(constants.signals).find(([, number]) => number === exitCode - 128)?.[0];
}
