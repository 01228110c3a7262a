import type { Supervisor } from '../actors/supervisor.ts';
import { createDeferred, type Deferred } from '../base/async.ts';
import { isRavelError, messageOf } from '../base/errors.ts';
import { locateRepository } from '../git/repository.ts';
import { failure } from '../model/codes.ts';
import type { QualifiedId, Ulid } from '../model/id.ts';
import { type CodePhase, isCodePhase, type Phase, type ReasoningPhase } from '../model/phase.ts';
import type { PhaseReport } from '../model/requests/runs.ts';
import type { ExecutorName } from '../model/settings.ts';
import { loadRunState } from '../vault/runState.ts';
import type { PlanLocation } from '../vault/walk.ts';
import { askFirst } from './askFirst.ts';
import { beginPhase, type PhaseStart, startSession } from './beginPhase.ts';
import { runCodePhase } from './codePhase.ts';
import { checkAddition } from './context.ts';
import { tellPaused } from './cycleRun.ts';
import { deliverMessages } from './dispatches.ts';
import type { EarlierTry } from './earlierTry.ts';
import { giveUp } from './giveUp.ts';
import type { LiveSessions } from './liveSessions.ts';
import { type Concluded, concludePhase, openQuestion, setAside } from './phaseEnd.ts';
import type { PlanDirectory } from './planDirectory.ts';
import { assertReadable, checkPlan, chooseHarness } from './preflight.ts';
import { runPreWork } from './preWork.ts';
import { emitFor, type PlanServices, timestamp } from './services.ts';
import { giveNotesBack } from './sessionNotes.ts';
import { followSession, type RunningSession } from './sessionRun.ts';
import { warnOfSharedTree } from './sharedTree.ts';
import { budgetOf, type Spending } from './spending.ts';
import type { Transaction } from './transaction.ts';
import type { Transcripts } from './transcripts.ts';
import type { TreeQueue, Waiter } from './treeQueue.ts';
import { answerUnfinished } from './updateRunState.ts';

export interface RunOptions {
  readonly location: PlanLocation;
  readonly phase?: ReasoningPhase;
  readonly harness?: ExecutorName;
  readonly task?: string;
  readonly scenario?: string;
  readonly retryOf?: string;
  /** Whether a person may be asked once more what a phase waits for, because it had not begun. */
  readonly asksAgain?: boolean;
  /** What an earlier try had staged, where a person goes on with it. */
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
  readonly trees: TreeQueue;
  readonly transcripts: Transcripts;
  readonly spending: Spending;
  readonly actors: Pick<Supervisor, 'send' | 'keepActive'>;
}

/**
 * Runs phases as transactions (design 4): a reasoning phase and the code phase after it. It knows which plans are busy;
 * everything that must survive is on disk before it is told.
 */
export class PhaseRunner {
  readonly #parts: RunnerParts;
  readonly #busy = new Map<QualifiedId, { readonly controller: AbortController; readonly ended: Deferred<void> }>();
  /** Of the busy plans, those that only wait for their session: there, letting go leaves nothing half done. */
  readonly #following = new Set<QualifiedId>();
  /** Trees that a plan keeps from work until its commits are made; each entry gives one back. */
  readonly #kept = new Map<QualifiedId, () => void>();
  /** Plans whose phase has its tree for as long as it runs. */
  readonly #inTrees = new Set<QualifiedId>();
  /** Sessions that were re-adopted and whose phase has not ended yet. */
  readonly #resumed = new Map<QualifiedId, Promise<PhaseReport>>();
  /** Of the busy plans, those that wait until fewer actors are active. */
  readonly #queued = new Set<QualifiedId>();
  readonly #onQuiet = new Set<() => void>();
  #detached = false;

  constructor(parts: RunnerParts) {
    this.#parts = parts;
  }

  isBusy(plan: QualifiedId): boolean {
    return this.#busy.has(plan);
  }

  /** Nothing else of the plan runs meanwhile; a second caller is told that it is busy. */
  async exclusively<T>(
    plan: QualifiedId,
    signal: AbortSignal | undefined,
    work: (stop: AbortSignal) => Promise<T>,
  ): Promise<T> {
    if (this.#detached) throw failure('run/stopped', plan, 'this Ravel is shutting down');
    if (this.#busy.has(plan)) throw failure('plan/busy', plan, `a phase of ${plan} is running already`);
    const controller = new AbortController();
    const ended = createDeferred<void>();
    this.#busy.set(plan, { controller, ended });
    try {
      return await work(signal === undefined ? controller.signal : AbortSignal.any([controller.signal, signal]));
    } finally {
      this.#releaseTree(plan);
      this.#busy.delete(plan);
      ended.resolve();
      this.#tellQuiet();
    }
  }

  /**
   * As `exclusively`, and the plan's actor counts as active meanwhile: where as many are as may be, the run waits first
   * and says so.
   */
  actively<T>(plan: QualifiedId, signal: AbortSignal | undefined, work: (stop: AbortSignal) => Promise<T>): Promise<T> {
    const { services, actors } = this.#parts;
    const onQueued = (reason: string) => {
      this.#queued.add(plan);
      emitFor(services, plan, { type: 'run.queued', reason });
    };
    return this.exclusively(plan, signal, async (stop) => {
      try {
        return await actors.keepActive(plan, stop, () => this.#unqueued(plan, () => work(stop)), onQueued);
      } finally {
        this.#queued.delete(plan);
      }
    });
  }

  #unqueued<T>(plan: QualifiedId, work: () => Promise<T>): Promise<T> {
    this.#queued.delete(plan);
    return work();
  }

  /** Ends what runs for the plan, and resolves when it has ended; false when nothing runs. */
  async stop(plan: QualifiedId): Promise<boolean> {
    const busy = this.#busy.get(plan);
    if (busy === undefined) return false;
    busy.controller.abort(failure('run/stopped', plan, 'a person stopped the run'));
    await busy.ended.promise;
    return true;
  }

  /**
   * Lets go of all sessions without ending them: they outlive their owner, and the next one re-adopts them. Resolves once
   * nothing is being started, applied or committed any more; nothing is written from there on.
   */
  detach(): Promise<void> {
    this.#detached = true;
    for (const plan of this.#queued) {
      this.#busy.get(plan)?.controller.abort(failure('run/stopped', plan, 'this Ravel is shutting down'));
    }
    return new Promise((resolve) => {
      this.#onQuiet.add(resolve);
      this.#tellQuiet();
    });
  }

  #tellQuiet(): void {
    if ([...this.#busy.keys()].some((plan) => !this.#following.has(plan))) return;
    for (const tell of this.#onQuiet) tell();
    this.#onQuiet.clear();
  }

  /** Runs the phase that `phase.md` names; the caller holds the plan (`exclusively`). */
  async run(options: RunOptions, stop: AbortSignal): Promise<PhaseReport> {
    const { services } = this.#parts;
    const { location } = options;
    const { plan, phase, state } = await checkPlan(services, location, options);
    if (isCodePhase(phase)) {
      const session = state.last?.session ?? services.newUlid();
      return this.commitLater(location, phase, session);
    }
    await assertReadable(services, location, plan, phase);
    await checkAddition(services, location.id, phase);
    const harness = options.harness === 'person' ? 'person' : chooseHarness(services, plan, options.harness);
    if (phase === 'work' && options.keepsTree === true) await this.#keepTree(location, stop);
    const { scenario } = options;
    const reason = async () =>
      (await askFirst(services, { location, phase, harness, scenario })) ??
      this.#reason({ ...options, session: services.newUlid(), plan, phase, harness }, stop);
    const report = await this.#inTree(location, phase, reason, stop);
    if (report.next !== 'analyse-work') this.#releaseTree(location.id);
    return report;
  }

  /** Goes on with a session that was re-adopted: from here on it holds its plan and its tree as if it had begun here. */
  resume(running: RunningSession): Promise<PhaseReport> {
    const { services } = this.#parts;
    const { plan, location, transaction } = running;
    const resumed = this.exclusively(plan, undefined, async (stop) => {
      const { costUsd } = (await loadRunState(services.disk, services.layout, plan)).running ?? {};
      if (costUsd !== undefined) this.#parts.spending.adopt(plan, transaction.session, costUsd);
      const report = await this.#inTree(location, transaction.phase, () => this.#conclude(running, stop));
      await tellPaused(services, plan);
      return report;
    });
    this.#resumed.set(plan, resumed);
    return resumed.finally(() => this.#resumed.delete(plan));
  }

  /**
   * The report of a phase that an earlier owner had begun and that still goes on here: whoever wants to run the plan
   * follows it first. An aborted signal ends it.
   */
  async followResumed(plan: QualifiedId, signal: AbortSignal): Promise<PhaseReport | undefined> {
    const resumed = this.#resumed.get(plan);
    if (resumed === undefined) return undefined;
    const stop = () => void this.stop(plan);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await resumed;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  /** Follows a session to its end and carries out what came of it, the code phase included. */
  async #conclude(running: RunningSession, stop: AbortSignal): Promise<PhaseReport> {
    const { services } = this.#parts;
    const { transaction, location, paths, active } = running;
    const outcome = await this.#follow(running, stop);
    if (this.#detached) throw failure('run/stopped', location.id, 'this Ravel is shutting down; the session goes on');
    if (transaction.harness !== 'person') await this.#parts.spending.book(transaction, outcome.usage, outcome.model);
    const verdict = await active.decided();
    const concluded = await concludePhase(services, { transaction, paths, verdict, outcome });
    const { durationMs, usage } = outcome;
    return this.afterPhase(transaction, location, concluded, { durationMs, ...(usage !== undefined && { usage }) });
  }

  /** Delivers the messages of a finished phase, unless it was a dream, and runs the code phase that follows it. */
  async afterPhase(
    transaction: Transaction,
    location: PlanLocation,
    concluded: Concluded,
    measured: Pick<PhaseReport, 'durationMs' | 'usage'>,
  ): Promise<PhaseReport> {
    const { phase, session } = transaction;
    const report = { ...measured, ...concluded, phase, session, commits: [], givenBytes: 0 };
    if (concluded.end !== 'finished') return report;
    if (phase !== 'dream') await this.#deliver(location);
    const { next } = concluded;
    if (!isCodePhase(next)) return report;
    const made = await this.#inTree(location, next, () => this.commit(location, next, session));
    if (made.end !== 'finished') {
      const { end, next, summary, approval } = made;
      return { ...report, end, next, summary, ...(approval !== undefined && { approval }) };
    }
    return { ...report, next: made.next, commits: made.commits };
  }

  /** Runs a code phase that did not follow its session at once; messages that were not delivered then, are now. */
  commitLater(location: PlanLocation, phase: CodePhase, session: Ulid): Promise<PhaseReport> {
    return this.#inTree(location, phase, async () => {
      if (phase !== 'git-commit-dream') await this.#deliver(location);
      return this.commit(location, phase, session);
    });
  }

  /** Runs a code phase. What git refuses leaves it interrupted, with the specification and its messages kept. */
  async commit(location: PlanLocation, phase: CodePhase, session: Ulid): Promise<PhaseReport> {
    const { services, directory } = this.#parts;
    const startedMs = services.clock.monotonicMs();
    const startedAt = timestamp(services);
    await answerUnfinished(services, location.id, (old) => ({
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
      const result = await this.#inRepository(location, phase, () => runCodePhase(services, job));
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
      await setAside(services, { plan: location.id, phase, session }, { end: 'interrupted', reason: error.message });
      return report({ end: 'interrupted', next: phase, summary: error.message, commits: [] });
    }
  }

  /** Forgets a session; one that is over gives what it was not told back to its plan. */
  async close(plan: QualifiedId, session: Ulid): Promise<void> {
    await this.#parts.live.close(session);
    if (!this.#detached) await giveNotesBack(this.#parts, plan, session);
    await this.#parts.transcripts.close(session);
  }

  async #deliver(location: PlanLocation): Promise<void> {
    const { plans } = await this.#parts.directory.all();
    await deliverMessages(
      this.#parts,
      location.id,
      plans.map((plan) => plan.id),
    );
  }

  /** What the session may cost is set aside before anything of it is on disk, and given back whatever comes of it. */
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
      if (begun.phase === 'work') await runPreWork(services, start.location, begun.session, stop);
      const { givenBytes, ...started } = await startSession(services, { ...this.#parts, stop }, start, begun);
      start.onStarted?.();
      const { location } = start;
      const report = await this.#conclude({ plan: location.id, location, told: 0, ...started }, stop);
      return { ...report, givenBytes, durationMs: services.clock.monotonicMs() - startedMs };
    } catch (error) {
      if (!this.#detached) await giveUp(services, begun.plan, begun.session, error);
      throw error;
    } finally {
      await this.close(begun.plan, begun.session);
    }
  }

  async #follow(running: RunningSession, stop: AbortSignal) {
    const { services, transcripts } = this.#parts;
    const kill = () => {
      // Its limits and its watchdog still end it; how it ended is told by its outcome.
      running.harness.kill('stopped').catch((error: unknown) => services.log.warn(messageOf(error)));
    };
    if (stop.aborted) kill();
    stop.addEventListener('abort', kill, { once: true });
    this.#following.add(running.plan);
    this.#tellQuiet();
    try {
      return await followSession(services, running);
    } finally {
      this.#following.delete(running.plan);
      stop.removeEventListener('abort', kill);
      await transcripts.flush(running.transaction.session);
    }
  }

  /**
   * Phases that look at the source take turns in its tree; the others take it for their commits alone. Whoever has it
   * does not queue again.
   */
  #inTree<T>(location: PlanLocation, phase: Phase, work: () => Promise<T>, stop?: AbortSignal): Promise<T> {
    const { id, projectDirectory } = location;
    const looksAtSource = phase === 'work' || phase === 'analyse-work' || isCodePhase(phase);
    if (!looksAtSource || this.#kept.has(id) || this.#inTrees.has(id)) return work();
    return this.#parts.trees.run(projectDirectory, this.#waiter(location, phase, stop), async () => {
      this.#inTrees.add(id);
      try {
        return await work();
      } finally {
        this.#inTrees.delete(id);
      }
    });
  }

  /** Commits of one repository are made one after the other, whichever of its projects they belong to. */
  async #inRepository<T>(location: PlanLocation, phase: Phase, work: () => Promise<T>): Promise<T> {
    const { services, trees } = this.#parts;
    const { root } = await locateRepository(services.git, location.projectDirectory);
    return trees.run(`repository ${root}`, this.#waiter(location, phase), work);
  }

  async #keepTree(location: PlanLocation, stop: AbortSignal): Promise<void> {
    const waiter = this.#waiter(location, 'work', stop);
    this.#kept.set(location.id, await this.#parts.trees.take(location.projectDirectory, waiter));
  }

  #releaseTree(plan: QualifiedId): void {
    this.#kept.get(plan)?.();
    this.#kept.delete(plan);
  }

  #waiter(location: PlanLocation, phase: Phase, stop?: AbortSignal): Waiter {
    return {
      plan: location.id,
      onWait: (behind) => {
        const reason = `${behind} works in the same tree`;
        emitFor(this.#parts.services, location.id, { type: 'run.queued', phase, behind, reason });
      },
      ...(stop !== undefined && { stop }),
    };
  }
}
