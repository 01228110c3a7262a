import { expect, test } from 'vitest';
import { arabicStemOf } from '../../../src/base/words/arabicStem.ts';

test.each([
  ['the article', 'الكتاب', 'كتاب'],
  ['a conjunction and the article', 'والكتاب', 'كتاب'],
  ['an ending', 'معلمون', 'معلم'],
  ['vowel signs', 'كِتَاب', 'كتاب'],
  ['another form of a letter', 'أحمد', 'احمد'],
  ['a word that is too short to lose anything', 'ال', 'ال'],
  ['a word of another script', 'refund', 'refund'],
])('%s: %s has the stem %s', (_what, word, stem) => expect(arabicStemOf(word)).toBe(stem));
