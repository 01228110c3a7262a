import { expect, test } from 'vitest';
import { isIdPart, rowsWithId, rowWithId, wholeId } from '../../src/cli/shortId.ts';

const [first, second] = ['01M0A9XQYJ6N8K3T5V7W9Y1Z2A', '01M0A9XQYJ6N8K3T5V7W9Y1Z2B'];
const ids = [first, second];
const same = (id: string) => id;

test.each<[string, boolean]>([
  [first, true],
  ['01m0', true],
  ['1z2a', true],
  ['2a', false],
  ['shop', false],
  ['shop/project-root', false],
  ['', false],
])('"%s" can be a part of an id: %s', (named, expected) => {
  expect(isIdPart(named)).toBe(expected);
});

test.each<[string, readonly string[]]>([
  ['01M0A9', ids],
  ['y1z2b', [second]],
  ['A9XQ', []],
  ['2B', []],
])('"%s" finds the ids that begin or end with it', (named, expected) => {
  expect(rowsWithId(named, ids, same)).toEqual(expected);
});

test('a part that several ids have is refused with those ids', () => {
  expect(rowWithId('1Z2A', ids, 'receipts', same)).toBe(first);
  expect(rowWithId('ZZZZ', ids, 'receipts', same)).toBeUndefined();
  expect(() => rowWithId('01M0', ids, 'receipts', same)).toThrow(
    `2 receipts have an id like "01M0": ${first}, ${second}.`,
  );
});

test('a whole id needs no list, and what fits nothing is given back as it is', async () => {
  const never = () => Promise.reject(new Error('not asked'));
  expect(await wholeId(first.toLowerCase(), 'receipts', never)).toBe(first);
  expect(await wholeId('shop', 'receipts', never)).toBe('shop');
  expect(await wholeId('ZZZZ', 'receipts', async () => ids)).toBe('ZZZZ');
});
