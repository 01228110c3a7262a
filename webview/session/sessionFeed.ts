import type { Disposable } from '../../src/base/disposable.ts';
import { isRavelError } from '../../src/base/errors.ts';
import type { RavelEvent } from '../../src/model/event.ts';
import type { Ulid } from '../../src/model/id.ts';
import type { PageApi } from '../../src/model/webview.ts';

export interface FeedParts {
  readonly api: PageApi;
  readonly session: Ulid;
  /** Takes the events of the session in their order, each once. */
  readonly take: (events: readonly RavelEvent[]) => void;
  readonly onError: (error: unknown) => void;
}

/**
 * All events of one session, without a hole and without a repetition: it listens first, then reads the transcript, and
 * leaves out of what came meanwhile whatever stood there already. Whenever events may be missing, the transcript is read
 * on from where the feed has come.
 */
export class SessionFeed implements Disposable {
  readonly #parts: FeedParts;
  readonly #subscription: Disposable;
  /** Where the transcript goes on behind what was taken. */
  #count = 0;
  /** Where the next output has to follow, once one is known. */
  #lastSeq: number | undefined;
  /** What came while the transcript is read; undefined while events are taken as they come. */
  #held: RavelEvent[] | undefined = [];
  /** What was read since the feed began to hold events back, and may still come by itself. */
  readonly #read = new Map<string, number>();
  #isReading = false;
  /** Reading again was asked for while it is under way. */
  #isStale = false;
  #isDisposed = false;

  constructor(parts: FeedParts) {
    this.#parts = parts;
    this.#subscription = parts.api.onEvent((event) => {
      if ('session' in event && event.session === parts.session) this.#onEvent(event);
    });
    this.refresh();
  }

  get count(): number {
    return this.#count;
  }

  /** Events may be missing: reads the transcript on. */
  refresh(): void {
    this.#held ??= [];
    if (this.#isReading) this.#isStale = true;
    else this.#catchUp().catch(this.#parts.onError);
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#subscription.dispose();
  }

  #onEvent(event: RavelEvent): void {
    if (this.#held === undefined && this.#leavesHole(event)) this.refresh();
    if (this.#held !== undefined) this.#held.push(event);
    else if (!this.#wasRead(event)) this.#take([event]);
  }

  /** What fails leaves everything as it is: the next opening of the vault reads on from there. */
  async #catchUp(): Promise<void> {
    this.#isReading = true;
    try {
      do {
        this.#isStale = false;
        while (!this.#isDisposed && (await this.#readPart()));
      } while (this.#isStale && !this.#isDisposed);
    } finally {
      this.#isReading = false;
    }
    const held = this.#held ?? [];
    this.#held = undefined;
    // All of them came before or after what was read: there is no hole that reading again could fill.
    this.#take(held.filter((event) => !this.#wasRead(event)));
  }

  async #readPart(): Promise<boolean> {
    const { api, session } = this.#parts;
    try {
      const from = this.#count;
      const { events, next } = await api.request('transcript', { session, from });
      if (this.#isDisposed || events.length === 0) return false;
      for (const event of events) {
        const key = keyOf(event);
        this.#read.set(key, (this.#read.get(key) ?? 0) + 1);
      }
      this.#take(events);
      // One event may stand for many lines.
      this.#count = Math.max(next, this.#count);
      return next > from;
    } catch (error) {
      // A session that has said nothing yet has no transcript.
      if (isRavelError(error, 'session/unknown')) return false;
      throw error;
    }
  }

  #take(events: readonly RavelEvent[]): void {
    if (events.length === 0) return;
    this.#count += events.length;
    const output = events.findLast((event) => event.type === 'session.output');
    if (output !== undefined) this.#lastSeq = output.seq;
    this.#parts.take(events);
  }

  /** Events come in the order of the transcript, so nothing that stands there comes after the first that does not. */
  #wasRead(event: RavelEvent): boolean {
    if (this.#read.size === 0) return false;
    const key = keyOf(event);
    const times = this.#read.get(key) ?? 0;
    if (times === 0) this.#read.clear();
    else if (times === 1) this.#read.delete(key);
    else this.#read.set(key, times - 1);
    return times > 0;
  }

  #leavesHole(event: RavelEvent): boolean {
    return event.type === 'session.output' && this.#lastSeq !== undefined && event.seq > this.#lastSeq + 1;
  }
}

/** The same event from a transcript and from the live flow. */
function keyOf(event: RavelEvent): string {
  return event.type === 'session.output' ? `${event.seq}` : JSON.stringify(event);
}
