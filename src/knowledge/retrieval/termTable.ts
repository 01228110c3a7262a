import { compareText } from '../../base/text.ts';
import { GrowingNumbers } from './growingNumbers.ts';
import type { ImageReader, ImageWriter } from './image.ts';
import { ListPool, type ListView, numberMax, packEntry, weightIn, weightMax } from './listPool.ts';
import { Numbering } from './numbering.ts';

/** Which term is in which document, and with what weight: by the term, and by the document. Nothing of a removed document stays. */
export class TermTable {
  #names = new Numbering();
  #postings = new ListPool();
  #vectors = new ListPool();
  /** The weights of a term over all documents. */
  #totals = new GrowingNumbers();

  /** As it was written, with documents below `documentsEnd`. */
  static read(image: ImageReader, documentsEnd: number): TermTable {
    const table = new TermTable();
    table.#names = Numbering.read(image);
    table.#postings = ListPool.read(image, table.end);
    table.#vectors = ListPool.read(image, documentsEnd);
    table.#totals = new GrowingNumbers(image.numbers());
    return table;
  }

  write(image: ImageWriter, documentsEnd: number): void {
    this.#names.write(image);
    this.#postings.write(image, this.end);
    this.#vectors.write(image, documentsEnd);
    image.numbers(this.#totals.firstOf(this.end));
  }

  get count(): number {
    return this.#names.count;
  }

  /** Above every number of a term. */
  get end(): number {
    return this.#names.end;
  }

  /** Bytes of its lists; the names come on top. */
  get bytes(): number {
    return this.#postings.bytes + this.#vectors.bytes;
  }

  find(name: string): number | undefined {
    return this.#names.find(name);
  }

  nameOf(term: number): string {
    return this.#names.nameOf(term) ?? '';
  }

  /** Names that begin so and are longer; those in most documents first. */
  beginningWith(beginning: string, count: number): readonly string[] {
    const found: number[] = [];
    for (let term = 0; term < this.end; term += 1) {
      const name = this.#names.nameOf(term);
      if (name !== undefined && name.length > beginning.length && name.startsWith(beginning)) found.push(term);
    }
    return found
      .sort((a, b) => this.frequencyOf(b) - this.frequencyOf(a) || this.compare(a, b))
      .slice(0, count)
      .map((term) => this.nameOf(term));
  }

  /** For an order that does not depend on the numbers. */
  compare(a: number, b: number): number {
    return compareText(this.nameOf(a), this.nameOf(b));
  }

  /** In how many documents a term is. */
  frequencyOf(term: number): number {
    return this.#postings.lengthOf(term);
  }

  totalOf(term: number): number {
    return this.#totals.at(term);
  }

  /** The documents of a term. */
  postingsOf(term: number): ListView {
    return this.#postings.view(term);
  }

  /** The terms of a document. */
  vectorOf(document: number): ListView {
    return this.#vectors.view(document);
  }

  weightOf(document: number, term: number): number {
    return weightIn(this.#postings.view(term), document);
  }

  /** A document that has no terms yet. Terms for which there are no numbers left are not found. */
  add(document: number, weights: ReadonlyMap<string, number>): void {
    const entries: number[] = [];
    for (const [name, weight] of weights) {
      if (this.#names.count >= numberMax && this.#names.find(name) === undefined) continue;
      const term = this.#names.add(name);
      const counted = Math.min(weight, weightMax);
      this.#postings.insert(term, document, counted);
      this.#totals.add(term, counted);
      entries.push(packEntry(term, counted));
    }
    this.#vectors.fill(document, Uint32Array.from(entries).sort());
  }

  remove(document: number): void {
    const { page, start, end } = this.#vectors.view(document);
    for (let at = start; at < end; at += 1) {
      const entry = page[at] ?? 0;
      const term = entry >>> 10;
      this.#postings.remove(term, document);
      this.#totals.set(term, this.#totals.at(term) - (entry & weightMax));
      if (this.#postings.lengthOf(term) === 0) this.#names.remove(term);
    }
    this.#vectors.clear(document);
  }
}
