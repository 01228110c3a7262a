import { assert } from '../base/assert.ts';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';

/** A disk that is full, or a lock of another process, takes seconds to pass; and a new message tries at once. */
const refusedFirstMs = 5_000;
/** A crash that repeats comes to the longest pause after eleven tries, which take eight and a half minutes. */
const crashedFirstMs = 250;
const longestMs = 300_000;

/**
 * *Refused*: the system rejects a write, or another process holds a lock; by the time of the next message the cause
 * can be gone, so each message tries again. *Postponed*: the first message waits until other actors have done
 * something, and they report it. *Crashed*: the actor is restarted after a pause. A new message does not shorten the
 * wait in the last two cases.
 */
export type BackoffKind = 'refused' | 'postponed' | 'crashed';

/**
 * What keeps an actor from its work. The actor tries again by itself: after a refusal or a crash the pause doubles until
 * all work is done, and no pause is longer than five minutes.
 */
export class ActorBackoff {
  readonly #clock: Clock;
  readonly #tryAgain: () => void;
  readonly #longestMs: Readonly<Record<BackoffKind, number>>;
  #now: { readonly kind: BackoffKind; readonly reason: string; readonly timer: Disposable } | undefined;
  #nextMs = firstMs;

  /** `crashedMaxMs`: the longest pause after a crash. */
  constructor(clock: Clock, crashedMaxMs: number, tryAgain: () => void) {
    assert(crashedMaxMs > 0, 'a pause takes time');
    this.#clock = clock;
    this.#longestMs = { refused: longestMs, postponed: longestMs, crashed: Math.min(crashedMaxMs, longestMs) };
    this.#tryAgain = tryAgain;
  }

  get kind(): BackoffKind | undefined {
    return this.#now?.kind;
  }

  /** In words for a person. */
  get reason(): string | undefined {
    return this.#now?.reason;
  }

  begin(kind: BackoffKind, reason: string): void {
    assert(this.#now === undefined, 'an actor that backs off does not try');
    assert(reason !== '', 'a wait has a reason');
    const delayMs = Math.min(this.#nextMs[kind], this.#longestMs[kind]);
    this.#nextMs = { ...this.#nextMs, [kind]: 2 * delayMs };
    const timer = this.#clock.schedule(delayMs, () => {
      this.end();
      this.#tryAgain();
    });
    this.#now = { kind, reason, timer };
  }

  /** It may be over; whether it is, shows the next try. */
  end(): void {
    this.#now?.timer.dispose();
    this.#now = undefined;
  }

  /** All that there was to do is done, so the system takes what is written. */
  forget(): void {
    assert(this.#now === undefined, 'an actor that backs off completes nothing');
    this.#nextMs = firstMs;
  }
}

const firstMs: Readonly<Record<BackoffKind, number>> = {
  refused: refusedFirstMs,
  postponed: longestMs,
  crashed: crashedFirstMs,
};
