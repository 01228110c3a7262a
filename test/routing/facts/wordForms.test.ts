import { expect, test } from 'vitest';
import { readWords } from '../../../src/routing/facts/text.ts';
import { WordForms } from '../../../src/routing/facts/wordForms.ts';

test.each([
  ['refundPayment', 'refund payment', 'refundpayment'],
  ["Shop's", 'shop', undefined],
  ['the', 'the', undefined],
  ['9f8e7d6c5b4a', '', undefined],
  ['\u0301', '', undefined],
  ['请退款', '请 退 款', undefined],
  [`refund${'Payment'.repeat(9)}`, '', undefined],
])('%s has the same forms when it is read again', (found, forms, joined) => {
  const words = new WordForms();
  for (let time = 0; time < 2; time += 1) {
    const word = words.read(found);
    expect([word.parts.map(({ form }) => form).join(' '), word.joined?.form]).toEqual([forms, joined]);
  }
});

test('a stop word is recognised, in a compound as well', () => {
  const words = new WordForms();
  expect(words.read('The').parts).toMatchObject([{ form: 'the', isStopWord: true }]);
  expect(words.read('out').parts).toMatchObject([{ form: 'out', isStopWord: false, isParticle: true }]);
  expect(['checkout', 'with-in', 'within'].map((written) => words.readCompound(written)?.form)).toEqual([
    ...['checkout', 'with-in', undefined],
  ]);
});

test('words remembered from one text do not change another', () => {
  const words = new WordForms();
  const texts = ['check out the access-token', 'CHECK out accessToken', "check-out, don't", 'access_token'];
  for (const text of [...texts, ...texts]) expect(readWords(text, words)).toEqual(readWords(text));
});

test('a word is read correctly after more words than are remembered', () => {
  const words = new WordForms();
  const letters = (number: number) => number.toString(26).replace(/\d/g, (digit) => 'qrstuvwxyz'[Number(digit)] ?? '');
  for (let number = 0; number < 40_000; number += 1) words.read(`x${letters(number)}`);
  expect(words.read('refunds').parts).toMatchObject([{ form: 'refunds', stem: 'refund' }]);
});
