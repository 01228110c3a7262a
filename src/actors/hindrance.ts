import { assert } from '../base/assert.ts';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';

const refusedFirstMs = 5_000;
const longestMs = 300_000;

/**
 * What keeps an actor from what it has to do. *Refused*: the disk does not take what must be written; whoever sends
 * something may find it mended. *Postponed*: the message in front waits until others have done something, which they
 * tell; one message more changes nothing. Both are tried again by themselves, after five minutes at the latest.
 */
export class Hindrance {
  readonly #clock: Clock;
  readonly #tryAgain: () => void;
  #now: { readonly kind: 'refused' | 'postponed'; readonly reason: string; readonly timer: Disposable } | undefined;
  #refusedMs = refusedFirstMs;

  constructor(clock: Clock, tryAgain: () => void) {
    this.#clock = clock;
    this.#tryAgain = tryAgain;
  }

  get kind(): 'refused' | 'postponed' | undefined {
    return this.#now?.kind;
  }

  /** In words for a person. */
  get reason(): string | undefined {
    return this.#now?.reason;
  }

  begin(kind: 'refused' | 'postponed', reason: string): void {
    assert(this.#now === undefined, 'who is kept from it does not try');
    assert(reason !== '', 'who waits is told why');
    const delayMs = kind === 'refused' ? this.#refusedMs : longestMs;
    if (kind === 'refused') this.#refusedMs = Math.min(2 * this.#refusedMs, longestMs);
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

  /** All that there was to do is done, so the disk takes what is written. */
  forget(): void {
    assert(this.#now === undefined, 'who is kept from it does not get it done');
    this.#refusedMs = refusedFirstMs;
  }
}
