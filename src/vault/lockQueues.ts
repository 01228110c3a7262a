import { randomBytes } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import { type Logger, silentLogger } from '../base/log.ts';
import { Semaphore } from '../base/semaphore.ts';
import { type Claim, type LockInfo, locked } from './claim.ts';

/** The turn of a member of the queue, which shares its news with the members behind it. */
export interface Turn {
  /** How much longer to wait for another process, in milliseconds: the time counts from when the queue last moved. */
  leftMs(): number;
  /** The lock was taken, or given back. */
  recordMove(): void;
  /** Why the lock cannot be had yet; those hear it whose time is over meanwhile. */
  explain(reason: string): void;
  /** Whether the queue is long and has had the lock for so long that other processes should go first now. */
  endSlice(): boolean;
}

export interface QueueOptions {
  readonly clock: Clock;
  /** The lock's file. */
  readonly path: string;
  /** How long the queue may stand still. */
  readonly timeoutMs: number;
}

const markKey = 'queue';
/** How long a queue keeps the lock before it checks whether other processes wait. */
const sliceMs = 250;

/**
 * Those of one process who want the same lock, one at a time and in the order they came. A wait ends when the queue has
 * not moved for the whole time, however long it is: of many who come at once, none fails because of the others.
 */
export class LockQueues {
  /** Hears what did not go well and decided over nothing. */
  readonly log: Logger;
  readonly #queues = new Map<string, Queue>();
  readonly #id = randomBytes(8).toString('hex');
  #claims = 0;

  constructor(log: Logger = silentLogger) {
    this.log = log;
  }

  /** What a claim says of the queue it comes from. No two are the same, so that none is removed in the place of another. */
  newMark(): LockInfo {
    this.#claims += 1;
    return { [markKey]: `${this.#id}.${this.#claims}` };
  }

  /** Whether a claim comes from here: who has its turn, and holds nothing yet, then knows that it is stale. */
  madeClaim(claim: Claim | undefined): boolean {
    return claim?.info?.[markKey]?.startsWith(`${this.#id}.`) === true;
  }

  /** Does `work` when it is its turn. Throws `vault/locked` when the queue stands still, and the signal's reason. */
  async inTurn<T>(options: QueueOptions, work: (turn: Turn) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const { path, clock } = options;
    const queue = this.#queues.get(path) ?? new Queue(clock);
    this.#queues.set(path, queue);
    queue.members += 1;
    try {
      const turn = new MemberTurn(queue, options);
      const place = await waitForPlace(queue, turn, options, signal);
      try {
        return await work(turn);
      } finally {
        place.dispose();
      }
    } finally {
      queue.members -= 1;
      if (queue.members === 0) this.#queues.delete(path);
    }
  }
}

class Queue {
  readonly semaphore = new Semaphore(1);
  members = 0;
  movedMs: number;
  /** Since when it has had the lock without a pause for others. */
  sliceStartMs: number;
  reason = '';

  constructor(clock: Clock) {
    this.movedMs = clock.monotonicMs();
    this.sliceStartMs = this.movedMs;
  }
}

class MemberTurn implements Turn {
  readonly #queue: Queue;
  readonly #options: QueueOptions;
  readonly #arrivedMs: number;

  constructor(queue: Queue, options: QueueOptions) {
    this.#queue = queue;
    this.#options = options;
    this.#arrivedMs = options.clock.monotonicMs();
  }

  leftMs(): number {
    const { clock, timeoutMs } = this.#options;
    return Math.max(this.#arrivedMs, this.#queue.movedMs) + timeoutMs - clock.monotonicMs();
  }

  recordMove(): void {
    this.#queue.movedMs = this.#options.clock.monotonicMs();
    this.#queue.reason = '';
  }

  explain(reason: string): void {
    this.#queue.reason = reason;
  }

  endSlice(): boolean {
    const nowMs = this.#options.clock.monotonicMs();
    if (this.#queue.members === 1 || nowMs - this.#queue.sliceStartMs < sliceMs) return false;
    this.#queue.sliceStartMs = nowMs;
    return true;
  }
}

async function waitForPlace(
  queue: Queue,
  turn: Turn,
  { clock, path }: QueueOptions,
  signal: AbortSignal | undefined,
): Promise<Disposable> {
  const late = new AbortController();
  const giveUp = signal === undefined ? late.signal : AbortSignal.any([late.signal, signal]);
  if (queue.members === 1) return queue.semaphore.acquire(giveUp);
  const giveUpWhenLate = (): void => {
    const leftMs = turn.leftMs();
    if (leftMs > 0) timer = clock.schedule(leftMs, giveUpWhenLate);
    else
      late.abort(
        locked(path, queue.reason || `A change under ${path} has been going on in this process for too long.`),
      );
  };
  let timer = clock.schedule(turn.leftMs(), giveUpWhenLate);
  try {
    return await queue.semaphore.acquire(giveUp);
  } finally {
    timer.dispose();
  }
}
