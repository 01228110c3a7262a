import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readWords, routedText, textLengthMax, wordsMax } from '../../../src/routing/facts/text.ts';
import { workOf } from '../../support/workOf.ts';

function check(text: string, sequence: string, joined = '') {
  const words = readWords(text);
  expect(words.sequence.map(({ form }) => form).join(' ')).toBe(sequence);
  expect(words.joined.map(({ form }) => form).join(' ')).toBe(joined);
}

describe('the words of a text', () => {
  test.each<[string, string, string, string?]>([
    ['leave out stop words', 'Please have a look at the refunds, thanks', 'refunds'],
    ['drop an apostrophe and its ending', "Shop's invoices don’t match", 'shop invoices match'],
    [
      'split camel case and keep the whole',
      'refundPayment, HTTPServer',
      'refund payment http server',
      'refundpayment httpserver',
    ],
    ['split snake case and keep the whole', 'refund_payment', 'refund payment', 'refundpayment'],
    ['split a path', 'see src/pay/refund.ts:12', 'src pay refund ts'],
    ['join a verb and its particle', 'check out and roll back', 'check out roll back', 'checkout rollback'],
    ['keep language names', 'C++ and C# but not the c', 'c++ c# c'],
    ['drop accents', 'Café übersetzt naïve', 'cafe ubersetzt naive'],
    ['drop invisible characters within a word', 're\u00adfund to\u200bken', 'refund token'],
    ['split a script without spaces into characters', '请退款', '请 退 款'],
    ['read right-to-left text', '\u202eabc\u202c שלום', 'abc שלום'],
    ['drop control characters', 'refund\u0000\u001b[31mqueue', 'refund 31mqueue'],
  ])('%s', (_name, text, sequence, joined) => check(text, sequence, joined));

  test.each([
    ['an address', 'https://refund.example/pay?x=invoice#y'],
    ['an address without a scheme', 'www.refund.example/pay'],
    ['a mail address', 'refund.desk+pay@invoice.example.org'],
    ['a time', '2026-01-02T03:04:05.678Z 2026-01-02 12:30:15,999'],
    ['a UUID', '123e4567-e89b-12d3-a456-426614174000'],
    ['a ULID', '01M7X4TZFWPVQT6PFG4SYTM4BP'],
    ['a commit', '9f8e7d6c5b4a39281706f5e4d3c2b1a098765432 3df3265'],
    ['a number in base 16', '0xdeadbeef'],
    ['a dump', 'de ad be ef 00 11 22 33 44 55'],
    ['a number', '12 4711 123456'],
    ['a measure', '20ms 3kb 5s 2nd'],
    ['a key', 'sk9aK2mQ8xZ4vB7nL1'],
    ['a blob', 'a'.repeat(200)],
  ])('leave out %s as noise', (_name, text) => check(text, ''));

  test('keep a status code', () => check('a 404 or 500', '404 500'));

  test('have one stem for British and American spelling', () => {
    const stems = readWords('authorise authorized authorisation organised').sequence.map(({ stem }) => stem);
    expect(stems).toEqual(['author', 'author', 'author', 'organiz']);
  });

  test('know their recipient in the text', () => {
    const text = 'Refunds: accessToken';
    const { sequence, joined } = readWords(text);
    expect([...sequence, ...joined].map(({ start, end }) => text.slice(start, end))).toEqual([
      ...['Refunds', 'accessToken', 'accessToken', 'accessToken'],
    ]);
  });
});

describe('reading a hostile text', () => {
  test('stops at the length limit without half a word', () => {
    const text = `${'x '.repeat(10)}${' '.repeat(textLengthMax - 24)}refund payment`;
    check(text, 'x '.repeat(10).trim());
  });

  test('stops at the word limit', () => {
    const { sequence, joined } = readWords('refundPayment '.repeat(10_000));
    expect(sequence.length + joined.length).toBe(wordsMax);
  });

  test.each([
    ['one word', 'a'.repeat(5_000_000)],
    ['dots', 'a.'.repeat(2_500_000)],
    ['nearly addresses', 'a+b.c-d'.repeat(700_000)],
    ['nearly dumps', 'ab cd ef '.repeat(5) + 'xy '.repeat(1_000_000)],
    ['lone surrogates', '\ud800'.repeat(2_000_000)],
    ['capitals', 'aB'.repeat(2_000_000)],
    ['digits and letters', 'a1'.repeat(2_000_000)],
    ['apostrophes', "a'".repeat(2_000_000)],
    ['accents', 'e\u0301'.repeat(2_000_000)],
  ])('takes less than 1.5 s for 5 MB of %s', (_name, text) => {
    expect(workOf(() => readWords(text))).toBeLessThan(1500);
  });

  test('gives lower-case words within the text for any string', () => {
    return fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const { sequence, joined } = readWords(text);
        for (const { form, start, end } of [...sequence, ...joined]) {
          expect(form).toBe(form.toLowerCase());
          expect(form).not.toBe('');
          expect(start).toBeGreaterThanOrEqual(0);
          expect(end).toBeLessThanOrEqual(text.length);
        }
      }),
    );
  });
});

test('the routed text of a message is its reason and its body', () => {
  expect(routedText({ reason: 'one', body: 'two' })).toBe('one\ntwo');
});
