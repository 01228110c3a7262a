import { arabicStemOf } from '../../base/words/arabicStem.ts';
import { ownCopy } from '../../base/words/ownCopy.ts';
import { stopWords } from '../../base/words/stopWords.ts';
import { foldCase, stemOfForm } from '../../base/words/wordForm.ts';

/** Told each term. A whole is a compound, such as a name or a path, whose parts are told as well. */
type Take = (term: string, isWhole: boolean) => void;

/** Parts that are remembered at most; about a hundred bytes each. */
const rememberedMax = 32_768;
/** People do not search for longer names. */
const wholeLengthMax = 160;
const partLengthMax = 64;

/**
 * Reads the terms of any text: stems of its words, names and paths and numbers of versions as a whole and by their parts,
 * pairs of characters of scripts without spaces. Takes time by the length of the text alone. Remembers the stems of words
 * that come again; that is bounded and changes nothing of what is read.
 */
export class TermReader {
  readonly #stems = new Map<string, string>();

  eachTerm(text: string, take: Take): void {
    for (let at = 0; at < text.length; ) {
      if (!isWordAt(text, at)) {
        at += 1;
        continue;
      }
      const end = endOfRun(text, at);
      this.#readRun(text.slice(at, end), take);
      at = end;
    }
  }

  /** What is written without a space: segments of a path. */
  #readRun(run: string, take: Take): void {
    const known = this.#stems.get(run);
    if (known !== undefined) {
      takePart(known, take);
      return;
    }
    const segments = run.split(slashes);
    if (segments.length > 1) takeWhole(segments.map(foldCase).join('/'), take);
    for (const segment of segments) this.#readSegment(segment, take);
  }

  /** Names with dots or pairs of colons between them: a file and its ending, a module and what it holds, a version. */
  #readSegment(segment: string, take: Take): void {
    const names = segment.split(dots).filter((name) => name !== '');
    const [first = '', second = ''] = names;
    if (names.length > 1) {
      const start = numberedVersion.test(first) ? first.slice(1) : first;
      takeWhole([start, ...names.slice(1)].map(foldCase).join('.'), take);
      if (names.length > 2 && isNumber(start) && isNumber(second)) takeWhole(`${start}.${second}`, take);
    }
    for (const name of names) this.#readName(name, take);
  }

  /** Words of one name; `readPlanFile`, `read_plan_file` and `read-plan-file` are the same whole. */
  #readName(name: string, take: Take): void {
    const parts = isPlain(name) ? [name] : partsOf(name);
    for (const part of parts) this.#readPart(part, take);
    if (parts.length < 2) return;
    const whole = foldCase(name).replace(joints, '');
    takeWhole(isLetters(whole) ? stemOfForm(whole) : whole, take);
  }

  #readPart(part: string, take: Take): void {
    if (part.length > partLengthMax) return;
    const known = this.#stems.get(part);
    const stem = known ?? termOf(part);
    if (known === undefined) {
      if (this.#stems.size >= rememberedMax) this.#stems.clear();
      this.#stems.set(ownCopy(part), stem);
    }
    takePart(stem, take);
  }
}

/** A part is of a script without spaces or has no such character, so its first one tells. */
function takePart(stem: string, take: Take): void {
  if (stem === '') return;
  if (stem.charCodeAt(0) < 0xe00 || !unspacedWord.test(stem)) {
    take(stem, false);
    return;
  }
  const characters = [...stem];
  for (const [n, character] of characters.entries()) {
    take(character, false);
    const next = characters[n + 1];
    if (next !== undefined) take(character + next, true);
  }
}

/** The stem of a single word; empty if it says nothing. */
function termOf(part: string): string {
  const form = foldCase(part);
  if (stopWords.has(form)) return '';
  return isLetters(form) ? stemOfForm(form) : arabicStemOf(form);
}

function takeWhole(whole: string, take: Take): void {
  if (whole.length > 1 && whole.length <= wholeLengthMax) take(whole, true);
}

const slashes = /[/\\]/;
const dots = /\.|::/;
const joints = /_|(?<!\d)-|-(?!\d)/g;
const numberedVersion = /^[vV]\d/;
const unspacedWord = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;
const unspacedRuns =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]+|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]+/gu;

/** Whether a name is one word in ASCII, as most are: in one case, but for its first letter. */
function isPlain(name: string): boolean {
  return /^(?:[A-Za-z]?[a-z0-9]*|[A-Z0-9]+)$/.test(name);
}

function isLetters(form: string): boolean {
  return /^[a-z]+$/.test(form);
}

function isNumber(name: string): boolean {
  return /^\d+$/.test(name);
}

function partsOf(name: string): string[] {
  return name
    .split(/[_-]/)
    .flatMap((word) => (unspacedWord.test(word) ? (word.match(unspacedRuns) ?? []) : withoutCase(word)))
    .filter((part) => part !== '');
}

function withoutCase(word: string): string[] {
  return word
    .replace(/([\p{Ll}\p{N}])(?=\p{Lu})/gu, '$1 ')
    .replace(/(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1 ')
    .split(' ');
}

/** Behind the last character that belongs to the word at `start`, or to a name or a path that it begins. */
function endOfRun(text: string, start: number): number {
  let at = start;
  for (;;) {
    while (isWordAt(text, at)) at += 1;
    const next = behindJoint(text, at);
    if (next === at || !isWordAt(text, next)) return at - start === 1 ? behindSigns(text, at) : at;
    at = next;
  }
}

/** Behind what joins two words to a name; `at` itself where nothing does. */
function behindJoint(text: string, at: number): number {
  const sign = text[at];
  if (sign === ':') return text[at + 1] === ':' ? at + 2 : at;
  if (sign === '.') return at + 1;
  if (sign === '/' || sign === '\\') return text[at + 1] === '.' ? at + 2 : at + 1;
  if (sign === '-') return at + 1;
  return at;
}

/** Behind the signs of `C++` and `C#`. */
function behindSigns(text: string, at: number): number {
  if (text.startsWith('++', at)) return at + 2;
  return text[at] === '#' && !isWordAt(text, at + 1) ? at + 1 : at;
}

/** Letters, digits, what stands on a letter, and underscores. */
function isWordAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 0x80) {
    const lower = code | 0x20;
    return (lower >= 0x61 && lower <= 0x7a) || (code >= 0x30 && code <= 0x39) || code === 0x5f;
  }
  return code >= 0xaa && otherWord.test(text.charAt(at));
}

/** Halves of characters outside of the basic plane count as letters. */
const otherWord = /[\p{L}\p{N}\p{M}\p{Cs}]|\u200c|\u200d|\u00ad/u;
