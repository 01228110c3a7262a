import { assert } from '../base/assert.ts';

/** What a client is given next, from the place `from`, which is later than asked if that is gone, up to `next`. */
export interface Piece {
  readonly from: number;
  readonly next: number;
  readonly text: string;
}

interface Chunk {
  readonly at: number;
  readonly text: string;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one.
const modeSequence = /\u001b\[\?([\d;]+)([hl])/g;
/** A sequence that is cut between two chunks is no longer than this. */
const sequenceCharactersMax = 32;

/**
 * The last part of what a terminal's program printed. Places count from the beginning of all of it. What is dropped goes
 * by whole chunks; the modes that it had switched are kept, so that who reads from the middle still sees a cursor, or a
 * pasted text in brackets, as the program means it.
 */
export class Scrollback {
  readonly #unitsMax: number;
  readonly #chunks: Chunk[] = [];
  readonly #modes = new Map<string, 'h' | 'l'>();
  #droppedTail = '';
  #end = 0;

  constructor(unitsMax: number) {
    assert(unitsMax > 0, 'a scrollback keeps something');
    this.#unitsMax = unitsMax;
  }

  /** The place after the last unit. */
  get end(): number {
    return this.#end;
  }

  /** The place of the oldest unit that is kept. */
  get start(): number {
    return this.#chunks[0]?.at ?? this.#end;
  }

  add(text: string): void {
    if (text === '') return;
    this.#chunks.push({ at: this.#end, text });
    this.#end += text.length;
    for (let first = this.#chunks[0]; first !== undefined && this.#chunks.length > 1; first = this.#chunks[0]) {
      if (this.#end - first.at - first.text.length < this.#unitsMax) return;
      this.#chunks.shift();
      this.#remember(first.text);
    }
  }

  /** The text after a place, at most `unitsMax` units; undefined at the end. Never ends within a character. */
  read(from: number, unitsMax: number): Piece | undefined {
    if (from >= this.#end) return undefined;
    if (from < this.start) return this.#readFromStart(unitsMax);
    const chunk = this.#chunkAt(from);
    const offset = from - chunk.at;
    const text = cutAtCharacter(chunk.text.slice(offset, offset + unitsMax));
    return { from, next: from + text.length, text };
  }

  /** Begins at a line if there is one, for half an escape sequence would be shown as text. */
  #readFromStart(unitsMax: number): Piece {
    const [first] = this.#chunks;
    assert(first !== undefined, 'there is something to read');
    const newline = first.text.indexOf('\n');
    const offset = newline < 0 ? 0 : newline + 1;
    const from = first.at + offset;
    const modes = [...this.#modes].map(([mode, state]) => `\u001b[?${mode}${state}`).join('');
    const text = cutAtCharacter(first.text.slice(offset, offset + unitsMax));
    return { from, next: from + text.length, text: modes + text };
  }

  #chunkAt(place: number): Chunk {
    let low = 0;
    let high = this.#chunks.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#chunks[middle]?.at ?? 0) <= place) low = middle;
      else high = middle - 1;
    }
    const chunk = this.#chunks[low];
    assert(chunk !== undefined, 'the place is kept');
    return chunk;
  }

  #remember(dropped: string): void {
    const text = this.#droppedTail + dropped;
    for (const [, modes = '', state] of text.matchAll(modeSequence)) {
      for (const mode of modes.split(';')) this.#modes.set(mode, state === 'h' ? 'h' : 'l');
    }
    this.#droppedTail = text.slice(-sequenceCharactersMax);
  }
}

/** A character of two units is not cut in the middle, unless nothing else is left. */
function cutAtCharacter(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  const isHighHalf = last >= 0xd800 && last <= 0xdbff;
  return isHighHalf && text.length > 1 ? text.slice(0, -1) : text;
}
