import type { Supervisor } from '../../actors/supervisor.ts';
import { createDeferred, type Deferred } from '../../base/async.ts';
import { messageOf } from '../../base/errors.ts';
import { failure } from '../../model/codes.ts';
import type { QualifiedId } from '../../model/id.ts';
import { emitFor, type PlanServices } from '../services.ts';
import { settleUnderWay } from './updateRunState.ts';
import type { WorkTrees } from './workTrees.ts';

export interface BusyPlansParts {
  readonly services: PlanServices;
  readonly actors: Pick<Supervisor, 'keepActive'>;
  readonly trees: Pick<WorkTrees, 'waitsFor' | 'release'>;
}

/** Which plans are busy: nothing else of them runs meanwhile. Ends their work, or lets it go when the owner stops. */
export class BusyPlans {
  readonly #parts: BusyPlansParts;
  readonly #busy = new Map<QualifiedId, { readonly controller: AbortController; readonly ended: Deferred<void> }>();
  /** Of the busy plans, those that only wait for their session: there, letting go leaves nothing half done. */
  readonly #following = new Set<QualifiedId>();
  /** Of the busy plans, those that wait until fewer actors are active, and why. */
  readonly #queued = new Map<QualifiedId, string>();
  readonly #onQuiet = new Set<() => void>();
  #detached = false;

  constructor(parts: BusyPlansParts) {
    this.#parts = parts;
  }

  /** Whether everything was released; nothing is written from there on. */
  get isDetached(): boolean {
    return this.#detached;
  }

  has(plan: QualifiedId): boolean {
    return this.#busy.has(plan);
  }

  get isEmpty(): boolean {
    return this.#busy.size === 0;
  }

  /** What a busy plan waits for in a queue: fewer active actors, or its working tree. Undefined if it is in none. */
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
    if (this.#busy.has(plan)) throw failure('plan/busy', plan, `A phase of ${plan} is running already.`);
    const controller = new AbortController();
    const ended = createDeferred<void>();
    this.#busy.set(plan, { controller, ended });
    try {
      return await work(signal === undefined ? controller.signal : AbortSignal.any([controller.signal, signal]));
    } finally {
      this.#parts.trees.release(plan);
      if (!this.#detached) await this.#settle(plan);
      this.#busy.delete(plan);
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
    const busy = this.#busy.get(plan);
    if (busy === undefined) return false;
    busy.controller.abort(failure('run/stopped', plan, 'a person stopped the run'));
    await busy.ended.promise;
    return true;
  }

  /** Resolves once every busy plan only waits for its session. */
  detach(): Promise<void> {
    this.#detached = true;
    for (const plan of this.#queued.keys()) {
      this.#busy.get(plan)?.controller.abort(failure('run/stopped', plan, 'This Ravel is shutting down.'));
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
    if ([...this.#busy.keys()].some((plan) => !this.#following.has(plan))) return;
    for (const onQuiet of this.#onQuiet) onQuiet();
    this.#onQuiet.clear();
  }
}
