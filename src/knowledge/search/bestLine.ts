import { oneLine } from '../../base/text.ts';
import { inverseFrequency } from '../retrieval/inverseFrequency.ts';
import type { QueryTerm } from '../retrieval/queryTerms.ts';
import type { SearchIndex } from '../retrieval/searchIndex.ts';

/** Characters of the line that is shown. */
const lineLengthMax = 200;

/** The line of a text in which most of the words stand, the rarer ones first; the first line if none has any. */
export function bestLine(index: SearchIndex, text: string, words: readonly QueryTerm[]): string {
  const worthOf = new Map(words.map((word) => [word.term, word.weight * inverseFrequency(index, word.term)]));
  let best = '';
  let most = -1;
  for (const line of pieces(text)) {
    const found = new Set<number>();
    index.reader.eachTerm(line, (name) => {
      const term = index.words.find(name);
      if (term !== undefined && worthOf.has(term)) found.add(term);
    });
    const worth = [...found].reduce((sum, term) => sum + (worthOf.get(term) ?? 0), 0);
    if (worth <= most) continue;
    best = line;
    most = worth;
  }
  return best;
}

/** Lines that say something, and of a long one pieces that end between words. */
function* pieces(text: string): Generator<string> {
  for (const whole of text.split('\n')) {
    let line = oneLine(whole);
    while (line.length > lineLengthMax) {
      const space = line.lastIndexOf(' ', lineLengthMax);
      const end = space > lineLengthMax / 2 ? space : wholeCharacters(line, lineLengthMax);
      yield line.slice(0, end);
      line = line.slice(end).trimStart();
    }
    if (/[\p{L}\p{N}]/u.test(line)) yield line;
  }
}

/** The beginning of a text, of at most this number of units, without half a character at its end. */
function wholeCharacters(text: string, length: number): number {
  const last = text.charCodeAt(length - 1);
  return last >= 0xd800 && last < 0xdc00 ? length - 1 : length;
}
