import { passingRefusal } from '../../actors/refusal.ts';
import { createDeferred, nextTurn, settleAll } from '../../base/async.ts';
import { backoffMs } from '../../base/backoff.ts';
import { delay } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import { ensureDirectory } from '../../base/files.ts';
import { SerialQueue } from '../../base/semaphore.ts';
import { failure } from '../../model/codes.ts';
import type { QualifiedId } from '../../model/id.ts';
import { listUnderWay } from '../../vault/underWay.ts';
import { type Recovering, type RecoveryParts, reattachSession, recoverPlan } from './recoverPlan.ts';
import { findUnsettledPlans, mayBeUnsettled } from './unsettledPlans.ts';
import { untilQueued } from './untilQueued.ts';

/** Tries after the one that the disk refused first: they take about two minutes. */
const againMax = 5;
const againPauses = { firstMs: 5_000, longestMs: 60_000 };

interface Begun {
  readonly firstTry: Promise<unknown>;
  /** The try that is under way, or the last one. Resolves, too, if the disk refuses it. */
  tried: Promise<boolean>;
  readonly settled: Promise<void>;
}

/**
 * Settles what an earlier owner left under way, while this one already serves. The plans that the index names come
 * first; then all plans that ever ran are checked, for those that the index lacks. A caller that needs a plan waits
 * only for that plan, which is then recovered out of turn. A plan that cannot be recovered is reported and does not
 * hold up the others.
 */
export class Recovery {
  readonly #parts: RecoveryParts;
  readonly #plans = new Map<QualifiedId, Begun>();
  /** What the disk said last of each plan that is tried again soon. */
  readonly #refused = new Map<QualifiedId, unknown>();
  /** Resolves once no commit that was cut short can be made to wait for a session that is taken over. */
  readonly #firstPass = createDeferred<void>();
  readonly #named = createDeferred<void>();
  readonly #reattaching = new SerialQueue();
  readonly #stopping = new AbortController();
  #all: Promise<void> | undefined;
  #isOver = false;

  constructor(parts: RecoveryParts) {
    this.#parts = parts;
  }

  /** Begins once; rejects if the run states cannot be read, and can then be begun again. */
  begin(): Promise<void> {
    this.#all ??= this.#recoverAll().catch((error: unknown) => {
      this.#all = undefined;
      throw error;
    });
    return this.#all;
  }

  /** Ends the recovery and releases the callers that wait for it. */
  giveUp(): void {
    this.#firstPass.resolve();
    this.#named.resolve();
  }

  /** Resolves once nothing of an earlier owner is to be settled here; rejects with `run/stopped` if this one stops. */
  async of(plan: QualifiedId): Promise<void> {
    await (await this.#begun(plan))?.settled;
  }

  /** As `of`, for a person who asks: rejects with what the disk says while the plan waits to be tried again. */
  async tried(plan: QualifiedId): Promise<void> {
    const begun = await this.#begun(plan);
    await begun?.tried;
    if (this.#refused.has(plan)) throw this.#refused.get(plan);
    await begun?.settled;
  }

  /** Resolves once the plans are settled that the index names. */
  named(): Promise<void> {
    return this.#named.promise;
  }

  /** Starts nothing new and waits for the work under way. */
  async stop(): Promise<void> {
    this.#stopping.abort(failure('run/stopped', this.#parts.services.layout.root, 'This Ravel is shutting down.'));
    await this.#all?.catch(() => undefined);
    this.giveUp();
    await settleAll([...this.#plans.values()].map(({ settled }) => settled));
  }

  async #recoverAll(): Promise<void> {
    const { disk, layout } = this.#parts.services;
    const { signal } = this.#stopping;
    const named = await listUnderWay(this.#parts.services);
    // Without an index there is nothing to go by but the run states.
    const first = named ?? (await findUnsettledPlans(this.#parts, signal));
    await this.#recoverEach(first);
    this.#named.resolve();
    if (named !== undefined) {
      // Plans that were asked for meanwhile come first.
      await nextTurn();
      await this.#recoverEach(await findUnsettledPlans(this.#parts, signal));
    }
    if (signal.aborted) return;
    await ensureDirectory(disk, layout.underWay, 0o700);
    this.#isOver = true;
    // What waits for a tree is settled later.
    for (const [plan, { settled }] of this.#plans) void settled.finally(() => this.#plans.delete(plan));
  }

  /**
   * One after the other, so that commits are made in the same order each time; sessions are taken over behind them. What
   * has to wait for a tree all the same is left to its queue.
   */
  async #recoverEach(plans: readonly QualifiedId[]): Promise<void> {
    for (const plan of plans) {
      if (this.#stopping.signal.aborted) return;
      await untilQueued(this.#parts, plan, this.#recover(plan).firstTry);
    }
    this.#firstPass.resolve();
    for (const plan of plans) {
      const begun = this.#plans.get(plan);
      if (begun !== undefined) await untilQueued(this.#parts, plan, begun.tried);
    }
  }

  /** Undefined if nothing is left of an earlier owner. */
  async #begun(plan: QualifiedId): Promise<Begun | undefined> {
    const known = this.#plans.get(plan);
    if (known !== undefined) return known;
    if (this.#isOver) return undefined;
    const isUnsettled = await mayBeUnsettled(this.#parts, plan);
    // Work that is under way by now belongs to this owner.
    if (!isUnsettled || this.#isOver) return undefined;
    // The next owner settles it.
    this.#stopping.signal.throwIfAborted();
    return this.#recover(plan);
  }

  #recover(plan: QualifiedId): Begun {
    // Another may have begun it while this one looked whether something is left.
    const known = this.#plans.get(plan);
    if (known !== undefined) return known;
    const firstTry = recoverPlan(this.#parts, plan, this.#stopping.signal, false);
    const tried = this.#didRecover(plan, firstTry);
    const settled = tried.then(async (isDone) => {
      if (!isDone) await this.#tryAgain(plan, begun);
    });
    const begun: Begun = { firstTry: firstTry.catch(() => undefined), tried, settled };
    this.#plans.set(plan, begun);
    return begun;
  }

  /** What the disk refuses for good is told by the last try. A stop leaves it to the next owner. */
  async #tryAgain(plan: QualifiedId, begun: Begun): Promise<void> {
    const { clock, log } = this.#parts.services;
    const { signal } = this.#stopping;
    for (let tries = 0; tries < againMax; tries++) {
      const waitMs = backoffMs(againPauses, tries);
      log.warn('a plan is recovered again soon', { plan, waitMs, error: messageOf(this.#refused.get(plan)) });
      await delay(clock, waitMs, signal).catch(() => undefined);
      if (signal.aborted) return;
      this.#refused.delete(plan);
      const isLastTry = tries === againMax - 1;
      begun.tried = this.#didRecover(plan, recoverPlan(this.#parts, plan, signal, isLastTry));
      if (await begun.tried) return;
    }
  }

  /** Resolves with false if the disk refused, which is noted. */
  async #didRecover(plan: QualifiedId, recovered: Promise<Recovering | undefined>): Promise<boolean> {
    try {
      await this.#resume(await recovered);
      return true;
    } catch (error) {
      this.#refused.set(plan, passingRefusal(error, plan) ?? error);
      return false;
    }
  }

  /** A session keeps its tree, and no commit that was cut short is to wait for its end. */
  async #resume(left: Recovering | undefined): Promise<void> {
    if (left === undefined) return;
    await this.#firstPass.promise;
    await this.#reattaching.run(async () => {
      if (!this.#stopping.signal.aborted) await reattachSession(this.#parts, left);
    });
  }
}
