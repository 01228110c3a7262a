/**
 * Bytes of events that wait for one client, at most; beyond that its oldest are dropped, so that the owner never waits
 * for it.
 */
export const queuedBytesMax = 1024 * 1024;

/** Some lines that are written together, encoded once for all clients. */
export interface EventBlock {
  readonly bytes: Uint8Array;
  readonly count: number;
}

/** Where an outbox writes: a socket, or in tests something slower. `write` is false when the sink wants a pause. */
export interface Sink {
  write(bytes: Uint8Array): boolean;
}

type Item =
  | { readonly kind: 'events'; readonly block: EventBlock }
  | { readonly kind: 'reply'; readonly bytes: Uint8Array }
  | { readonly kind: 'dropped'; readonly count: number };

/**
 * What one client is still to get, in order. Replies are never lost; events are, oldest first, when too many bytes of
 * them wait, and `{"dropped": n}` stands where they stood.
 */
export class Outbox {
  readonly #sink: Sink;
  #items: Item[] = [];
  #eventBytes = 0;
  #replyBytes = 0;
  #ready = true;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  /** Whether the replies that wait are so many that no more requests should be read for now. */
  get isFull(): boolean {
    return this.#replyBytes > queuedBytesMax;
  }

  get isEmpty(): boolean {
    return this.#items.length === 0 && this.#ready;
  }

  sendEvents(block: EventBlock): void {
    this.#eventBytes += block.bytes.length;
    this.#items.push({ kind: 'events', block });
    this.#pump();
    while (this.#eventBytes > queuedBytesMax) this.#dropOldest();
  }

  sendReply(bytes: Uint8Array): void {
    this.#replyBytes += bytes.length;
    this.#items.push({ kind: 'reply', bytes });
    this.#pump();
  }

  /** To be called when the sink can take more. */
  onDrain(): void {
    this.#ready = true;
    this.#pump();
  }

  #pump(): void {
    if (!this.#ready || this.#items.length === 0) return;
    let taken = 0;
    for (const item of this.#items) {
      if (!this.#ready) break;
      this.#ready = this.#sink.write(bytesOf(item));
      if (item.kind === 'events') this.#eventBytes -= item.block.bytes.length;
      if (item.kind === 'reply') this.#replyBytes -= item.bytes.length;
      taken++;
    }
    this.#items = this.#items.slice(taken);
  }

  #dropOldest(): void {
    const at = this.#items.findIndex((item) => item.kind === 'events');
    const oldest = this.#items[at];
    if (oldest?.kind !== 'events') return;
    this.#eventBytes -= oldest.block.bytes.length;
    const before = this.#items[at - 1];
    if (before?.kind === 'dropped') {
      this.#items.splice(at - 1, 2, { kind: 'dropped', count: before.count + oldest.block.count });
    } else {
      this.#items[at] = { kind: 'dropped', count: oldest.block.count };
    }
  }
}

function bytesOf(item: Item): Uint8Array {
  switch (item.kind) {
    case 'events':
      return item.block.bytes;
    case 'reply':
      return item.bytes;
    case 'dropped':
      return Buffer.from(`{"dropped":${item.count}}\n`);
  }
}
