import type { Clock } from './clock.ts';

/** A promise that is settled from outside. */
export interface Deferred<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
  reject(error: unknown): void;
}

export function createDeferred<T>(): Deferred<T> {
  // A promise runs its executor at once, so neither placeholder is ever called.
  let resolve: (value: T) => void = () => undefined;
  let reject: (error: unknown) => void = () => undefined;
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}

/** The outcome of `promise`, or a rejection with `onTimeout()` when `timeoutMs` pass first. Cancels nothing by itself. */
export function withTimeout<T>(
  clock: Clock,
  timeoutMs: number,
  promise: Promise<T>,
  onTimeout: () => Error,
): Promise<T> {
  const timedOut = createDeferred<never>();
  const timer = clock.schedule(timeoutMs, () => timedOut.reject(onTimeout()));
  return Promise.race([promise, timedOut.promise]).finally(() => timer.dispose());
}

/** Resolves once everything has run that is ready to run now. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** Few enough that a slice does not hold up other work: each item takes a few microseconds. */
const sliceLength = 500;

/** Calls `each` for every item in order, and lets others have their turn every few hundred. */
export async function forEachYielding<T>(items: Iterable<T>, each: (item: T) => void): Promise<void> {
  let count = 0;
  for (const item of items) {
    each(item);
    count += 1;
    if (count % sliceLength === 0) await nextTurn();
  }
}

/**
 * Calls `each` for every item, at most `atATime` at once, and starts them in order. Once all have settled, it rejects
 * with the first failure.
 */
export async function forEachOfSome<T>(
  items: readonly T[],
  atATime: number,
  each: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = items.values();
  const work = async (): Promise<void> => {
    for (const item of waiting) await each(item);
  };
  await settleAll(Array.from({ length: Math.min(atATime, items.length) }, work));
}

/** Runs work that pauses from time to time, and lets others have their turn at each pause; an abort ends it there. */
export async function runInSlices<T>(work: Iterator<undefined, T>, signal?: AbortSignal): Promise<T> {
  for (let step = work.next(); ; step = work.next()) {
    if (step.done === true) return step.value;
    await nextTurn();
    signal?.throwIfAborted();
  }
}

/** Runs the same work without a pause. */
export function runToEnd<T>(work: Iterator<undefined, T>): T {
  for (let step = work.next(); ; step = work.next()) if (step.done === true) return step.value;
}

/** As `Promise.all`, but it settles last: when it rejects, with the first error in order, nothing goes on behind its back. */
export async function settleAll(work: readonly Promise<unknown>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(work)) if (outcome.status === 'rejected') throw outcome.reason;
}

/** Takes one step after the other, also after one that failed; rejects at the end, with the first error in order. */
export async function settleInOrder(steps: readonly (() => Promise<unknown> | undefined)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
