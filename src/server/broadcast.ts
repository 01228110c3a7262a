import type { RavelEvent } from '../model/event.ts';
import { lineBytesMax } from '../model/protocol.ts';
import type { EventBlock } from './outbox.ts';

/** Characters of a block after which another begins, so that a slow client can lose a little and not everything. */
const blockLengthMax = 64 * 1024;

/**
 * Turns events into blocks of lines: each event is encoded once whatever the number of clients, and those of one turn
 * of the event loop leave together.
 */
export class Broadcast {
  readonly #deliver: (block: EventBlock) => void;
  #lines: string[] = [];
  #length = 0;
  #scheduled = false;

  constructor(deliver: (block: EventBlock) => void) {
    this.#deliver = deliver;
  }

  add(event: RavelEvent): void {
    const line = encodeEvent(event);
    this.#lines.push(line);
    this.#length += line.length;
    if (this.#length >= blockLengthMax) this.flush();
    if (this.#scheduled || this.#lines.length === 0) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.flush();
    });
  }

  /** Delivers what was gathered; called before a reply, which must not overtake the events that came before it. */
  flush(): void {
    if (this.#lines.length === 0) return;
    const block = { bytes: Buffer.from(this.#lines.join('')), count: this.#lines.length };
    this.#lines = [];
    this.#length = 0;
    this.#deliver(block);
  }
}

/** No line is ever longer than a client accepts; the transcript still holds such an event. */
function encodeEvent(event: RavelEvent): string {
  const line = `{"event":${JSON.stringify(event)}}\n`;
  const fits = line.length * 3 <= lineBytesMax || Buffer.byteLength(line) <= lineBytesMax;
  return fits ? line : '{"dropped":1}\n';
}
