import { expect, test } from 'vitest';
import { foldCase, stemOfForm } from '../../../src/base/words/wordForm.ts';

test('a stem does not depend on the spelling of a word', () => {
  expect(['authorise', 'authorized', 'authorisation'].map(stemOfForm)).toEqual(['author', 'author', 'author']);
});

test.each([
  ['Refund', 'refund'],
  ['Café', 'cafe'],
  ['ＡＢＣ', 'abc'],
  ['退款', '退款'],
])('%s is folded to %s', (word, folded) => expect(foldCase(word)).toBe(folded));
