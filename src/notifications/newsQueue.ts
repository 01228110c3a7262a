import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import { SerialQueue } from '../base/semaphore.ts';
import type { RavelEvent } from '../model/event.ts';
import { isQuiet, type NotifySettings, type PersonNotification, questionKey } from '../model/notification.ts';

export interface NewsQueueParts<News extends PersonNotification> {
  readonly clock: Clock;
  /** What an event tells the person in this place; undefined for most. */
  readonly newsOf: (event: RavelEvent) => News | undefined;
  /** Whether the person wants to hear of it here and has not. */
  readonly isNew: (news: News) => boolean;
  /** Asked each time, since an edit may hold at once. */
  readonly quietHours: () => Promise<NotifySettings['quiet-hours']>;
  /** How long others are waited for that are told together with the first, in milliseconds. */
  readonly gatherMs: () => number;
  /** Tells all of it; `dropped` more came than could be kept. Rejects only if none of it was told: then it is tried again. */
  readonly tell: (news: readonly News[], dropped: number) => Promise<void>;
  /** It waits for the end of the quiet hours. */
  readonly keep?: () => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** What waits to be told. */
export interface HeldNews<News> {
  readonly held: readonly News[];
  /** How many more came than are kept. */
  readonly dropped: number;
}

/** What happens within this time is told at once. */
export const gatherMs = 1000;
/** Between two times at which something is told. */
const pauseMs = 10_000;
/** How often the quiet hours are looked at while something waits for their end. */
const quietCheckMs = 60_000;
/** How often it is tried in a row to tell something; then what waits is told with what comes next. */
const triesMax = 5;
/** What waits; of more than that the oldest are forgotten. */
const heldMax = 200;

const nothing: HeldNews<never> = { held: [], dropped: 0 };

/**
 * What is worth telling a person and when, wherever it is told: together with what happens at the same moment, with a
 * pause between two times, not in the quiet hours, and not once a question is answered.
 */
export class NewsQueue<News extends PersonNotification> {
  readonly #parts: NewsQueueParts<News>;
  readonly #work = new SerialQueue();
  /** Plans whose session a person stopped: they know. */
  readonly #stopped = new Set<string>();
  #held: HeldNews<News>;
  /** What is being told. */
  #telling: HeldNews<News> = nothing;
  /** How often in a row that failed. */
  #failures = 0;
  #timer: Disposable | undefined;
  #lastMs = Number.NEGATIVE_INFINITY;
  #isStopped = false;

  constructor(parts: NewsQueueParts<News>, held: HeldNews<News> = nothing) {
    this.#parts = parts;
    this.#held = held;
  }

  get waiting(): HeldNews<News> {
    return this.#held;
  }

  take(event: RavelEvent): void {
    if (event.type === 'approval.decided' || event.type === 'approval.deferred') {
      this.remove(({ key }) => key === questionKey(event.approval));
    }
    if (event.type === 'session.started') this.#stopped.delete(event.actor);
    if (event.type === 'session.ended' && event.end === 'stopped') this.#stopped.add(event.actor);
    const news = this.#parts.newsOf(event);
    if (news === undefined) return;
    const isOwnDoing = news.kind === 'phase-failed' || news.kind === 'run-ended';
    if (!isOwnDoing || !this.#stopped.has(event.actor)) this.add([news]);
  }

  add(news: readonly News[]): void {
    for (const one of news) this.#add(one);
    this.#schedule(this.#parts.gatherMs());
  }

  remove(isOver: (news: News) => boolean): void {
    const without = (news: HeldNews<News>) => ({ ...news, held: news.held.filter((one) => !isOver(one)) });
    this.#held = without(this.#held);
    this.#telling = without(this.#telling);
  }

  /** Resolves once what was begun is told. */
  settled(): Promise<void> {
    return this.#work.drained();
  }

  /** Tells what waits, without a pause before it; in quiet hours it is kept. */
  async tellLast(): Promise<void> {
    this.#timer?.dispose();
    await this.#work.run(() => this.#tell('last'));
  }

  /** Tells nothing any more. */
  stop(): void {
    this.#isStopped = true;
    this.#timer?.dispose();
  }

  #add(news: News): void {
    const { held, dropped } = this.#held;
    if (!this.#parts.isNew(news) || held.some(({ key }) => key === news.key)) return;
    this.#hold([...held, news], dropped);
  }

  #hold(all: readonly News[], dropped: number): void {
    this.#held = { held: all.slice(-heldMax), dropped: dropped + Math.max(0, all.length - heldMax) };
  }

  #schedule(delayMs: number): void {
    if (this.#timer !== undefined || this.#held.held.length === 0 || this.#isStopped) return;
    this.#timer = this.#parts.clock.schedule(delayMs, () => {
      this.#timer = undefined;
      void this.#work.run(() => this.#tell()).catch(this.#parts.onError);
    });
  }

  async #tell(when?: 'last'): Promise<void> {
    try {
      await this.#tellNow(when);
    } catch (error) {
      this.#keepTelling();
      this.#failures += 1;
      if (this.#failures < triesMax) this.#schedule(pauseMs);
      // Of failures in a row the first says it.
      if (this.#failures === 1 || when === 'last') throw error;
    }
  }

  /** What could not be told waits again, before what came meanwhile. */
  #keepTelling(): void {
    const [first, later] = [this.#telling, this.#held];
    this.#telling = nothing;
    const keys = new Set(first.held.map(({ key }) => key));
    const rest = later.held.filter(({ key }) => !keys.has(key));
    this.#hold([...first.held, ...rest], first.dropped + later.dropped);
  }

  async #tellNow(when?: 'last'): Promise<void> {
    const { clock, quietHours, keep, tell } = this.#parts;
    if (this.#isStopped || this.#held.held.length === 0) return;
    if (isQuiet(await quietHours(), clock.wallMs())) {
      await keep?.();
      return this.#schedule(quietCheckMs);
    }
    const waitMs = this.#lastMs + pauseMs - clock.monotonicMs();
    if (waitMs > 0 && when !== 'last') return this.#schedule(waitMs);
    this.#lastMs = clock.monotonicMs();
    this.#telling = this.#held;
    this.#held = nothing;
    await tell(this.#telling.held, this.#telling.dropped);
    this.#telling = nothing;
    this.#failures = 0;
    this.#schedule(pauseMs);
  }
}
