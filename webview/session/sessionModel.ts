import type { Clock } from '../../src/base/clock.ts';
import type { Disposable } from '../../src/base/disposable.ts';
import { Emitter } from '../../src/base/emitter.ts';
import type { RavelEvent } from '../../src/model/event.ts';
import type { Ulid } from '../../src/model/id.ts';
import { readTranscript } from '../../src/model/transcript.ts';
import type { PageApi } from '../../src/model/webview.ts';
import { SessionFeed } from './sessionFeed.ts';
import { SessionRows } from './sessionRows.ts';

export interface SessionModelParts {
  readonly api: PageApi;
  readonly session: Ulid;
  readonly clock: Clock;
  /** Calls back with the next picture; what came since the last fold is folded at once. */
  readonly nextFrame: (callback: () => void) => Disposable;
  readonly onError: (error: unknown) => void;
}

/** Rows change no more often than this, so that the pictures between two changes are left to the person who scrolls. */
export const foldMs = 80;

/** One session as it stands: what its feed brought, folded for the picture that is drawn next. */
export class SessionModel implements Disposable {
  readonly session: Ulid;
  readonly #parts: SessionModelParts;
  readonly #folded = new SessionRows();
  readonly #changes: Emitter<readonly number[]>;
  readonly #feed: SessionFeed;
  #waiting: RavelEvent[] = [];
  /** The fold that is due. */
  #due: Disposable | undefined;
  #foldedAtMs = Number.NEGATIVE_INFINITY;

  constructor(parts: SessionModelParts) {
    this.session = parts.session;
    this.#parts = parts;
    this.#changes = new Emitter(parts.onError);
    this.#feed = new SessionFeed({ ...parts, take: (events) => this.#take(events) });
  }

  get rows() {
    return this.#folded.rows;
  }

  get facts() {
    return this.#folded.facts;
  }

  /** Tells the places of the rows that are new or changed. */
  get onDidChange() {
    return this.#changes.event;
  }

  /** Events may be missing. */
  refresh(): void {
    this.#feed.refresh();
  }

  /** Every event of the session so far, for playing it again. */
  events(): Promise<readonly RavelEvent[]> {
    const { api, session } = this.#parts;
    return readTranscript((from) => api.request('transcript', { session, from }));
  }

  dispose(): void {
    this.#feed.dispose();
    this.#due?.dispose();
    this.#changes.dispose();
  }

  #take(events: readonly RavelEvent[]): void {
    for (const event of events) this.#waiting.push(event);
    if (this.#due !== undefined) return;
    const { clock, nextFrame } = this.#parts;
    const waitMs = this.#foldedAtMs + foldMs - clock.monotonicMs();
    const draw = () => {
      this.#due = nextFrame(() => this.#fold());
    };
    if (waitMs > 0) this.#due = clock.schedule(waitMs, draw);
    else draw();
  }

  #fold(): void {
    this.#due = undefined;
    this.#foldedAtMs = this.#parts.clock.monotonicMs();
    const taken = this.#waiting;
    this.#waiting = [];
    this.#changes.emit(this.#folded.add(taken));
  }
}
