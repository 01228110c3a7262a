import { foldCase } from './wordForm.ts';

/** Letters of scripts that are written without blanks are words of their own. */
const wordPattern = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{M}\p{N}_]+/gu;

/** Words that stand together; fewer would be found in any text. */
const shingleWords = 5;

/** The words of a text in one form, in their order. */
export function foldedWords(text: string): readonly string[] {
  return (text.match(wordPattern) ?? []).map(foldCase);
}

/** Each sequence of five words of a text; of a shorter text, all of it. Empty for a text without words. */
export function shinglesOf(text: string): ReadonlySet<string> {
  const words = foldedWords(text);
  const count = Math.max(Math.min(words.length, 1), words.length - shingleWords + 1);
  return new Set(Array.from({ length: count }, (_, at) => words.slice(at, at + shingleWords).join(' ')));
}

/** Which part of the first set is in the second one, from 0 to 1; 0 for an empty first set. */
export function containment(inner: ReadonlySet<string>, outer: Pick<ReadonlySet<string>, 'has'>): number {
  if (inner.size === 0) return 0;
  let found = 0;
  for (const item of inner) if (outer.has(item)) found += 1;
  return found / inner.size;
}
