import { ownCopy } from '../../base/words/ownCopy.ts';
import { particles, stopWords } from '../../base/words/stopWords.ts';
import { foldCase, stemOfForm } from '../../base/words/wordForm.ts';

export interface WordPart {
  /** In lower case and without accents. */
  readonly form: string;
  readonly stem: string;
  readonly isStopWord: boolean;
  readonly isParticle: boolean;
}

/** What is known of a word as a text writes it. */
export interface WrittenWord {
  /** Without what is invisible, and without an ending behind an apostrophe. */
  readonly written: string;
  /** A compound name is taken apart, `refundPayment` in two; none of what is noise. */
  readonly parts: readonly WordPart[];
  /** A compound as one word. */
  readonly joined: WordPart | undefined;
}

/** Words that are remembered at most; a few hundred bytes each. */
const rememberedMax = 16_384;

/** Reads words that come again and again. What is remembered is bounded, and changes nothing of what is read. */
export class WordForms {
  private readonly words = new Map<string, WrittenWord>();
  private readonly compounds = new Map<string, WordPart | undefined>();

  read(found: string): WrittenWord {
    const known = this.words.get(found);
    if (known !== undefined) return known;
    if (found.length > 2 * wordLengthMax) return readWord(found);
    const own = ownCopy(found);
    const word = readWord(own);
    if (this.words.size >= rememberedMax) this.words.clear();
    this.words.set(own, word);
    return word;
  }

  /** Two words as one; undefined if the result does not count as a word. */
  readCompound(written: string): WordPart | undefined {
    const known = this.compounds.get(written);
    if (known !== undefined || this.compounds.has(written)) return known;
    const own = ownCopy(written);
    const part = compoundOf(own);
    if (this.compounds.size >= rememberedMax) this.compounds.clear();
    this.compounds.set(own, part);
    return part;
  }
}

function readWord(found: string): WrittenWord {
  const written = found.replace(/['’]\p{L}+$/u, '').replace(/[\u00ad\u200b-\u200d\u2060\ufeff]/g, '');
  if (isNoise(written)) return { written, parts: [], joined: undefined };
  const parts = partsOf(written).filter((form) => form !== '');
  const isCompound = parts.length > 1 && !unspaced.test(written);
  return { written, parts: parts.map(toPart), joined: isCompound ? compoundOf(written) : undefined };
}

function compoundOf(written: string): WordPart | undefined {
  const form = foldCase(written);
  return form.length > wordLengthMax || stopWords.has(form) ? undefined : toPart(form);
}

function toPart(form: string): WordPart {
  const isStopWord = stopWords.has(form);
  return { form, stem: isStopWord ? form : stemOfForm(form), isStopWord, isParticle: particles.has(form) };
}

/** Characters of a word; a longer one is data, such as a hash. */
const wordLengthMax = 48;
/** Commits, and whatever else is a number in base 16. */
const hexNumber = /^(?=.*\d)[0-9a-f]{7,}$/i;
const ulid = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/i;
/** Three digits are a status, as in `a 404`; other numbers are counts, lines and dates. */
const number = /^(?!\d{3}$)\d+$/;
const measure = /^\d+(?:ns|us|ms|s|sec|min|m|h|d|b|kb|mb|gb|kib|mib|gib|px|k|x|th|st|nd|rd)$/i;

function isNoise(word: string): boolean {
  if (word === '' || word.length > wordLengthMax) return true;
  if (!/\d/.test(word)) return false;
  if (number.test(word) || measure.test(word) || hexNumber.test(word) || ulid.test(word)) return true;
  return word.length >= 16 && (word.match(/\d/g) ?? []).length >= 4;
}

/** Scripts that put no space between words: each of their characters counts as a word, and words are phrases. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const runs =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+/gu;

/** In lower case, without accents; `refundPayment` is two. */
function partsOf(word: string): string[] {
  if (unspaced.test(word)) return (word.match(runs) ?? []).map(foldCase);
  if (!/[\p{Ll}\p{N}]\p{Lu}|\p{Lu}{2}\p{Ll}/u.test(word)) return [foldCase(word)];
  return word
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .split(' ')
    .map(foldCase);
}
