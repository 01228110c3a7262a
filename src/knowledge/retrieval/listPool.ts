import { assert } from '../../base/assert.ts';
import { GrowingNumbers } from './growingNumbers.ts';
import { BadImage, type ImageReader, type ImageWriter } from './image.ts';

/** A number below this can be in a list. */
export const numberMax = 2 ** 22;
/** A weight is from 1 to this. */
export const weightMax = 2 ** 10 - 1;

/** A number and its weight in one entry: lists stay sorted by the number. */
export function packEntry(number: number, weight: number): number {
  return ((number << 10) | Math.min(weight, weightMax)) >>> 0;
}

/** Entries of one page: 1 MiB. A longer list has a page of its own. */
const pageEntries = 2 ** 18;
const smallestCapacity = 4;

/** Where the entries of a list are; valid until the next change of the pool. */
export interface ListView {
  readonly page: Uint32Array;
  readonly start: number;
  readonly end: number;
}

const nothing = new Uint32Array(0);

/**
 * Many sorted lists of weighted numbers. What a list no longer needs, the next one gets: memory follows what the lists
 * hold, however often they change. Each change takes time by the length of one list.
 */
export class ListPool {
  /** Of each list: where it begins (page, entry), how many entries it has, and for how many there is room. */
  #pageOf = new GrowingNumbers();
  #startOf = new GrowingNumbers();
  #lengthOf = new GrowingNumbers();
  #capacityOf = new GrowingNumbers();
  readonly #pages: (Uint32Array | undefined)[] = [];
  readonly #freePages: number[] = [];
  /** Free blocks by their capacity, each as page times `pageEntries` plus entry. */
  readonly #free = new Map<number, number[]>();
  /** The page from which new blocks are cut, and how much of it is. */
  #newest = -1;
  #cut = pageEntries;

  /** As it was written, with room for lists below `end`. */
  static read(image: ImageReader, end: number): ListPool {
    const pool = new ListPool();
    const column = (): GrowingNumbers => {
      const numbers = image.numbers();
      if (numbers.length !== end) throw new BadImage('lists are missing');
      return new GrowingNumbers(numbers);
    };
    [pool.#pageOf, pool.#startOf, pool.#lengthOf, pool.#capacityOf] = [column(), column(), column(), column()];
    const [newest = 0, cut = 0, pageCount = 0] = image.numbers();
    pool.#newest = newest - 1;
    pool.#cut = cut;
    for (let page = 0; page < pageCount; page += 1) {
      const entries = image.numbers();
      pool.#pages.push(page === pool.#newest ? wholePage(entries) : entries.length === 0 ? undefined : entries);
      if (pool.#pages[page] === undefined) pool.#freePages.push(page);
    }
    if (cut > pageEntries || pool.#newest >= pageCount) throw new BadImage('the newest page is missing');
    // Of the newest page nothing behind what was cut from it is in use.
    const rooms = new Rooms(pool.#pages.map((page, number) => (number === pool.#newest ? cut : (page?.length ?? 0))));
    pool.#check(end, rooms);
    pool.#readFree(image.numbers(), rooms);
    return pool;
  }

  /** That every list lies inside of its page, and shares no entry with another: so all of them take no longer than the file. */
  #check(end: number, rooms: Rooms): void {
    const [pages, starts] = [this.#pageOf.view, this.#startOf.view];
    const [lengths, capacities] = [this.#lengthOf.view, this.#capacityOf.view];
    for (let list = 0; list < end; list += 1) {
      const capacity = capacities[list] ?? 0;
      if ((lengths[list] ?? 0) > capacity) throw new BadImage('a list has no room');
      if (capacity > 0) rooms.take(pages[list] ?? 0, starts[list] ?? 0, capacity);
    }
  }

  write(image: ImageWriter, end: number): void {
    for (const column of [this.#pageOf, this.#startOf, this.#lengthOf, this.#capacityOf]) {
      image.numbers(column.firstOf(end));
    }
    image.numbers(Uint32Array.of(this.#newest + 1, this.#cut, this.#pages.length));
    for (const [number, page = nothing] of this.#pages.entries()) {
      image.numbers(number === this.#newest ? page.subarray(0, this.#cut) : page);
    }
    const free = [...this.#free].flatMap(([capacity, blocks]) => [
      capacity,
      blocks.length,
      ...blocks.flatMap((at) => [Math.floor(at / pageEntries), at % pageEntries]),
    ]);
    image.numbers(Uint32Array.from(free));
  }

  /** For each capacity: how many blocks are free, and where (page, entry). */
  #readFree(free: Uint32Array, rooms: Rooms): void {
    for (let at = 0; at < free.length; ) {
      const [capacity = 0, count = 0] = free.subarray(at, at + 2);
      if (at + 2 + 2 * count > free.length) throw new BadImage('free blocks are missing');
      const blocks: number[] = [];
      for (let n = 0; n < count; n += 1) {
        const [page = 0, start = 0] = free.subarray(at + 2 + 2 * n, at + 4 + 2 * n);
        rooms.take(page, start, capacity);
        blocks.push(page * pageEntries + start);
      }
      this.#free.set(capacity, blocks);
      at += 2 + 2 * count;
    }
  }

  /** Bytes of all pages. */
  get bytes(): number {
    return this.#pages.reduce((sum, page) => sum + (page?.byteLength ?? 0), 0);
  }

  lengthOf(list: number): number {
    return this.#lengthOf.at(list);
  }

  view(list: number): ListView {
    const length = this.#lengthOf.at(list);
    if (length === 0) return { page: nothing, start: 0, end: 0 };
    const start = this.#startOf.at(list);
    return { page: this.#pages[this.#pageOf.at(list)] ?? nothing, start, end: start + length };
  }

  /** A list that was empty; the entries are sorted by their numbers. */
  fill(list: number, entries: Uint32Array): void {
    assert(this.#lengthOf.at(list) === 0, 'a list is filled once');
    this.reserve(list, entries.length);
    if (entries.length === 0) return;
    this.#pages[this.#pageOf.at(list)]?.set(entries, this.#startOf.at(list));
    this.#lengthOf.set(list, entries.length);
  }

  /** Makes room for `length` entries in a list that has none yet. */
  reserve(list: number, length: number): void {
    if (length > 0 && this.#capacityOf.at(list) === 0) this.#place(list, capacityFor(length));
  }

  /** The number is not in the list. */
  insert(list: number, number: number, weight: number): void {
    assert(number < numberMax && weight > 0, 'an entry fits its bits');
    const length = this.#lengthOf.at(list);
    if (length === this.#capacityOf.at(list)) this.#move(list, capacityFor(length + 1));
    const page = this.#pages[this.#pageOf.at(list)] ?? nothing;
    const start = this.#startOf.at(list);
    const end = start + length;
    const isLast = length === 0 || (page[end - 1] ?? 0) >>> 10 < number;
    const at = isLast ? end : placeOf(page, start, end, number);
    if (at < end) page.copyWithin(at + 1, at, end);
    page[at] = packEntry(number, weight);
    this.#lengthOf.set(list, length + 1);
  }

  /** The number is in the list. */
  remove(list: number, number: number): void {
    const { page, start, end } = this.view(list);
    const at = placeOf(page, start, end, number);
    assert(at < end && (page[at] ?? 0) >>> 10 === number, 'only what is in a list is removed');
    page.copyWithin(at, at + 1, end);
    const length = end - start - 1;
    this.#lengthOf.set(list, length);
    if (length === 0) this.clear(list);
    else if (length < this.#capacityOf.at(list) / 4) this.#move(list, capacityFor(length));
  }

  clear(list: number): void {
    const capacity = this.#capacityOf.at(list);
    if (capacity > 0) this.#release(this.#pageOf.at(list), this.#startOf.at(list), capacity);
    this.#capacityOf.set(list, 0);
    this.#lengthOf.set(list, 0);
  }

  #move(list: number, capacity: number): void {
    const { page, start, end } = this.view(list);
    const old = { page: this.#pageOf.at(list), start: this.#startOf.at(list), capacity: this.#capacityOf.at(list) };
    this.#place(list, capacity);
    this.#pages[this.#pageOf.at(list)]?.set(page.subarray(start, end), this.#startOf.at(list));
    if (old.capacity > 0) this.#release(old.page, old.start, old.capacity);
  }

  #place(list: number, capacity: number): void {
    const at = this.#free.get(capacity)?.pop() ?? this.#cutNew(capacity);
    this.#pageOf.set(list, Math.floor(at / pageEntries));
    this.#startOf.set(list, at % pageEntries);
    this.#capacityOf.set(list, capacity);
  }

  #cutNew(capacity: number): number {
    if (capacity > pageEntries) return this.#addPage(capacity) * pageEntries;
    if (this.#cut + capacity > pageEntries) {
      this.#newest = this.#addPage(pageEntries);
      this.#cut = 0;
    }
    const at = this.#newest * pageEntries + this.#cut;
    this.#cut += capacity;
    return at;
  }

  #addPage(entries: number): number {
    const number = this.#freePages.pop() ?? this.#pages.length;
    this.#pages[number] = new Uint32Array(entries);
    return number;
  }

  #release(page: number, start: number, capacity: number): void {
    if (capacity > pageEntries) {
      this.#pages[page] = undefined;
      this.#freePages.push(page);
      return;
    }
    const blocks = this.#free.get(capacity) ?? [];
    blocks.push(page * pageEntries + start);
    this.#free.set(capacity, blocks);
  }
}

/** Which entries of the pages belong to a list, or to a free block. */
class Rooms {
  readonly #taken: readonly Uint8Array[];

  constructor(lengths: readonly number[]) {
    this.#taken = lengths.map((length) => new Uint8Array(Math.floor(length / smallestCapacity)));
  }

  /** Throws `BadImage` for what lies outside of its page, or is taken already. Blocks are cut at multiples of the smallest. */
  take(page: number, start: number, capacity: number): void {
    const [from, count] = [start / smallestCapacity, capacity / smallestCapacity];
    const taken = this.#taken[page];
    // A power of two, as blocks are cut; there are too many of them to take logarithms.
    const isWhole = Number.isInteger(from) && count >= 1 && (capacity & (capacity - 1)) === 0;
    if (taken === undefined || !isWhole || from + count > taken.length) throw new BadImage('a list has no room');
    // A block of many lists is far smaller than its page.
    for (let at = from; at < from + count; at += 1) {
      if (taken[at] === 1) throw new BadImage('two lists have the same room');
      taken[at] = 1;
    }
  }
}

/** A page of which only the beginning was written. */
function wholePage(beginning: Uint32Array): Uint32Array {
  if (beginning.length > pageEntries) throw new BadImage('a page is too large');
  const page = new Uint32Array(pageEntries);
  page.set(beginning);
  return page;
}

/** The weight of a number in a list; 0 if it is not in it. */
export function weightIn({ page, start, end }: ListView, number: number): number {
  const at = placeOf(page, start, end, number);
  const entry = at < end ? (page[at] ?? 0) : 0;
  return entry >>> 10 === number ? entry & weightMax : 0;
}

/** The smallest power of two that is at least `length`. */
function capacityFor(length: number): number {
  return Math.max(smallestCapacity, 2 ** Math.ceil(Math.log2(length)));
}

/** Where a number stands between `start` and `end`, or where it would. */
function placeOf(page: Uint32Array, start: number, end: number, number: number): number {
  let low = start;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((page[middle] ?? 0) >>> 10 < number) low = middle + 1;
    else high = middle;
  }
  return low;
}
