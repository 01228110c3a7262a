import { isRavelError } from '../base/errors.ts';
import type { RavelEvent } from '../model/event.ts';
import type { Api } from '../model/protocol.ts';

/**
 * Shows what sessions said so far, and then what comes, without a hole and without a repetition: listen first, then read
 * the transcripts. What comes while they are read is held back, and what stands in them already is left out.
 */
export class TranscriptReader {
  readonly #api: Api;
  readonly #show: (event: RavelEvent) => void;
  /** What was shown from a transcript and may still come by itself, and how often. */
  readonly #read = new Map<string, number>();
  #held: RavelEvent[] | undefined = [];

  constructor(api: Api, show: (event: RavelEvent) => void) {
    this.#api = api;
    this.#show = show;
  }

  /** To be called with every event from before the first transcript is read. */
  readonly take = (event: RavelEvent): void => {
    if (this.#held !== undefined) {
      this.#held.push(event);
      return;
    }
    const key = keyOf(event);
    const times = this.#read.get(key) ?? 0;
    if (times === 0) this.#show(event);
    else this.#read.set(key, times - 1);
  };

  /** Shows a transcript; resolves with its number of events and whether its session has ended. */
  async read(session: string): Promise<{ readonly count: number; readonly ended: boolean }> {
    let ended = false;
    for (let from = 0; ; ) {
      const { events, next } = await this.#api.request('transcript', { session, from });
      for (const event of events) {
        this.#show(event);
        this.#read.set(keyOf(event), (this.#read.get(keyOf(event)) ?? 0) + 1);
        ended ||= event.type === 'session.ended';
      }
      if (events.length === 0 || next <= from) return { count: from, ended };
      from = next;
    }
  }

  /** As `read`; a session that has said nothing yet has no transcript. */
  async readIfThere(session: string): Promise<void> {
    try {
      await this.read(session);
    } catch (error) {
      if (!isRavelError(error, 'session/unknown')) throw error;
    }
  }

  /** From here on events are shown as they come. */
  goLive(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const event of held) this.take(event);
  }
}

/** The same event from a transcript and from the live flow. */
function keyOf(event: RavelEvent): string {
  return event.type === 'session.output' ? `${event.session} output ${event.seq}` : JSON.stringify(event);
}
