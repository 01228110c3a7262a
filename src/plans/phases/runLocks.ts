import type { Supervisor } from '../../actors/supervisor.ts';
import { createDeferred, type Deferred } from '../../base/async.ts';
import { messageOf } from '../../base/errors.ts';
import { failure } from '../../model/codes.ts';
import type { QualifiedId } from '../../model/id.ts';
import { settleUnderWay } from '../../vault/runState.ts';
import { emitFor, type PlanServices } from '../services.ts';
import type { WorkTrees } from './workTrees.ts';

export interface RunLocksParts {
  readonly services: PlanServices;
  readonly actors: Pick<Supervisor, 'keepActive'>;
  readonly trees: Pick<WorkTrees, 'waitsFor' | 'release'>;
}

/** One run of a plan at a time: who runs has the lock of the plan. Stops a run, or lets all of them go when the owner stops. */
export class RunLocks {
  readonly #parts: RunLocksParts;
  readonly #runs = new Map<QualifiedId, { readonly controller: AbortController; readonly ended: Deferred<void> }>();
  /** Of the plans that run, those that only wait for their session: there, letting go leaves nothing half done. */
  readonly #following = new Set<QualifiedId>();
  /** Of the plans that run, those that wait until fewer actors are active, and why. */
  readonly #queued = new Map<QualifiedId, string>();
  readonly #onQuiet = new Set<() => void>();
  #detached = false;

  constructor(parts: RunLocksParts) {
    this.#parts = parts;
  }

  /** Whether everything was released; nothing is written from there on. */
  get isDetached(): boolean {
    return this.#detached;
  }

  has(plan: QualifiedId): boolean {
    return this.#runs.has(plan);
  }

  get isEmpty(): boolean {
    return this.#runs.size === 0;
  }

  /** What a running plan waits for in a queue: fewer active actors, or its working tree. Undefined if it is in none. */
  waitsFor(plan: QualifiedId): string | undefined {
    return this.#queued.get(plan) ?? this.#parts.trees.waitsFor(plan);
  }

  /** Runs `work` of a plan that is free. Throws `plan/busy` if it is not, and `run/stopped` once all plans are detached. */
  async withPlan<T>(
    plan: QualifiedId,
    signal: AbortSignal | undefined,
    work: (stop: AbortSignal) => Promise<T>,
  ): Promise<T> {
    if (this.#detached) throw failure('run/stopped', plan, 'This Ravel is shutting down.');
    if (this.#runs.has(plan)) throw failure('plan/busy', plan, `A phase of ${plan} is running already.`);
    const controller = new AbortController();
    const ended = createDeferred<void>();
    this.#runs.set(plan, { controller, ended });
    try {
      return await work(signal === undefined ? controller.signal : AbortSignal.any([controller.signal, signal]));
    } finally {
      this.#parts.trees.release(plan);
      if (!this.#detached) await this.#settle(plan);
      this.#runs.delete(plan);
      ended.resolve();
      this.#notifyQuiet();
    }
  }

  /**
   * As `withPlan`, and the plan's actor counts as active meanwhile: if as many are as may be, the run waits first and
   * says so.
   */
  withActiveSlot<T>(
    plan: QualifiedId,
    signal: AbortSignal | undefined,
    work: (stop: AbortSignal) => Promise<T>,
  ): Promise<T> {
    return this.withPlan(plan, signal, (stop) => this.#inActiveSlot(plan, stop, () => work(stop)));
  }

  async #inActiveSlot<T>(plan: QualifiedId, stop: AbortSignal, work: () => Promise<T>): Promise<T> {
    const onQueued = (reason: string) => {
      this.#queued.set(plan, reason);
      emitFor(this.#parts.services, plan, { type: 'run.queued', reason });
    };
    const begin = () => {
      this.#queued.delete(plan);
      return work();
    };
    try {
      return await this.#parts.actors.keepActive(plan, stop, begin, onQueued);
    } finally {
      this.#queued.delete(plan);
    }
  }

  /** Waits for a session, which goes on without this process, so a detach does not wait for it. */
  async whileDetachable<T>(plan: QualifiedId, work: () => Promise<T>): Promise<T> {
    this.#following.add(plan);
    this.#notifyQuiet();
    try {
      return await work();
    } finally {
      this.#following.delete(plan);
    }
  }

  /** Ends what runs for the plan, and resolves when it has ended; false when nothing runs. */
  async stop(plan: QualifiedId): Promise<boolean> {
    const run = this.#runs.get(plan);
    if (run === undefined) return false;
    run.controller.abort(failure('run/stopped', plan, 'the run was stopped'));
    await run.ended.promise;
    return true;
  }

  /** Resolves once every running plan only waits for its session. */
  detach(): Promise<void> {
    this.#detached = true;
    for (const plan of this.#queued.keys()) {
      this.#runs.get(plan)?.controller.abort(failure('run/stopped', plan, 'This Ravel is shutting down.'));
    }
    return new Promise((resolve) => {
      this.#onQuiet.add(resolve);
      this.#notifyQuiet();
    });
  }

  /** A plan that stays in the index costs the next start one look. */
  async #settle(plan: QualifiedId): Promise<void> {
    const { services } = this.#parts;
    await settleUnderWay(services, plan).catch((error: unknown) => {
      services.log.warn('the index of what is under way is not up to date', { plan, error: messageOf(error) });
    });
  }

  #notifyQuiet(): void {
    if ([...this.#runs.keys()].some((plan) => !this.#following.has(plan))) return;
    for (const onQuiet of this.#onQuiet) onQuiet();
    this.#onQuiet.clear();
  }
}
