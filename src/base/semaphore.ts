import type { Disposable } from './disposable.ts';

/** Lets `count` callers run at a time; the others wait, in the order they came. */
export class Semaphore {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(count: number) {
    this.#free = count;
  }

  /** Resolves when it is the caller's turn, which lasts until what it is given is disposed of. Rejects when aborted. */
  async acquire(signal: AbortSignal): Promise<Disposable> {
    signal.throwIfAborted();
    if (this.#free > 0) {
      this.#free -= 1;
      return this.#turn();
    }
    await new Promise<void>((resolve, reject) => {
      const begin = () => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = () => {
        this.#waiting.splice(this.#waiting.indexOf(begin), 1);
        reject(signal.reason);
      };
      this.#waiting.push(begin);
      signal.addEventListener('abort', giveUp, { once: true });
    });
    return this.#turn();
  }

  /** Passes directly to the next waiting caller, so that a later one cannot overtake it. */
  #turn(): Disposable {
    let isOver = false;
    return {
      dispose: () => {
        if (isOver) return;
        isOver = true;
        const next = this.#waiting.shift();
        if (next === undefined) this.#free += 1;
        else next();
      },
    };
  }
}
