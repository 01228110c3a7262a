import { cloudFormats } from './cloudFormats.ts';
import { codeFormats } from './codeFormats.ts';
import { keyFileFormats, modelFormats, signedFormats } from './modelFormats.ts';
import { isMadeUp, isWordy } from './placeholders.ts';
import { serviceFormats } from './serviceFormats.ts';
import { type Alphabet, alphabets, parseShape, type Run, type ShapePart, type TokenFormat } from './tokenFormat.ts';

/** Something in a text that looks like a secret. */
export interface FoundToken {
  /** Offset in the text. */
  readonly index: number;
  readonly value: string;
  /** What it gives access to: “GitHub token”. */
  readonly service: string;
}

/** Every published format that is known here. */
export const tokenFormats: readonly TokenFormat[] = [
  ...cloudFormats,
  ...codeFormats,
  ...serviceFormats,
  ...modelFormats,
  ...signedFormats,
  ...keyFileFormats,
];

/** A format as the scanner looks for it: at its anchor, the literal that is met first. */
interface Pattern {
  readonly service: string;
  readonly anchor: string;
  /** Where in the anchor the two characters are by which it is looked up: no dashes, of which texts have long rows. */
  readonly offset: number;
  /** What stands before the anchor, nearest first. */
  readonly before: readonly ShapePart[];
  readonly after: readonly ShapePart[];
}

/** Characters of ASCII: formats of tokens are found by their first two. */
const asciiSize = 128;

/** Patterns by the first two characters of their anchors. */
type Index = ReadonlyMap<number, readonly Pattern[]>;

const patternIndex: Index = createIndex(tokenFormats);
const runNames = Object.keys(alphabets) as readonly Alphabet[];
const charactersOf: Uint32Array = createCharacters();

/**
 * All tokens of published formats in a text. The time grows with the length of the text alone: each place is looked up by
 * its two characters, and how far a run of an alphabet goes from a place is found out once for all places inside it.
 */
export function* findTokens(text: string): Generator<FoundToken> {
  const runs = new Runs(text);
  const last = text.length - 1;
  for (let at = 0; at < last; at++) {
    const first = text.charCodeAt(at);
    const second = text.charCodeAt(at + 1);
    if (first >= asciiSize || second >= asciiSize) continue;
    const patterns = patternIndex.get(first * asciiSize + second);
    if (patterns === undefined) continue;
    const match = longestMatch(runs, patterns, at);
    if (match === undefined) continue;
    yield { index: match.start, value: text.slice(match.start, match.end), service: match.service };
    at = Math.max(at, match.end - 1);
  }
}

interface Match {
  readonly start: number;
  readonly end: number;
  readonly service: string;
}

function longestMatch(runs: Runs, patterns: readonly Pattern[], at: number): Match | undefined {
  let longest: Match | undefined;
  for (const pattern of patterns) {
    const start = at - pattern.offset;
    if (start < 0 || !runs.text.startsWith(pattern.anchor, start)) continue;
    const match = matchAt(runs, pattern, start);
    if (match !== undefined && match.end > (longest?.end ?? 0)) longest = match;
  }
  return longest;
}

function matchAt(runs: Runs, { anchor, before, after, service }: Pattern, at: number): Match | undefined {
  const isPrefix = before.length === 0;
  if (isPrefix && isWordCharacter(anchor.charCodeAt(0)) && !isBoundary(runs.text, at)) return undefined;
  const body: string[] = [];
  const start = runs.backward(before, at, body);
  const end = start === undefined ? undefined : runs.forward(after, at + anchor.length, body);
  if (start === undefined || end === undefined) return undefined;
  const random = body.join('');
  if (random.length >= bodyCharsMin && (isMadeUp(random) || isWordy(random))) return undefined;
  return { start, end, service };
}

/** Fewer random characters than these say nothing by themselves. */
const bodyCharsMin = 8;

function isWordCharacter(code: number): boolean {
  return ((charactersOf[code] ?? 0) & bitOf('alnum')) !== 0;
}

/** Whether a token can begin here: behind no letter or digit, unless it belongs to an escape (`\n`, `%3D`). */
function isBoundary(text: string, at: number): boolean {
  if (at === 0 || !isWordCharacter(text.charCodeAt(at - 1))) return true;
  if (text[at - 2] === '\\' && /[nrt]/.test(text[at - 1] ?? '')) return true;
  return text[at - 3] === '%' && /^[0-9A-Fa-f]{2}$/.test(text.slice(at - 2, at));
}

/** How far runs of characters reach in one text. */
class Runs {
  readonly text: string;
  /** For each alphabet the last run that was looked at. */
  readonly #starts = new Float64Array(runNames.length).fill(-1);
  readonly #ends = new Float64Array(runNames.length).fill(-1);

  constructor(text: string) {
    this.text = text;
  }

  /** Where the parts end that begin at `at`; undefined if they do not fit. Adds the random characters to `body`. */
  forward(parts: readonly ShapePart[], at: number, body: string[]): number | undefined {
    let end = at;
    for (const [index, part] of parts.entries()) {
      if (typeof part === 'string') {
        if (!this.text.startsWith(part, end)) return undefined;
        end += part.length;
        continue;
      }
      const isLast = index === parts.length - 1;
      const runEnd = this.#end(part.alphabet, end);
      // The full stop of a sentence belongs to no token.
      const length = (isLast && this.text[runEnd - 1] === '.' ? runEnd - 1 : runEnd) - end;
      if (length < part.min || (isLast && length > part.max)) return undefined;
      const taken = Math.min(length, part.max);
      body.push(this.text.slice(end, end + taken));
      end += taken;
    }
    return end;
  }

  /** Where the parts begin that end at `at`, nearest first. */
  backward(parts: readonly ShapePart[], at: number, body: string[]): number | undefined {
    let start = at;
    for (const [index, part] of parts.entries()) {
      if (typeof part === 'string') {
        start -= part.length;
        if (start < 0 || !this.text.startsWith(part, start)) return undefined;
        continue;
      }
      const length = this.#lengthBefore(part, start);
      const isLast = index === parts.length - 1;
      if (length < part.min || (isLast && length > part.max)) return undefined;
      const taken = Math.min(length, part.max);
      body.push(this.text.slice(start - taken, start));
      start -= taken;
    }
    return start;
  }

  #lengthBefore({ alphabet, max }: Run, at: number): number {
    const bit = bitOf(alphabet);
    let length = 0;
    while (length <= max && at - length > 0) {
      if (((charactersOf[this.text.charCodeAt(at - length - 1)] ?? 0) & bit) === 0) break;
      length += 1;
    }
    return length;
  }

  #end(alphabet: Alphabet, at: number): number {
    const which = runNames.indexOf(alphabet);
    const known = this.#ends[which] ?? -1;
    if (at >= (this.#starts[which] ?? -1) && at <= known) return known;
    const bit = bitOf(alphabet);
    let end = at;
    while (end < this.text.length && ((charactersOf[this.text.charCodeAt(end)] ?? 0) & bit) !== 0) end += 1;
    this.#starts[which] = at;
    this.#ends[which] = end;
    return end;
  }
}

function createIndex(formats: readonly TokenFormat[]): Index {
  const index = new Map<number, Pattern[]>();
  for (const [service, shape] of formats) {
    const pattern = patternOf(service, shape);
    const { anchor, offset } = pattern;
    const first = anchor.charCodeAt(offset);
    const seconds = anchor.length > offset + 1 ? [anchor.charCodeAt(offset + 1)] : Array(asciiSize).keys();
    for (const second of seconds) {
      const key = first * asciiSize + second;
      const known = index.get(key);
      if (known === undefined) index.set(key, [pattern]);
      else known.push(pattern);
    }
  }
  return index;
}

/** A shape that begins with a run is looked for by its longest literal. */
function patternOf(service: string, shape: string): Pattern {
  const parts = parseShape(shape);
  const lengthOf = (part: ShapePart | undefined) => (typeof part === 'string' ? part.length : 0);
  let at = 0;
  if (typeof parts[0] !== 'string') {
    for (const [index, part] of parts.entries()) if (lengthOf(part) > lengthOf(parts[at])) at = index;
  }
  const anchor = parts[at];
  if (typeof anchor !== 'string') throw new Error(`${shape} holds no literal text to look for.`);
  const offset = anchor.length > 2 ? Math.max(0, anchor.search(/[A-Za-z0-9]/)) : 0;
  return { service, anchor, offset, before: parts.slice(0, at).reverse(), after: parts.slice(at + 1) };
}

function createCharacters(): Uint32Array {
  const characters = new Uint32Array(asciiSize);
  for (const name of runNames) {
    for (let code = 0; code < asciiSize; code++) {
      if (alphabets[name].test(String.fromCharCode(code))) characters[code] = (characters[code] ?? 0) | bitOf(name);
    }
  }
  return characters;
}

function bitOf(alphabet: Alphabet): number {
  return 1 << runNames.indexOf(alphabet);
}
