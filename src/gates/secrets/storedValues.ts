import type { StoredValues } from '../../model/storedValues.ts';
import type { FoundToken } from './tokenScanner.ts';

/** A secret that a person keeps: what it is called, and its value. */
export interface StoredSecret {
  readonly name: string;
  readonly value: string;
}

/** Characters that have to be left of a value to look for it: shorter ones are words of ordinary texts. */
const charsMin = 8;
/** From this length on, a line of a value is looked for by itself, if it has the alphabet of keys. */
const lineCharsMin = 40;
const keyLine = /^[A-Za-z0-9+/=_-]+$/;

/** Whether a value is long enough to be looked for. */
export function isSearchable(value: string): boolean {
  return fold(value).units.length >= charsMin;
}

/**
 * Looks for all values at once. The time grows with the length of the text, not with the number of values: each place is
 * looked up by a hash of the next eight characters.
 *
 * Text and values are compared without what writers put between the parts of a value (white space, quotes, backslashes,
 * joining operators) and without regard to case. So a value is found quoted, split over lines or strings, and in a diff.
 * Escapes of JSON and of addresses are read first; Base64 at each of its three offsets, and hexadecimal, are looked for as
 * values of their own.
 */
export function createStoredValues(secrets: readonly StoredSecret[]): StoredValues {
  const index = new Map<number, Needle[]>();
  for (const { name, value } of secrets) {
    for (const written of formsOf(value)) {
      const { units } = fold(written);
      if (units.length < charsMin) continue;
      const key = hashAt(units, 0);
      index.set(key, [...(index.get(key) ?? []), { name, units }]);
    }
  }
  return {
    isEmpty: index.size === 0,
    find(text) {
      if (index.size === 0) return [];
      return withoutOverlaps(
        readings(text).flatMap((reading) => [...findIn(reading, { text, index })]),
        text,
      );
    },
  };
}

interface Needle {
  readonly name: string;
  readonly units: Uint16Array;
}

/** Characters that are compared, and where each of them came from in the text: its first unit, and the one behind it. */
interface Reading {
  readonly units: Uint16Array;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

function* formsOf(value: string): Generator<string> {
  yield value;
  const bytes = Buffer.from(value, 'utf8');
  yield bytes.toString('hex');
  for (const offset of [0, 1, 2]) {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    // The characters at both ends depend on what stands beside the value.
    yield encoded.slice(Math.ceil((offset * 8) / 6), Math.floor(((bytes.length + offset) * 8) / 6));
  }
  const lines = value.split(/[\r\n]+/);
  if (lines.length > 1) yield* lines.filter((line) => line.length >= lineCharsMin && keyLine.test(line));
}

function* findIn(
  { units, starts, ends }: Reading,
  { text, index }: { readonly text: string; readonly index: ReadonlyMap<number, readonly Needle[]> },
): Generator<FoundToken> {
  for (let at = 0; at + charsMin <= units.length; at++) {
    for (const needle of index.get(hashAt(units, at)) ?? []) {
      if (!isAt(units, at, needle.units)) continue;
      const from = starts[at] ?? 0;
      const to = ends[at + needle.units.length - 1] ?? from;
      yield { index: from, value: text.slice(from, to), service: `stored secret ${needle.name}` };
    }
  }
}

function isAt(units: Uint16Array, at: number, wanted: Uint16Array): boolean {
  if (at + wanted.length > units.length) return false;
  // From the end: the beginning of a value is what many values and texts share.
  for (let i = wanted.length - 1; i >= 0; i--) if (units[at + i] !== wanted[i]) return false;
  return true;
}

function hashAt(units: Uint16Array, at: number): number {
  let hash = 0;
  for (let i = 0; i < charsMin; i++) hash = Math.imul(hash, 31) + (units[at + i] ?? 0);
  return hash | 0;
}

/**
 * By place, the longest at each first. Of one that begins inside another, what lies behind that other: so all that
 * belongs to any of them is in one of those that are left.
 */
function withoutOverlaps(found: readonly FoundToken[], text: string): readonly FoundToken[] {
  const kept: FoundToken[] = [];
  let end = 0;
  for (const one of found.toSorted((a, b) => a.index - b.index || b.value.length - a.value.length)) {
    const oneEnd = one.index + one.value.length;
    if (oneEnd <= end) continue;
    const last = kept.at(-1);
    if (last !== undefined && one.index < end && last.service === one.service) {
      kept[kept.length - 1] = { ...last, value: text.slice(last.index, oneEnd) };
    } else {
      const index = Math.max(one.index, end);
      kept.push({ ...one, index, value: text.slice(index, oneEnd) });
    }
    end = oneEnd;
  }
  return kept;
}

/** The text as it is, with its backslash escapes read, with its percent escapes read, and with both. */
function readings(text: string): readonly Reading[] {
  const hasBackslash = text.includes('\\');
  const hasPercent = text.includes('%');
  const plain = asWritten(text);
  const unescaped = hasBackslash ? readEscapes(plain) : plain;
  const all = [plain];
  if (hasBackslash) all.push(unescaped);
  if (hasPercent) all.push(readPercents(plain));
  if (hasBackslash && hasPercent) all.push(readPercents(unescaped));
  return all.map(squeeze);
}

function fold(text: string): Reading {
  return squeeze(asWritten(text));
}

function asWritten(text: string): Reading {
  const builder = new ReadingBuilder(text.length);
  for (let at = 0; at < text.length; at++) builder.add(text.charCodeAt(at), at, at + 1);
  return builder.build();
}

/** What stands between the parts of a value that is split, or is another way to write the same character. */
const dropped: ReadonlySet<number> = new Set(
  [...' \t\r\n\v\f\0"\'`\\+-.,:&\u00a0\u200b\u200c\u200d\u2060\ufeff'].map((one) => one.charCodeAt(0)),
);
const underscore = 0x5f;
const slash = 0x2f;

/** Without what is dropped, in one case, and with both alphabets of Base64 as one. */
function squeeze({ units, starts, ends }: Reading): Reading {
  const builder = new ReadingBuilder(units.length);
  for (let at = 0; at < units.length; at++) {
    const unit = units[at] ?? 0;
    if (dropped.has(unit)) continue;
    const isUpper = unit >= 0x41 && unit <= 0x5a;
    const folded = isUpper ? unit + 0x20 : unit;
    builder.add(folded === underscore ? slash : folded, starts[at] ?? 0, ends[at] ?? 0);
  }
  return builder.build();
}

const backslash = 0x5c;
/** Characters of an escape by its letter: `\xNN`, `\uNNNN`. */
const escapeDigits: Readonly<Record<string, number>> = { x: 2, u: 4 };
/** Escapes of white space, which is dropped. */
const blankLetters: ReadonlySet<string> = new Set([...'nrtvfb']);

function readEscapes({ units, starts, ends }: Reading): Reading {
  const builder = new ReadingBuilder(units.length);
  for (let at = 0; at < units.length; at++) {
    const start = starts[at] ?? 0;
    if (units[at] !== backslash || at + 1 >= units.length) {
      builder.add(units[at] ?? 0, start, ends[at] ?? 0);
      continue;
    }
    const letter = String.fromCharCode(units[at + 1] ?? 0);
    const digits = escapeDigits[letter] ?? 0;
    const unit = digits === 0 ? undefined : hexAt(units, at + 2, digits);
    at += unit === undefined ? 1 : digits + 1;
    if (unit !== undefined) builder.add(unit, start, ends[at] ?? 0);
    else if (!blankLetters.has(letter)) builder.add(units[at] ?? 0, start, ends[at] ?? 0);
  }
  return builder.build();
}

const percent = 0x25;

/** Runs of `%NN` as the UTF-8 that they are. */
function readPercents({ units, starts, ends }: Reading): Reading {
  const builder = new ReadingBuilder(units.length);
  for (let at = 0; at < units.length; at++) {
    const bytes: number[] = [];
    let next = at;
    while (units[next] === percent) {
      const byte = hexAt(units, next + 1, 2);
      if (byte === undefined) break;
      bytes.push(byte);
      next += 3;
    }
    if (bytes.length === 0) {
      builder.add(units[at] ?? 0, starts[at] ?? 0, ends[at] ?? 0);
      continue;
    }
    const decoded = Buffer.from(bytes).toString('utf8');
    for (let i = 0; i < decoded.length; i++) builder.add(decoded.charCodeAt(i), starts[at] ?? 0, ends[next - 1] ?? 0);
    at = next - 1;
  }
  return builder.build();
}

/** The number that the hexadecimal digits write; undefined if one of them is something else. */
function hexAt(units: Uint16Array, at: number, digits: number): number | undefined {
  let number = 0;
  for (let i = 0; i < digits; i++) {
    const digit = hexDigit(units[at + i]);
    if (digit === undefined) return undefined;
    number = number * 16 + digit;
  }
  return number;
}

function hexDigit(unit: number | undefined): number | undefined {
  if (unit === undefined) return undefined;
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30;
  const lower = unit | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : undefined;
}

class ReadingBuilder {
  readonly #units: Uint16Array;
  readonly #starts: Uint32Array;
  readonly #ends: Uint32Array;
  #length = 0;

  constructor(lengthMax: number) {
    this.#units = new Uint16Array(lengthMax);
    this.#starts = new Uint32Array(lengthMax);
    this.#ends = new Uint32Array(lengthMax);
  }

  add(unit: number, start: number, end: number): void {
    this.#units[this.#length] = unit;
    this.#starts[this.#length] = start;
    this.#ends[this.#length] = end;
    this.#length += 1;
  }

  build(): Reading {
    const length = this.#length;
    return {
      units: this.#units.subarray(0, length),
      starts: this.#starts.subarray(0, length),
      ends: this.#ends.subarray(0, length),
    };
  }
}
