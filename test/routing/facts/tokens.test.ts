import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { eachToken } from '../../../src/routing/facts/tokens.ts';

/** The pattern that `eachToken` implements without a regular expression, tried at every recipient. */
const whole = new RegExp(
  [
    String.raw`\b[a-z][a-z0-9+.-]{1,15}:\/\/[^\s)>\]"']+`,
    String.raw`\bwww\.[^\s)>\]"']+`,
    String.raw`[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{1,64}`,
    String.raw`\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d[\d:.,]{0,16}(?:Z|[+-]\d\d:?\d\d)?)?`,
    String.raw`\d{1,2}:\d\d(?::\d\d)?(?:[.,]\d{1,9})?`,
    String.raw`\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`,
    String.raw`\b0x[0-9a-f]+\b`,
    String.raw`\b(?:[0-9a-f]{2}|[0-9a-f]{4}|[0-9a-f]{8})(?:[ :](?:[0-9a-f]{2}|[0-9a-f]{4}|[0-9a-f]{8})){7,}\b`,
    String.raw`(?<word>(?<![\p{L}\p{N}])[cfj](?:\+\+|#)(?![\p{L}\p{N}])|[\p{L}\p{N}\p{M}\u00ad\u200b-\u200d\u2060\ufeff]+(?:['’](?:s|t|re|ve|ll|d|m)(?![\p{L}\p{N}]))?)`,
  ].join('|'),
  'giu',
);

function tokensOf(text: string, most = Number.POSITIVE_INFINITY): string[] {
  const found: string[] = [];
  eachToken(text, (written, start) => {
    found.push(`${start} ${written}`);
    return found.length < most;
  });
  return found;
}

function check(text: string) {
  const expected = [...text.matchAll(whole)]
    .filter(({ groups }) => groups?.['word'] !== undefined)
    .map(({ 0: written, index }) => `${index} ${written}`);
  expect(tokensOf(text)).toEqual(expected);
}

const pieces = [
  ...[
    'refund',
    'Shop',
    'don',
    "'t",
    "'s",
    '’re',
    "'",
    'c',
    'C',
    'j',
    '++',
    '#',
    'www',
    'WWW',
    '.',
    '://',
    ':',
    '//',
    'http',
  ],
  ...[
    'git+ssh',
    '@',
    'desk',
    'example.org',
    '-',
    '_',
    '+',
    ' ',
    '\n',
    'be',
    'ad',
    'dead',
    'beef',
    'deadbeef',
    'de',
    'ace',
  ],
  ...[
    '0x',
    '12',
    '2026-01-02',
    'T03:04',
    '12:30',
    'é',
    'e\u0301',
    '请',
    '\u00ad',
    '\ud800',
    '😀',
    '\u017f',
    '\u212a',
    'a'.repeat(70),
  ],
  ...['dead-beef-dead-beefdeadbeef', 'refund_payment', 'refundPayment', '(', ')', '"', '\u0000'],
];

test.each([
  ['web addresses', 'see https://refund.example/pay?x=invoice#y and git+ssh://one.two/three, four://'],
  ['mail addresses', 'to refund.desk+pay@invoice.example.org, _one@two.three or @nobody'],
  ['parts of mail addresses that are too long', `${'a'.repeat(65)}@two.three ${'b'.repeat(64)}@two.three`],
  ['addresses without a scheme', 'www.refund.example, WWW.x but www and wwwx.y'],
  [
    'letters that look like hexadecimal numbers',
    'be ad de ef be ad de ef; be ad; deadbeef-dead-beef-dead-beefdeadbeef cafe',
  ],
  ['language names', 'C++ and c# and f+ and xc++ and J#'],
  ['apostrophes', "Shop's don't don'tx 'quoted' it’s"],
])('eachToken and the pattern agree on %s', (_name, text) => check(text));

test('eachToken stops reading when its callback says so', () => {
  expect(tokensOf('one two three', 2)).toEqual(['0 one', '4 two']);
});

test('eachToken and the pattern agree on any text', () =>
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...pieces) }, fc.string({ unit: 'binary', maxLength: 3 })),
        {
          maxLength: 30,
        },
      ),
      (parts) => {
        check(parts.join(''));
        check(parts.join(' '));
      },
    ),
    { numRuns: 500 },
  ));
