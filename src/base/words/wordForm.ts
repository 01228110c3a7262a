import { stemOf } from './stem.ts';

/** In lower case, and without accents on Latin, Greek and Cyrillic letters. */
export function foldCase(word: string): string {
  const lower = word.toLowerCase();
  if (/^[a-z0-9]*$/.test(lower)) return lower;
  return lower
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .normalize('NFC');
}

const britishEnding = /(?<=[^aeiou])is(e|es|ed|er|ers|ing|ation|ations)$/;

/** Of words that are written in two ways, `authorise` and `authorize`, both have the stem of one. */
export function stemOfForm(form: string): string {
  const isBritish = form.length >= 7 && britishEnding.test(form);
  return stemOf(isBritish ? form.replace(britishEnding, 'iz$1') : form);
}
