import { digestOf } from './digest.ts';
import { bytesOf, type IndexedDocument } from './document.ts';
import { GrowingNumbers } from './growingNumbers.ts';
import { BadImage, type ImageReader, type ImageWriter } from './image.ts';
import { numberMax } from './listPool.ts';
import { Numbering } from './numbering.ts';
import { labelsOf, readDocument } from './readDocument.ts';
import { ScoreSheet } from './scoreSheet.ts';
import { TermReader } from './terms.ts';
import { TermTable } from './termTable.ts';

/** `unchanged`: the same document was there already. `full`: no more documents fit. */
export type PutOutcome = 'added' | 'replaced' | 'unchanged' | 'full';

/**
 * Documents by their words, in memory. Each change takes time by the length of one document, and nothing of a document
 * stays once it is removed. Any input is taken: of a document that is too long, only the beginning is found.
 */
export class SearchIndex {
  words = new TermTable();
  /** Scope, kind, status and tags. */
  labels = new TermTable();
  readonly reader = new TermReader();
  /** Of the search that runs. */
  readonly sheet = new ScoreSheet();
  #ids = new Numbering();
  #lengths = new GrowingNumbers();
  #bytes = new GrowingNumbers();
  /** Of the content, so that the same document is not read again. */
  #digests = new GrowingNumbers();
  #totalLength = 0;

  /** As it was written; throws `BadImage` for what was not. Takes the bytes of the image for its own. */
  static read(image: ImageReader): SearchIndex {
    const index = new SearchIndex();
    index.#ids = Numbering.read(image);
    const { end } = index.#ids;
    index.#lengths = new GrowingNumbers(image.numbers());
    index.#bytes = new GrowingNumbers(image.numbers());
    index.#digests = new GrowingNumbers(image.numbers());
    const [totalLength = 0] = image.fractions();
    index.#totalLength = totalLength;
    index.words = TermTable.read(image, end);
    index.labels = TermTable.read(image, end);
    if (index.lengths.length !== end || !Number.isFinite(totalLength)) throw new BadImage('lengths are missing');
    return index;
  }

  write(image: ImageWriter): void {
    this.#ids.write(image);
    image.numbers(this.#lengths.firstOf(this.end));
    image.numbers(this.#bytes.firstOf(this.end));
    image.numbers(this.#digests.firstOf(2 * this.end));
    image.fractions(Float64Array.of(this.#totalLength));
    this.words.write(image, this.end);
    this.labels.write(image, this.end);
  }

  get count(): number {
    return this.#ids.count;
  }

  /** Above every number of a document. */
  get end(): number {
    return this.#ids.end;
  }

  /** Tenths of all words in all documents. */
  get totalLength(): number {
    return this.#totalLength;
  }

  /** Bytes of its lists; ids and terms come on top. */
  get bytes(): number {
    return this.words.bytes + this.labels.bytes;
  }

  has(id: string): boolean {
    return this.#ids.find(id) !== undefined;
  }

  numberOf(id: string): number | undefined {
    return this.#ids.find(id);
  }

  idOf(document: number): string {
    return this.#ids.nameOf(document) ?? '';
  }

  /** In the order of their numbers. */
  *ids(): Generator<string> {
    for (let document = 0; document < this.end; document += 1) {
      const id = this.#ids.nameOf(document);
      if (id !== undefined) yield id;
    }
  }

  /** Bytes that a reader of the document is given. */
  bytesOf(document: number): number {
    return this.#bytes.at(document);
  }

  /** Changes with all that the document says and is labelled with. */
  digestAt(document: number): string {
    return `${this.#digests.at(2 * document)} ${this.#digests.at(2 * document + 1)}`;
  }

  /** Tenths of words by the number of the document. */
  get lengths(): Uint32Array {
    return this.#lengths.view;
  }

  put(document: IndexedDocument): PutOutcome {
    const known = this.#ids.find(document.id);
    const digest = digestOf(document);
    if (
      known !== undefined &&
      this.#digests.at(2 * known) === digest.low &&
      this.#digests.at(2 * known + 1) === digest.high
    )
      return 'unchanged';
    if (known === undefined && this.#ids.count >= numberMax) return 'full';
    if (known !== undefined) this.remove(document.id);
    const number = this.#ids.add(document.id);
    const { weights, length } = readDocument(document, this.reader);
    this.words.add(number, weights);
    this.labels.add(number, labelsOf(document));
    this.#lengths.set(number, length);
    this.#bytes.set(number, bytesOf(document));
    this.#digests.set(2 * number, digest.low);
    this.#digests.set(2 * number + 1, digest.high);
    this.#totalLength += length;
    return known === undefined ? 'added' : 'replaced';
  }

  /** Whether there was such a document. */
  remove(id: string): boolean {
    const number = this.#ids.find(id);
    if (number === undefined) return false;
    this.words.remove(number);
    this.labels.remove(number);
    this.#totalLength -= this.#lengths.at(number);
    this.#ids.remove(number);
    return true;
  }

  /** Makes the index hold these documents and no others; tells how many it had to change. */
  replaceAll(documents: Iterable<IndexedDocument>): number {
    const wanted = new Set<string>();
    let changed = 0;
    for (const document of documents) {
      wanted.add(document.id);
      if (this.put(document) !== 'unchanged') changed += 1;
    }
    for (const id of [...this.ids()]) if (!wanted.has(id) && this.remove(id)) changed += 1;
    return changed;
  }
}
