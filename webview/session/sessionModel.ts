import type { Disposable } from '../../src/base/disposable.ts';
import { Emitter } from '../../src/base/emitter.ts';
import type { RavelEvent } from '../../src/model/event.ts';
import type { Ulid } from '../../src/model/id.ts';
import type { PageApi } from '../../src/model/webview.ts';
import { SessionFeed } from './sessionFeed.ts';
import { SessionRows } from './sessionRows.ts';

export interface SessionModelParts {
  readonly api: PageApi;
  readonly session: Ulid;
  /** Calls back with the next picture; what came since the last one is folded at once. */
  readonly nextFrame: (callback: () => void) => Disposable;
  readonly onError: (error: unknown) => void;
}

/** One session as it stands: what its feed brought, folded once for each picture that is drawn. */
export class SessionModel implements Disposable {
  readonly session: Ulid;
  readonly #parts: SessionModelParts;
  readonly #folded = new SessionRows();
  readonly #changes: Emitter<readonly number[]>;
  readonly #feed: SessionFeed;
  #waiting: RavelEvent[] = [];
  #frame: Disposable | undefined;

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
  async events(): Promise<readonly RavelEvent[]> {
    const { api, session } = this.#parts;
    const all: RavelEvent[] = [];
    for (let from = 0; ; ) {
      const { events, next } = await api.request('transcript', { session, from });
      for (const event of events) all.push(event);
      if (events.length === 0 || next <= from) return all;
      from = next;
    }
  }

  dispose(): void {
    this.#feed.dispose();
    this.#frame?.dispose();
    this.#changes.dispose();
  }

  #take(events: readonly RavelEvent[]): void {
    for (const event of events) this.#waiting.push(event);
    this.#frame ??= this.#parts.nextFrame(() => {
      this.#frame = undefined;
      const taken = this.#waiting;
      this.#waiting = [];
      const places = this.#folded.add(taken);
      this.#changes.emit(places);
    });
  }
}
