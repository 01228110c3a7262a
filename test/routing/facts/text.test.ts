import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readWords, routedText, textLengthMax, wordsMax } from '../../../src/routing/facts/text.ts';

function check(text: string, sequence: string, joined = '') {
  const words = readWords(text);
  expect(words.sequence.map(({ form }) => form).join(' ')).toBe(sequence);
  expect(words.joined.map(({ form }) => form).join(' ')).toBe(joined);
}

describe('words', () => {
  test.each<[string, string, string, string?]>([
    ['stop words say nothing', 'Please have a look at the refunds, thanks', 'refunds'],
    ['a word behind an apostrophe', "Shop's invoices don’t match", 'shop invoices match'],
    [
      'camel case apart and whole',
      'refundPayment, HTTPServer',
      'refund payment http server',
      'refundpayment httpserver',
    ],
    ['snake case', 'refund_payment', 'refund payment', 'refundpayment'],
    ['a path', 'see src/pay/refund.ts:12', 'src pay refund ts'],
    ['a verb with its particle', 'check out and roll back', 'check out roll back', 'checkout rollback'],
    ['languages', 'C++ and C# but not the c', 'c++ c# c'],
    ['accents', 'Café übersetzt naïve', 'cafe ubersetzt naive'],
    ['what is invisible within a word', 're\u00adfund to\u200bken', 'refund token'],
    ['a script without spaces', '请退款', '请 退 款'],
    ['right to left', '\u202eabc\u202c שלום', 'abc שלום'],
    ['control characters', 'refund\u0000\u001b[31mqueue', 'refund 31mqueue'],
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
  ])('%s is noise', (_name, text) => check(text, ''));

  test('a status is none', () => check('a 404 or 500', '404 500'));

  test('what is written in two ways has one stem', () => {
    const stems = readWords('authorise authorized authorisation organised').sequence.map(({ stem }) => stem);
    expect(stems).toEqual(['author', 'author', 'author', 'organiz']);
  });

  test('each knows where it stands', () => {
    const text = 'Refunds: accessToken';
    const { sequence, joined } = readWords(text);
    expect([...sequence, ...joined].map(({ start, end }) => text.slice(start, end))).toEqual([
      ...['Refunds', 'accessToken', 'accessToken', 'accessToken'],
    ]);
  });
});

describe('a hostile text', () => {
  test('counts up to its bound, and no half of a word', () => {
    const text = `${'x '.repeat(10)}${' '.repeat(textLengthMax - 24)}refund payment`;
    check(text, 'x '.repeat(10).trim());
  });

  test('has no more words than are looked at', () => {
    const { sequence, joined } = readWords('refundPayment '.repeat(10_000));
    expect(sequence.length + joined.length).toBe(wordsMax);
  });

  test.each([
    ['one word', 'a'.repeat(5_000_000)],
    ['dots', 'a.'.repeat(2_500_000)],
    ['nearly addresses', 'a+b.c-d'.repeat(700_000)],
    ['nearly dumps', 'ab cd ef '.repeat(5) + 'xy '.repeat(1_000_000)],
    ['halves of characters', '\ud800'.repeat(2_000_000)],
    ['capitals', 'aB'.repeat(2_000_000)],
    ['digits and letters', 'a1'.repeat(2_000_000)],
    ['apostrophes', "a'".repeat(2_000_000)],
    ['accents', 'e\u0301'.repeat(2_000_000)],
  ])('of 5 MB takes no longer than one of its bound: %s', (_name, text) => {
    const start = performance.now();
    readWords(text);
    expect(performance.now() - start).toBeLessThan(1500);
  });

  test('whatever it is, its words are lower case and stand within it', () => {
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

test('a message is its reason and its body', () => {
  expect(routedText({ reason: 'one', body: 'two' })).toBe('one\ntwo');
});
