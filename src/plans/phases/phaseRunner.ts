import type { Supervisor } from '../../actors/supervisor.ts';
import { onAbort } from '../../base/abort.ts';
import { defined } from '../../base/defined.ts';
import { isRavelError, messageOf } from '../../base/errors.ts';
import { failure } from '../../model/codes.ts';
import type { QualifiedId, Ulid } from '../../model/id.ts';
import { type CodePhase, isCodePhase, type ReasoningPhase } from '../../model/phase.ts';
import type { PhaseReport } from '../../model/requests/runs.ts';
import type { ExecutorName } from '../../model/settings.ts';
import type { TerminalSize } from '../../model/terminal.ts';
import type { PlanLocation } from '../../vault/walk.ts';
import { runCodePhase } from '../commits/codePhase.ts';
import { deliverMessages } from '../messages/dispatches.ts';
import type { MessageRouter } from '../messages/messageRouter.ts';
import type { PlanDirectory } from '../planDirectory.ts';
import { emitFor, type PlanServices, timestamp } from '../services.ts';
import { checkAddition } from '../sessions/context.ts';
import type { EarlierTry } from '../sessions/earlierTry.ts';
import type { LiveSessions } from '../sessions/liveSessions.ts';
import { giveNotesBack } from '../sessions/sessionNotes.ts';
import { type FollowedSession, followSession } from '../sessions/sessionRun.ts';
import type { Transaction } from '../transaction.ts';
import type { Transcripts } from '../transcripts.ts';
import { beginPhase, confinePhase, type PhaseStart, startSession } from './beginPhase.ts';
import { checkApprovals } from './checkApprovals.ts';
import { emitPaused } from './cycleRun.ts';
import { interruptPhase } from './interruptPhase.ts';
import { type Concluded, clearUnfinished, concludePhase, endUnfinished, openQuestion } from './phaseEnd.ts';
import {
  assertPolicy,
  assertReadable,
  checkPlan,
  chooseHarness,
  chooseScenario,
  warnOfSharedTree,
} from './preflight.ts';
import { runPreWork } from './preWork.ts';
import type { RunLocks } from './runLocks.ts';
import { budgetOf, type Spending } from './spending.ts';
import type { WorkTrees } from './workTrees.ts';

export interface PhaseRunOptions {
  readonly location: PlanLocation;
  readonly phase?: ReasoningPhase;
  readonly harness?: ExecutorName;
  readonly task?: string;
  readonly scenario?: string;
  /** The size of the terminal that a person sits at; without it the session runs by itself. */
  readonly terminal?: TerminalSize;
  readonly retryOf?: string;
  /** Whether to ask a person again what the phase waits for, because the phase had not begun. */
  readonly asksAgain?: boolean;
  /** What an earlier try had staged, if a person continues it. */
  readonly earlier?: EarlierTry;
  /** Called once the session runs, or the person has the files before them. */
  readonly onStarted?: PhaseStart['onStarted'];
  /** Whether the analysis follows in the same run: the tree is then kept for it, so that it sees this work alone. */
  readonly keepsTree?: boolean;
}

export interface RunnerParts {
  readonly services: PlanServices;
  readonly directory: PlanDirectory;
  readonly live: LiveSessions;
  readonly locks: RunLocks;
  readonly trees: WorkTrees;
  readonly transcripts: Transcripts;
  readonly spending: Spending;
  readonly actors: Pick<Supervisor, 'send'>;
  readonly post: MessageRouter;
}

/**
 * Runs phases as transactions: a reasoning phase and the code phase after it. Everything that must survive is on disk
 * before it is told; `docs/design/phases.md` has each point at which it can be cut short.
 */
export class PhaseRunner {
  readonly #parts: RunnerParts;
  /** Sessions that were re-adopted and whose phase has not ended yet. */
  readonly #resumed = new Map<QualifiedId, Promise<PhaseReport>>();

  constructor(parts: RunnerParts) {
    this.#parts = parts;
  }

  /** Runs the phase that `phase.md` names; the caller holds the plan (`RunLocks`). */
  async run(options: PhaseRunOptions, stop: AbortSignal): Promise<PhaseReport> {
    const { services } = this.#parts;
    const { location } = options;
    const { plan, phase, state } = await checkPlan(services, location, options);
    if (isCodePhase(phase)) {
      const session = state.last?.session ?? services.newUlid();
      return this.commit(location, phase, session, stop);
    }
    await assertReadable(services, location, plan, phase);
    await checkAddition(services, location.id, phase);
    const harness = options.harness === 'person' ? 'person' : chooseHarness(services, plan, options.harness);
    if (harness !== 'person') {
      await assertPolicy(services, location);
      // One that cannot be read is told before a phase begins that would have to be dropped.
      await services.storedSecrets();
    }
    if (phase === 'work' && options.keepsTree === true) await this.#parts.trees.keep(location, stop);
    const scenario = chooseScenario(services, harness, options.scenario);
    const played = defined({ scenario });
    const reason = async () =>
      (await checkApprovals(services, { location, phase, harness, ...played })) ??
      this.#reason({ ...options, ...played, session: services.newUlid(), plan, phase, harness }, stop);
    const report = await this.#parts.trees.withTree(location, phase, reason, stop);
    if (report.next !== 'analyse-work') this.#parts.trees.release(location.id);
    return report;
  }

  /**
   * Continues a session that was re-adopted: from here on it holds its plan, its tree and its money (`costUsd`) as if it
   * had begun here.
   */
  resume(running: FollowedSession, costUsd?: number): Promise<PhaseReport> {
    const { services } = this.#parts;
    const { plan, location, transaction } = running;
    const resumed = this.#parts.locks.withPlan(plan, undefined, async (stop) => {
      if (costUsd !== undefined) this.#parts.spending.adopt(plan, transaction.session, costUsd);
      const report = await this.#parts.trees.withTree(location, transaction.phase, () => this.#conclude(running, stop));
      await emitPaused(services, plan);
      return report;
    });
    this.#resumed.set(plan, resumed);
    return resumed.finally(() => this.#resumed.delete(plan));
  }

  /**
   * The report of a phase that an earlier owner began and that still runs here: a caller that wants to run the plan
   * follows it first. An aborted signal ends it.
   */
  async followResumed(plan: QualifiedId, signal: AbortSignal): Promise<PhaseReport | undefined> {
    const resumed = this.#resumed.get(plan);
    if (resumed === undefined) return undefined;
    const listening = onAbort(signal, () => void this.#parts.locks.stop(plan));
    try {
      return await resumed;
    } finally {
      listening.dispose();
    }
  }

  /** Follows a session to its end and carries out what came of it, the code phase included. */
  async #conclude(running: FollowedSession, stop: AbortSignal): Promise<PhaseReport> {
    const { services } = this.#parts;
    const { transaction, location, paths, active } = running;
    const outcome = await this.#follow(running, stop);
    if (this.#parts.locks.isDetached) {
      throw failure('run/stopped', location.id, 'This Ravel is shutting down; the session continues.');
    }
    if (transaction.harness !== 'person') await this.#parts.spending.book(transaction, outcome.usage, outcome.model);
    const verdict = await active.decided();
    const concluded = await concludePhase(services, { transaction, paths, verdict, outcome });
    const { durationMs, usage } = outcome;
    return this.afterPhase(transaction, location, concluded, { durationMs, ...defined({ usage }) });
  }

  /** Delivers the messages of a finished phase, unless it was a dream, and runs the code phase that follows it. */
  async afterPhase(
    transaction: Transaction,
    location: PlanLocation,
    concluded: Concluded,
    measured: Pick<PhaseReport, 'durationMs' | 'usage'>,
    stop?: AbortSignal,
  ): Promise<PhaseReport> {
    const { phase, session } = transaction;
    const report = { ...measured, ...concluded, phase, session, commits: [], givenBytes: 0 };
    if (concluded.end !== 'finished') return report;
    if (phase !== 'dream') await deliverMessages(this.#parts, location.id);
    const { next } = concluded;
    if (!isCodePhase(next)) return report;
    const made = await this.#parts.trees.withTree(
      location,
      next,
      () => this.#commitInTree(location, next, session),
      stop,
    );
    if (made.end !== 'finished') {
      const { end, next, summary, approval } = made;
      return { ...report, end, next, summary, ...defined({ approval }) };
    }
    return { ...report, next: made.next, commits: made.commits };
  }

  /**
   * Runs a code phase that did not follow its session at once; messages that were not delivered then, are now. `stop` ends
   * the waiting for the tree, and no commit.
   */
  commit(location: PlanLocation, phase: CodePhase, session: Ulid, stop?: AbortSignal): Promise<PhaseReport> {
    const work = async () => {
      if (phase !== 'git-commit-dream') await deliverMessages(this.#parts, location.id);
      return this.#commitInTree(location, phase, session);
    };
    return this.#parts.trees.withTree(location, phase, work, stop);
  }

  /** Runs a code phase. What git refuses leaves it interrupted, with the specification and its messages kept. */
  async #commitInTree(location: PlanLocation, phase: CodePhase, session: Ulid): Promise<PhaseReport> {
    const { services, directory } = this.#parts;
    const startedMs = services.clock.monotonicMs();
    const startedAt = timestamp(services);
    await clearUnfinished(services, location.id, (old) => ({
      ...old,
      running: { phase, step: 'committing', session, startedAt },
    }));
    emitFor(services, location.id, { type: 'phase.started', phase, session });
    // A child plan that a person made meanwhile is its own to commit.
    await directory.rescan();
    const children = await directory.childrenOf(location.id);
    const report = (rest: Pick<PhaseReport, 'end' | 'next' | 'summary' | 'commits' | 'approval'>): PhaseReport => ({
      phase,
      session,
      givenBytes: 0,
      durationMs: services.clock.monotonicMs() - startedMs,
      ...rest,
    });
    try {
      const job = { location, phase, session, children };
      const result = await this.#parts.trees.withRepository(location, phase, () => runCodePhase(services, job));
      if (result.outcome === 'question') {
        const approval = await openQuestion(services, { plan: location.id, phase, session }, result.question);
        return report({ end: 'waiting', next: phase, summary: result.question.reason, commits: [], approval });
      }
      const { next, commits } = result;
      const summary = `${commits.length} ${commits.length === 1 ? 'commit' : 'commits'}`;
      emitFor(services, location.id, { type: 'phase.ended', phase, end: 'finished', next, session, summary });
      return report({ end: 'finished', next, summary, commits });
    } catch (error) {
      if (!isRavelError(error)) throw error;
      emitFor(services, location.id, { type: 'diagnostic', diagnostic: error.diagnostic });
      await endUnfinished(
        services,
        { plan: location.id, phase, session },
        { end: 'interrupted', reason: error.message },
      );
      return report({ end: 'interrupted', next: phase, summary: error.message, commits: [] });
    }
  }

  /** Closes a session. Notes that it was never told go back to its plan. */
  async close(plan: QualifiedId, session: Ulid): Promise<void> {
    await this.#parts.live.close(session);
    if (!this.#parts.locks.isDetached) await giveNotesBack(this.#parts, plan, session);
    await this.#parts.transcripts.close(session);
  }

  /** Reserves the session's cost limit before it writes anything, and releases it however the session ends. */
  async #reason(asked: PhaseStart, stop: AbortSignal): Promise<PhaseReport> {
    const { services, spending, directory } = this.#parts;
    const { location, session, plan, harness } = asked;
    await warnOfSharedTree(services, directory, location, asked.phase);
    if (harness === 'person') return this.#carryOut(asked, stop);
    const costUsd = await spending.reserve(location.id, session, budgetOf(services.settings, plan.state));
    try {
      return await this.#carryOut({ ...asked, costUsd }, stop);
    } finally {
      spending.release(session);
    }
  }

  async #carryOut(start: PhaseStart, stop: AbortSignal): Promise<PhaseReport> {
    const { services } = this.#parts;
    const startedMs = services.clock.monotonicMs();
    const begun = await beginPhase(services, start);
    try {
      const shell = await confinePhase(services, start, stop);
      if (begun.phase === 'work') await runPreWork(services, start.location, { session: begun.session, shell }, stop);
      const { givenBytes, ...started } = await startSession(services, { ...this.#parts, stop }, start, begun, shell);
      start.onStarted?.();
      const { location } = start;
      const report = await this.#conclude({ plan: location.id, location, emitted: 0, ...started }, stop);
      return { ...report, givenBytes, durationMs: services.clock.monotonicMs() - startedMs };
    } catch (error) {
      if (!this.#parts.locks.isDetached) await interruptPhase(services, begun.plan, begun.session, error);
      throw error;
    } finally {
      await this.close(begun.plan, begun.session);
    }
  }

  async #follow(running: FollowedSession, stop: AbortSignal) {
    const { services, transcripts } = this.#parts;
    const listening = onAbort(stop, () => {
      // Its limits and its watchdog still end it; how it ended is told by its outcome.
      running.harness.kill('stopped').catch((error: unknown) => services.log.warn(messageOf(error)));
    });
    try {
      return await this.#parts.locks.whileDetachable(running.plan, () => followSession(services, running));
    } finally {
      listening.dispose();
      await transcripts.flush(running.transaction.session);
    }
  }
}
