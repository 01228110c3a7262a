import { type Clock, formatTimestamp } from '../base/clock.ts';
import type { Disk } from '../base/disk.ts';
import { messageOf } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import type { RavelEvent } from '../model/event.ts';
import {
  faultOf,
  gathered,
  type NotifySettings,
  newestKeys,
  notificationOf,
  type PersonNotification,
  questionNotification,
} from '../model/notification.ts';
import type { VaultLayout } from '../vault/layout.ts';
import type { Deliver } from './deliver.ts';
import { gatherMs, NewsQueue } from './newsQueue.ts';
import { loadNotifierState, type NotifierState, saveNotifierState } from './notifierState.ts';

export interface NotifierParts {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly layout: VaultLayout;
  readonly log: Logger;
  readonly settings: NotifySettings;
  readonly deliver: Deliver;
  /** Whether the person has a window of Ravel before them, which shows the same. */
  readonly isWatched?: (() => boolean) | undefined;
}

/** An open question, as its event had it. */
export type QuestionForPerson = Parameters<typeof questionNotification>[0];

/** What the last notifications of an owner may take. */
const lastWordMs = 3000;

/**
 * Tells the person what needs them, each thing once: its mark is on disk before it is told, so a restart tells nothing a
 * second time.
 */
export class Notifier {
  readonly #parts: NotifierParts;
  readonly #stopping = new AbortController();
  readonly #queue: NewsQueue<PersonNotification>;
  #state: Omit<NotifierState, 'held' | 'dropped'>;

  private constructor(parts: NotifierParts, { held, dropped = 0, ...state }: NotifierState) {
    const { clock, settings } = parts;
    this.#parts = parts;
    this.#state = state;
    this.#queue = new NewsQueue<PersonNotification>(
      {
        clock,
        newsOf: notificationOf,
        isNew: ({ key, kind }) => settings.kinds.some((one) => one === kind) && !this.#state.told.includes(key),
        quietHours: async () => settings['quiet-hours'],
        gatherMs: () => gatherMs,
        tell: (news, more) => this.#tell(news, more),
        keep: () => this.#save(),
        onError: (error) => this.#warn(messageOf(error)),
      },
      { held, dropped },
    );
  }

  /** With the questions that are open: one that an earlier owner opened may not have been told. */
  static async begin(parts: NotifierParts, open: readonly QuestionForPerson[]): Promise<Notifier> {
    const notifier = new Notifier(parts, await loadNotifierState(parts.disk, parts.layout));
    notifier.#queue.add(open.map(questionNotification));
    return notifier;
  }

  take(event: RavelEvent): void {
    if (event.type === 'actor.changed' && event.state === 'active') this.#forgetFaults(event.actor);
    this.#queue.take(event);
  }

  /** Resolves once what was begun is told. */
  settled(): Promise<void> {
    return this.#queue.settled();
  }

  /**
   * Tells what waits, without a pause before it: a run in a terminal ends with what it has to tell. In quiet hours it is
   * kept for the next owner. Resolves once that is over, or its time is.
   */
  async stop(): Promise<void> {
    const limit = this.#parts.clock.schedule(lastWordMs, () => this.#stopping.abort());
    await this.#queue.tellLast().catch((error: unknown) => this.#warn(messageOf(error)));
    limit.dispose();
    this.#stopping.abort();
    this.#queue.stop();
    await this.settled();
  }

  #forgetFaults(actor: string): void {
    const told = this.#state.told.filter((key) => !key.startsWith(faultOf(actor)));
    if (told.length < this.#state.told.length) this.#state = { ...this.#state, told };
  }

  async #tell(news: readonly PersonNotification[], dropped: number): Promise<void> {
    const { deliver, isWatched } = this.#parts;
    const told = new Set([...this.#state.told, ...news.map(({ key }) => key)]);
    this.#state = { ...this.#state, told: [...newestKeys([...told])] };
    // Before it is told: in doubt a thing is told once rather than twice.
    await this.#save();
    if (isWatched?.() === true) return;
    const problems: string[] = [];
    for (const one of gathered(news, dropped)) problems.push(...(await deliver(one, this.#stopping.signal)));
    // It is told, and stays so if this cannot be written.
    await this.#remember(problems[0]).catch((error: unknown) => this.#warn(messageOf(error)));
  }

  /** For the doctor; a problem that stays the same is in the log once. */
  async #remember(message: string | undefined): Promise<void> {
    const { problem, ...rest } = this.#state;
    if (message === problem?.message) return;
    if (message === undefined) this.#state = rest;
    else {
      this.#state = { ...rest, problem: { at: formatTimestamp(this.#parts.clock.wallMs()), message } };
      this.#warn(message);
    }
    await this.#save();
  }

  #warn(problem: string): void {
    this.#parts.log.warn('a notification was not sent', { problem });
  }

  #save(): Promise<void> {
    const { disk, layout } = this.#parts;
    const { held, dropped } = this.#queue.waiting;
    return saveNotifierState(disk, layout, { ...this.#state, held: [...held], ...(dropped > 0 && { dropped }) });
  }
}
