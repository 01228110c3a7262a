/** Takes what a process prints, piece by piece; `enough` has the process ended. */
export interface OutputSink {
  push(chunk: Buffer): 'more' | 'enough';
}

/** Keeps the beginning of what is printed, at most `bytesMax` bytes, and says what happens with more. */
export class OutputHead implements OutputSink {
  readonly #bytesMax: number;
  readonly #whenFull: 'end' | 'drop';
  readonly #chunks: Buffer[] = [];
  #size = 0;

  constructor(bytesMax: number, whenFull: 'end' | 'drop') {
    this.#bytesMax = bytesMax;
    this.#whenFull = whenFull;
  }

  push(chunk: Buffer): 'more' | 'enough' {
    const kept = chunk.subarray(0, this.#bytesMax - this.#size);
    if (kept.length > 0) this.#chunks.push(kept);
    this.#size += kept.length;
    return kept.length < chunk.length && this.#whenFull === 'end' ? 'enough' : 'more';
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }
}

/** Keeps the end of what is printed, at most `bytesMax` bytes. */
export class OutputTail implements OutputSink {
  readonly #bytesMax: number;
  #bytes = Buffer.alloc(0);

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  push(chunk: Buffer): 'more' {
    this.#bytes = Buffer.concat([this.#bytes, chunk]).subarray(-this.#bytesMax);
    return 'more';
  }

  get bytes(): Buffer {
    return this.#bytes;
  }
}
