import { crc32 } from 'node:zlib';
import type { FileStamps, ReadingDisk } from '../base/disk.ts';
import type { Diagnostic } from '../base/errors.ts';

/**
 * Whether a later change of these files is sure to show in their stamps. One that changed within the grain of the clock
 * can change again without a trace, and so can one from the future, which a clock that was set back leaves behind.
 */
export function isSettled(stamps: FileStamps, nowMs: number): boolean {
  const latestMs = nowMs - grainMs;
  return Array.from(stamps).every((part, n) => n % 4 < 2 || part < latestMs);
}

/** The coarsest clock of a file system that people use counts in steps of two seconds. */
const grainMs = 2000;
/** A larger file is not a cache of ours. */
export const cacheBytesMax = 192 * 1024 * 1024;

interface Entry {
  readonly stamps: FileStamps;
  /** As JSON: most values only pass through. */
  readonly value: string;
}

/**
 * Results from the files of each plan, as JSON, valid until the stamps of the files change. They can be rebuilt at any
 * time: a text that is incomplete, or from another version of Ravel, counts as an empty cache. Only the entries that
 * were used since are written back, so the cache never grows beyond the vault.
 */
export class StampedCache {
  readonly #known: ReadonlyMap<string, Entry>;
  readonly #used = new Map<string, Entry>();
  #hasNews = false;
  /** Tells the text that it was read from apart from others; undefined if it was read from none. */
  readonly mark: string | undefined;

  private constructor(known: ReadonlyMap<string, Entry>, mark?: string) {
    this.#known = known;
    this.mark = mark;
  }

  static empty(): StampedCache {
    return new StampedCache(new Map());
  }

  /** The mark that a cache has which is read from this text. */
  static markOf(text: string): string {
    return `${text.slice(0, text.indexOf('\n'))}, ${text.length}`;
  }

  /** A text that `format` did not make counts as an empty cache. */
  static parse(text: string, version: string): StampedCache {
    const headEnd = text.indexOf('\n');
    const body = text.slice(headEnd + 1);
    if (headEnd < 0 || text.slice(0, headEnd) !== header(body, version)) return StampedCache.empty();
    const [numbers = '', ...lines] = body.split('\n');
    const stamps = decodeNumbers(numbers);
    const known = new Map<string, Entry>();
    let at = 0;
    for (let n = 0; n + 2 < lines.length; n += 3) {
      const count = Number(lines[n + 1]);
      known.set(lines[n] ?? '', { stamps: stamps.subarray(at, at + count), value: lines[n + 2] ?? 'null' });
      at += count;
    }
    return new StampedCache(known, StampedCache.markOf(text));
  }

  /** How many values it was read with. */
  get size(): number {
    return this.#known.size;
  }

  /** Whether the text that it was read from has this value, whatever the stamps were. */
  hasRead(key: string, value: string): boolean {
    return this.#known.get(key)?.value === value;
  }

  /** The value that was put for files in exactly this state, as JSON. */
  get(key: string, stamps: FileStamps): string | undefined {
    const entry = this.#known.get(key);
    if (entry === undefined || !areSameStamps(entry.stamps, stamps)) return undefined;
    this.#used.set(key, entry);
    return entry.value;
  }

  /** A key has no line end; JSON on one line has none either. */
  put(key: string, stamps: FileStamps, value: string): void {
    this.#used.set(key, { stamps, value });
    this.#hasNews = true;
  }

  /** Whether writing it back would change anything. */
  get isChanged(): boolean {
    return this.#hasNews || this.#used.size !== this.#known.size;
  }

  format(version: string): string {
    const entries = [...this.#used];
    const numbers = encodeNumbers(entries.flatMap(([, { stamps }]) => Array.from(stamps)));
    const lines = entries.flatMap(([key, { stamps, value }]) => [key, String(stamps.length), value]);
    const body = `${[numbers, ...lines].join('\n')}\n`;
    return `${header(body, version)}\n${body}`;
  }
}

/** What was found before, and since when the one who looks now is at it. */
export interface FoundBefore {
  readonly cache: StampedCache;
  /** Wall time, as files are stamped with; nothing is put into the cache without it. */
  readonly startMs: number;
}

/** What `find` says of these files, as JSON; it is not asked again while they are as they were. */
export async function findOnce(
  disk: Pick<ReadingDisk, 'stampEach'>,
  { cache, startMs }: FoundBefore,
  { key, paths }: { readonly key: string; readonly paths: readonly string[] },
  find: () => Promise<string>,
): Promise<string> {
  // Before anything is read: what changes in between has other stamps the next time.
  const stamps = await disk.stampEach(paths);
  const known = cache.get(key, stamps);
  if (known !== undefined) return known;
  const found = await find();
  if (isSettled(stamps, startMs)) cache.put(key, stamps, found);
  return found;
}

/** The diagnostics that `findOnce` gave as JSON. */
export function parseFound(found: string): readonly Diagnostic[] {
  return found === '[]' ? [] : JSON.parse(found);
}

function header(body: string, version: string): string {
  return `ravel cache 3, ${version}, ${crc32(body)}`;
}

/** In binary, since reading numbers from text would take longer than looking at the files. */
function encodeNumbers(numbers: readonly number[]): string {
  return Buffer.from(Float64Array.from(numbers).buffer).toString('base64');
}

function decodeNumbers(text: string): Float64Array {
  const bytes = Uint8Array.from(Buffer.from(text, 'base64'));
  return new Float64Array(bytes.buffer, 0, Math.floor(bytes.length / 8));
}

/** Whether nothing shows that the files changed between two looks. */
export function areSameStamps(left: FileStamps, right: FileStamps): boolean {
  if (left.length !== right.length) return false;
  for (let n = 0; n < left.length; n++) if (left[n] !== right[n]) return false;
  return true;
}
