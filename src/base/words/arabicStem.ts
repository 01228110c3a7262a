/**
 * A light stem of an Arabic word: without vowel signs, with one form for letters that are written in several ways, and
 * without the article, the conjunction before it, and the most frequent endings. Any other word is its own stem.
 */
export function arabicStemOf(word: string): string {
  if (!/^[\u0621-\u0670]+$/.test(word)) return word;
  const plain = word
    .replace(/[\u0640\u064b-\u0652\u0670]/g, '')
    .replace(/[آأإ]/g, 'ا')
    .replaceAll('ى', 'ي')
    .replaceAll('ة', 'ه');
  return withoutEnding(withoutBeginning(plain));
}

const beginnings = ['وال', 'بال', 'كال', 'فال', 'ال', 'لل'];
const endings = ['ها', 'ان', 'ات', 'ون', 'ين', 'يه', 'ه', 'ي'];

function withoutBeginning(word: string): string {
  const found = beginnings.find((beginning) => word.startsWith(beginning) && word.length >= beginning.length + 2);
  if (found !== undefined) return word.slice(found.length);
  return word.startsWith('و') && word.length >= 4 ? word.slice(1) : word;
}

function withoutEnding(word: string): string {
  const found = endings.find((ending) => word.endsWith(ending) && word.length >= ending.length + 3);
  return found === undefined ? word : word.slice(0, -found.length);
}
