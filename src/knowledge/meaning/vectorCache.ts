/** Vectors by the hash of their text and model; the one that was used longest ago makes room. */
export class VectorCache {
  readonly #bytesMax: number;
  readonly #vectors = new Map<string, Float32Array>();
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get(hash: string): Float32Array | undefined {
    const vector = this.#vectors.get(hash);
    if (vector === undefined) return undefined;
    this.#vectors.delete(hash);
    this.#vectors.set(hash, vector);
    return vector;
  }

  set(hash: string, vector: Float32Array): void {
    this.#forget(hash);
    this.#vectors.set(hash, vector);
    this.#bytes += vector.byteLength;
    for (const oldest of this.#vectors.keys()) {
      if (this.#bytes <= this.#bytesMax) break;
      this.#forget(oldest);
    }
  }

  clear(): void {
    this.#vectors.clear();
    this.#bytes = 0;
  }

  #forget(hash: string): void {
    this.#bytes -= this.#vectors.get(hash)?.byteLength ?? 0;
    this.#vectors.delete(hash);
  }
}
