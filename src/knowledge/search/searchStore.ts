import { isRecord } from '../../base/json.ts';
import { BadImage, type ImageReader, type ImageWriter } from '../retrieval/image.ts';
import { SearchIndex } from '../retrieval/searchIndex.ts';
import type { FileEntries } from './entries.ts';
import { documentOf, entryId } from './entryDocument.ts';
import type { SearchSource } from './searchSource.ts';

/** Four numbers of a file, which change when its content does; see `FileStamps`. */
export type Stamps = readonly number[];

export interface StoreBounds {
  readonly entriesMax: number;
  /** Bytes of the lists of the index. */
  readonly bytesMax: number;
}

/** About 700 bytes for each entry of 60 words, and never more than this. */
const usualBounds: StoreBounds = { entriesMax: 500_000, bytesMax: 768 * 1024 * 1024 };

interface Known {
  readonly stamps: Stamps;
  /** Of its entries, within the file. */
  readonly ids: readonly string[];
  /** Whether it could not be read, or not be read whole. */
  readonly isPartial: boolean;
}

/** The entries of files, and as of when. What no longer stands in a file is not found either. */
export class SearchStore {
  readonly index: SearchIndex;
  readonly #bounds: StoreBounds;
  readonly #known = new Map<string, Known>();
  #changes = 0;

  constructor(bounds: StoreBounds = usualBounds, index = new SearchIndex()) {
    this.#bounds = bounds;
    this.index = index;
  }

  /** As it was written; throws `BadImage` for what was not. */
  static read(image: ImageReader, bounds: StoreBounds = usualBounds): SearchStore {
    const rows = image.json();
    const stamps = image.fractions();
    const store = new SearchStore(bounds, SearchIndex.read(image));
    if (!Array.isArray(rows) || stamps.length !== rows.length * stampLength) throw new BadImage('files are missing');
    for (const [n, row] of rows.entries()) {
      if (!isRow(row)) throw new BadImage('a file is not one');
      const of = [...stamps.subarray(n * stampLength, (n + 1) * stampLength)];
      store.#known.set(row.key, {
        stamps: of,
        ids: row.ids,
        isPartial: row.isPartial,
      });
    }
    return store;
  }

  write(image: ImageWriter): void {
    const known = [...this.#known];
    image.json(known.map(([key, { ids, isPartial }]) => ({ key, ids, isPartial })));
    image.fractions(Float64Array.from(known.flatMap(([, { stamps }]) => stamps)));
    this.index.write(image);
  }

  /** Grows with each entry that is added, changed or removed, and each file that is. */
  get changes(): number {
    return this.#changes;
  }

  /** How many files could not be read, or not be read whole. */
  get partial(): number {
    return [...this.#known.values()].filter(({ isPartial }) => isPartial).length;
  }

  get isFull(): boolean {
    return this.index.count >= this.#bounds.entriesMax || this.index.bytes >= this.#bounds.bytesMax;
  }

  keys(): readonly string[] {
    return [...this.#known.keys()];
  }

  hasCurrent(key: string, stamps: Stamps): boolean {
    const known = this.#known.get(key);
    return known?.stamps.every((part, n) => part === stamps[n]) ?? false;
  }

  /** Makes a file have these entries; undefined for one that cannot be read. Stamps of zeroes are never current. */
  put(source: SearchSource, stamps: Stamps, read: FileEntries | undefined): void {
    const before = this.#known.get(source.key);
    const left = new Set(before?.ids);
    const ids: string[] = [];
    let isPartial = read?.isPartial ?? true;
    for (const entry of read?.entries ?? []) {
      const id = entryId(source, entry);
      if (!this.index.has(id) && this.isFull) {
        isPartial = true;
        break;
      }
      if (this.index.put(documentOf(source, entry)) !== 'unchanged') this.#changes += 1;
      left.delete(entry.id);
      ids.push(entry.id);
    }
    for (const id of left) if (this.index.remove(entryId(source, { id }))) this.#changes += 1;
    if (before === undefined || !this.hasCurrent(source.key, stamps)) this.#changes += 1;
    this.#known.set(source.key, { stamps, ids, isPartial });
  }

  remove(key: string): void {
    const known = this.#known.get(key);
    if (known === undefined) return;
    for (const id of known.ids) this.index.remove(entryId({ key }, { id }));
    this.#known.delete(key);
    this.#changes += 1;
  }
}

/** Numbers of a file's stamp. */
const stampLength = 4;

interface Row {
  readonly key: string;
  readonly ids: readonly string[];
  readonly isPartial: boolean;
}

function isRow(row: unknown): row is Row {
  if (!isRecord(row) || typeof row['key'] !== 'string' || typeof row['isPartial'] !== 'boolean') return false;
  return Array.isArray(row['ids']) && row['ids'].every((id) => typeof id === 'string');
}
