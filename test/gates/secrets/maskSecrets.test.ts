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
