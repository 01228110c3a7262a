import { expect, test } from 'vitest';
import { maskSecrets, maskStoredIn } from '../../../src/gates/secrets/maskSecrets.ts';
import { createStoredValues } from '../../../src/gates/secrets/storedValues.ts';

/** In parts, so that this file holds none. */
const token = ['ghp', '16C7e42F292c6912E7710c838347Ae178B4a'].join('_');

test('each secret of a text is left out and named by what it opens, and the rest stays as it is', () => {
  const masked = maskSecrets(
    `first ${token}, then\npassword = "${['hunter', 'Tr0ub4dor&3x9'].join('2')}" and ${token} end`,
  );
  expect(masked).not.toContain(token);
  expect(masked).not.toContain('Tr0ub4dor');
  expect(masked).toMatch(/^first \[.+ left out\], then\npassword = "\[.+ left out\]" and \[.+ left out\] end$/);
});

test('a text without a secret is the same text', () => {
  const text = 'The queue is `RefundQueue`, see src/refunds/drain.ts.';
  expect(maskSecrets(text)).toBe(text);
});

const value = 'plain words that open a door';
const stored = createStoredValues([{ name: 'DOOR', value }]);

test('a record is masked in its texts, its names of fields and its errors, and stays itself without a value', () => {
  const masked = maskStoredIn({ texts: ['fine', `it is ${value}`], [value]: 1, error: new Error(value) }, stored);
  expect(masked).toEqual({
    texts: ['fine', 'it is [stored secret DOOR left out]'],
    '[stored secret DOOR left out]': 1,
    error: { name: 'Error', message: '[stored secret DOOR left out]' },
  });
  const record = { texts: ['fine'], count: 1, none: undefined };
  expect(maskStoredIn(record, stored)).toBe(record);
});

test('hexadecimal with colons, as keys are shown, is masked', () => {
  const pairs = Buffer.from(value).toString('hex').toUpperCase().match(/../g) ?? [];
  expect(maskStoredIn(`key ${pairs.join(':')} end`, stored)).toBe('key [stored secret DOOR left out] end');
});

test('what nests deeper than any tool needs becomes a text that says so, with what is above it kept', () => {
  const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth));
  expect(maskStoredIn(nested(100), stored)).toEqual(nested(100));
  const masked = maskStoredIn({ it: value, deep: nested(200_000) }, stored);
  expect(masked.it).toBe('[stored secret DOOR left out]');
  expect(JSON.stringify(masked.deep)).toMatch(/^\[+"\[left out: nested more than 100 deep\]"\]+$/);
});

test('a secret of digits is masked where it is a number, and other numbers stay numbers', () => {
  const card = createStoredValues([{ name: 'CARD', value: '4929123412341234' }]);
  expect(maskStoredIn({ cards: [4929123412341234], count: 49291234 }, card)).toEqual({
    ...{ cards: ['[stored secret CARD left out]'], count: 49291234 },
  });
});

test('of two secrets that overlap in a text nothing is left, and both are named', () => {
  const both = createStoredValues([
    { name: 'ONE', value: 'abcdefgh1234' },
    { name: 'TWO', value: '1234ijklmnop' },
  ]);
  const masked = '[stored secret ONE left out][stored secret TWO left out]';
  expect(maskStoredIn('x abcdefgh1234ijklmnop y', both)).toBe(`x ${masked} y`);
});

test('of a secret that overlaps itself nothing is left either', () => {
  const row = createStoredValues([{ name: 'ROW', value: 'abc1abc1abc1' }]);
  expect(maskStoredIn('x abc1abc1abc1abc1abc1 y', row)).toBe('x [stored secret ROW left out] y');
});

test('fields whose names mask alike all keep their values', () => {
  const fields = { [value]: 1, [value.toUpperCase()]: 2, '[stored secret DOOR left out] (2)': 3, [`${value} `]: 4 };
  const masked = maskStoredIn(fields, stored);
  expect(Object.values(masked).toSorted()).toEqual([1, 2, 3, 4]);
  expect(Object.keys(masked).join()).not.toContain('door');
});
