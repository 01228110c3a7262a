import { assert } from '../base/assert.ts';
import type { Clock } from '../base/clock.ts';
import { defined } from '../base/defined.ts';
import { messageOf, type RavelError } from '../base/errors.ts';
import { diagnostic, failure } from '../model/codes.ts';
import type { QualifiedId } from '../model/id.ts';
import { addCrash, fromWall, isStopped, type Moment, type RestartBudget, toWall } from './restartPolicy.ts';
import type { CrashTimes, SupervisorEvents, SupervisorLimits } from './supervision.ts';

export interface CrashRecordParts {
  readonly clock: Clock;
  readonly crashTimes: CrashTimes;
  readonly limits: SupervisorLimits;
  readonly events: SupervisorEvents;
}

/** The crashes of one actor, in this process and those before it. */
export class CrashRecord {
  readonly #actor: QualifiedId;
  readonly #parts: CrashRecordParts;
  readonly #budget: RestartBudget;
  #times: number[] | undefined;

  constructor(actor: QualifiedId, parts: CrashRecordParts) {
    const { crashes, crashWindowMs } = parts.limits;
    assert(crashes > 0, 'a budget allows something');
    this.#actor = actor;
    this.#parts = parts;
    this.#budget = { crashes, windowMs: crashWindowMs };
  }

  /** Throws `actor/faulted` if an earlier process stopped the actor. */
  async load(): Promise<void> {
    this.#times ??= fromWall(await this.#parts.crashTimes.load(this.#actor), this.#now(), this.#budget);
    assert(this.#times.length <= this.#budget.crashes, 'no more crashes are kept than count');
    if (isStopped(this.#times, this.#budget)) throw this.#stopped();
    assert(this.#times.length < this.#budget.crashes, 'an actor that crashed too often is stopped');
  }

  /** One more. Throws `actor/faulted` if the budget is used up. */
  async count(error: unknown): Promise<void> {
    const { crashTimes, events } = this.#parts;
    const now = this.#now();
    assert(this.#times !== undefined, 'the crash times are loaded');
    this.#times = addCrash(this.#times, now.monotonicMs, this.#budget);
    try {
      await crashTimes.save(this.#actor, toWall(this.#times, now));
    } catch (saveError) {
      // It counts in this process all the same; the next one may forgive it.
      const message = `The crash of ${this.#actor} could not be written down: ${messageOf(saveError)}`;
      events.diagnostic(diagnostic('disk/failed', this.#actor, message, { severity: 'warning' }));
    }
    events.diagnostic(diagnostic('message/crashed', this.#actor, `${this.#actor} crashed: ${messageOf(error)}`));
    if (isStopped(this.#times, this.#budget)) throw this.#stopped(error);
    assert(this.#times.length < this.#budget.crashes, 'an actor that crashed too often is stopped');
  }

  /** A person forgives. */
  async clear(): Promise<void> {
    await this.#parts.crashTimes.save(this.#actor, []);
    this.#times = [];
    assert(!isStopped(this.#times, this.#budget), 'a revived actor can continue');
  }

  #now(): Moment {
    const { clock } = this.#parts;
    return { wallMs: clock.wallMs(), monotonicMs: clock.monotonicMs() };
  }

  #stopped(cause?: unknown): RavelError {
    return crashedTooOften(this.#actor, this.#budget, cause);
  }
}

/** Why an actor that is not running would not start; undefined if its crashes allow a start. */
export async function stoppedByCrashes(
  actor: QualifiedId,
  {
    crashTimes,
    limits,
  }: {
    readonly crashTimes: Pick<CrashTimes, 'load'>;
    readonly limits: Pick<SupervisorLimits, 'crashes' | 'crashWindowMs'>;
  },
): Promise<RavelError | undefined> {
  const budget = { crashes: limits.crashes, windowMs: limits.crashWindowMs };
  const times = (await crashTimes.load(actor)).slice(-budget.crashes);
  assert(times.length <= budget.crashes, 'no more crashes are kept than count');
  return isStopped(times, budget) ? crashedTooOften(actor, budget) : undefined;
}

function crashedTooOften(actor: QualifiedId, { crashes, windowMs }: RestartBudget, cause?: unknown): RavelError {
  const seconds = Math.round(windowMs / 1000);
  const last = cause === undefined ? '' : ` The last time: ${messageOf(cause)}`;
  const message = `${actor} crashed ${crashes} times within ${seconds} s.${last}`;
  return failure('actor/faulted', actor, message, defined({ cause }));
}
