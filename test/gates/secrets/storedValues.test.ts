import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createStoredValues, isSearchable } from '../../../src/gates/secrets/storedValues.ts';

const value = 'kT9/vQ+x_Zr-4mWp=7Lé#h';
const stored = createStoredValues([{ name: 'DEPLOY', value }]);
const base64 = (text: string) => Buffer.from(text, 'utf8').toString('base64');

const forms: Readonly<Record<string, string>> = {
  plain: value,
  quoted: `"${value}"`,
  'split over lines': `${value.slice(0, 7)}\n   ${value.slice(7)}`,
  'split over the lines of a diff': `+${value.slice(0, 7)}\n+${value.slice(7)}`,
  'split over strings': `"${value.slice(0, 9)}" +\n  '${value.slice(9)}'`,
  'continued by a backslash': `${value.slice(0, 5)}\\\n${value.slice(5)}`,
  'in base64': base64(value),
  'in base64 behind one byte': base64(`x${value}yz`),
  'in base64 behind two bytes': base64(`xy${value}z`),
  'in base64 for addresses': Buffer.from(value, 'utf8').toString('base64url'),
  'in base64 over lines': base64(value).replace(/(.{8})/g, '$1\n'),
  'in hexadecimal': Buffer.from(value, 'utf8').toString('hex').toUpperCase(),
  'percent-encoded': encodeURIComponent(value),
  'percent-encoded whole': [...Buffer.from(value, 'utf8')]
    .map((byte) => `%${byte.toString(16).padStart(2, '0')}`)
    .join(''),
  'in JSON': JSON.stringify({ key: value }),
  'escaped for JSON': [...value].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  'percent-encoded in JSON': JSON.stringify(encodeURIComponent(value)).replace('%', '\\u0025'),
  'as UTF-16': [...value].join('\0'),
  'in another case': value.toUpperCase().replace('É', 'é'),
};

test.each(Object.entries(forms))('a stored value is found %s', (_form, text) => {
  const [found, ...others] = stored.find(`before ${text} behind`);
  expect(found?.service).toBe('stored secret DEPLOY');
  expect(others).toEqual([]);
});

test('what is found is the place in the text, escapes and all', () => {
  const text = `key=${encodeURIComponent(value)};`;
  expect(stored.find(text)).toEqual([{ index: 4, value: encodeURIComponent(value), service: 'stored secret DEPLOY' }]);
});

test('each line of a stored key is found by itself, and the lines around it are not', () => {
  const line = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj';
  const key = createStoredValues([{ name: 'PEM', value: `-----BEGIN KEY-----\n${line}\nshort\n-----END KEY-----\n` }]);
  expect(key.find(`x ${line} y`).map(({ service }) => service)).toEqual(['stored secret PEM']);
  expect(key.find('-----BEGIN KEY-----\nother\n-----END KEY-----')).toEqual([]);
});

test('a value that is too short to tell from words is not looked for', () => {
  expect(isSearchable('a-b-c-d-e')).toBe(false);
  expect(isSearchable('')).toBe(false);
  expect(isSearchable('Tr0ub4dor')).toBe(true);
  expect(createStoredValues([{ name: 'SHORT', value: 'main' }]).find('the main branch')).toEqual([]);
});

test('random values are found wherever they stand, split anywhere, and never in a text without them', () => {
  const secret = fc.string({ unit: 'grapheme-ascii', minLength: 24, maxLength: 200 }).filter(isSearchable);
  const noise = fc.string({ unit: fc.constantFrom(...'abc \n'), maxLength: 50 });
  void fc.assert(
    fc.property(secret, noise, noise, fc.nat(), (one, before, behind, cut) => {
      const at = cut % one.length;
      const values = createStoredValues([{ name: 'ONE', value: one }]);
      const text = `${before}§${one.slice(0, at)}\n${one.slice(at)}§${behind}`;
      expect(values.find(text).length).toBeGreaterThan(0);
      expect(values.find(`§${base64(one)}§`).length).toBeGreaterThan(0);
      expect(values.find(`§${encodeURIComponent(one)}§`).length).toBeGreaterThan(0);
      expect(values.find(JSON.stringify(one)).length).toBeGreaterThan(0);
    }),
  );
});

test('a value of 64 KiB, broken escapes and an empty text are read', () => {
  const long = createStoredValues([{ name: 'LONG', value: 'x1'.repeat(32_768) }]);
  expect(long.find('x1'.repeat(32_768))).toHaveLength(1);
  expect(stored.find('')).toEqual([]);
  expect(stored.find('\\u12 %4 %zz \\x \\')).toEqual([]);
});
