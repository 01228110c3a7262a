import { type Clock, formatTimestamp } from '../base/clock.ts';
import type { Disk } from '../base/disk.ts';
import type { Disposable } from '../base/disposable.ts';
import { messageOf } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import { SerialQueue } from '../base/semaphore.ts';
import type { RavelEvent } from '../model/event.ts';
import {
  faultOf,
  gathered,
  isQuiet,
  type NotifySettings,
  notificationOf,
  type PersonNotification,
  questionKey,
  questionNotification,
} from '../model/notification.ts';
import type { VaultLayout } from '../vault/layout.ts';
import type { Deliver } from './deliver.ts';
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

/** What happens within this time is told at once. */
const gatherMs = 1000;
/** Between two times at which something is told. */
const pauseMs = 10_000;
/** What the last notifications of an owner may take. */
const lastWordMs = 3000;
/** How often the quiet hours are looked at while something waits for their end. */
const quietCheckMs = 60_000;
/** Keys that are remembered, and notifications that wait; of more than that the oldest are forgotten. */
const toldMax = 2000;
const heldMax = 200;

/**
 * Tells the person what needs them, each thing once: its mark is on disk before it is told, so a restart tells nothing a
 * second time.
 */
export class Notifier {
  readonly #parts: NotifierParts;
  readonly #stopping = new AbortController();
  readonly #work = new SerialQueue();
  /** Plans whose session a person stopped: they know. */
  readonly #stopped = new Set<string>();
  #state: NotifierState = { told: [], held: [] };
  #timer: Disposable | undefined;
  #lastMs = Number.NEGATIVE_INFINITY;

  private constructor(parts: NotifierParts) {
    this.#parts = parts;
  }

  /** With the questions that are open: one that an earlier owner opened may not have been told. */
  static async begin(parts: NotifierParts, open: readonly QuestionForPerson[]): Promise<Notifier> {
    const notifier = new Notifier(parts);
    notifier.#state = await loadNotifierState(parts.disk, parts.layout);
    for (const question of open) notifier.#add(questionNotification(question));
    notifier.#schedule(gatherMs);
    return notifier;
  }

  take(event: RavelEvent): void {
    if (event.type === 'approval.decided' || event.type === 'approval.deferred')
      this.#remove(questionKey(event.approval));
    if (event.type === 'actor.changed' && event.state === 'active') this.#forgetFaults(event.actor);
    if (event.type === 'session.started') this.#stopped.delete(event.actor);
    if (event.type === 'session.ended' && event.end === 'stopped') this.#stopped.add(event.actor);
    const notification = notificationOf(event);
    if (notification === undefined) return;
    const isOwnDoing = notification.kind === 'phase-failed' || notification.kind === 'run-ended';
    if (isOwnDoing && this.#stopped.has(event.actor)) return;
    this.#add(notification);
    this.#schedule(gatherMs);
  }

  /** Resolves once what was begun is told. */
  settled(): Promise<void> {
    return this.#work.drained();
  }

  /**
   * Tells what waits, without a pause before it: a run in a terminal ends with what it has to tell. In quiet hours it is
   * kept for the next owner. Resolves once that is over, or its time is.
   */
  async stop(): Promise<void> {
    const { clock } = this.#parts;
    this.#timer?.dispose();
    const limit = clock.schedule(lastWordMs, () => this.#stopping.abort());
    await this.#work.run(() => this.#tell('last')).catch((error: unknown) => this.#warn(messageOf(error)));
    limit.dispose();
    this.#stopping.abort();
    this.#timer?.dispose();
    await this.settled();
  }

  #add(notification: PersonNotification): void {
    const { key, kind } = notification;
    const { told, held } = this.#state;
    if (!this.#parts.settings.kinds.some((one) => one === kind)) return;
    if (told.includes(key) || held.some((one) => one.key === key)) return;
    const all = [...held, notification];
    const dropped = (this.#state.dropped ?? 0) + Math.max(0, all.length - heldMax);
    this.#state = { ...this.#state, held: all.slice(-heldMax), ...(dropped > 0 && { dropped }) };
  }

  #remove(key: string): void {
    this.#state = { ...this.#state, held: this.#state.held.filter((one) => one.key !== key) };
  }

  #forgetFaults(actor: string): void {
    const told = this.#state.told.filter((key) => !key.startsWith(faultOf(actor)));
    if (told.length < this.#state.told.length) this.#state = { ...this.#state, told };
  }

  #schedule(delayMs: number): void {
    if (this.#timer !== undefined || this.#state.held.length === 0 || this.#stopping.signal.aborted) return;
    this.#timer = this.#parts.clock.schedule(delayMs, () => {
      this.#timer = undefined;
      void this.#work.run(() => this.#tell()).catch((error: unknown) => this.#warn(messageOf(error)));
    });
  }

  async #tell(when?: 'last'): Promise<void> {
    const { clock, settings, deliver, isWatched } = this.#parts;
    const { held, told } = this.#state;
    if (this.#stopping.signal.aborted || held.length === 0) return;
    if (isQuiet(settings['quiet-hours'], clock.wallMs())) {
      await this.#save();
      return this.#schedule(quietCheckMs);
    }
    const waitMs = this.#lastMs + pauseMs - clock.monotonicMs();
    if (waitMs > 0 && when !== 'last') return this.#schedule(waitMs);
    this.#lastMs = clock.monotonicMs();
    const { dropped = 0, ...rest } = this.#state;
    this.#state = { ...rest, held: [], told: [...told, ...held.map(({ key }) => key)].slice(-toldMax) };
    // Before it is told: in doubt a thing is told once rather than twice.
    await this.#save();
    const isShown = isWatched?.() === true;
    const problems = isShown ? [] : await this.#deliverAll(gathered(held, dropped), deliver);
    if (!isShown) await this.#remember(problems[0]);
    this.#schedule(pauseMs);
  }

  async #deliverAll(notifications: readonly PersonNotification[], deliver: Deliver): Promise<string[]> {
    const problems: string[] = [];
    for (const one of notifications) problems.push(...(await deliver(one, this.#stopping.signal)));
    return problems;
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
    return saveNotifierState(disk, layout, this.#state);
  }
}
