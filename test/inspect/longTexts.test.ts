import { expect, test } from 'vitest';
import { cutText } from '../../src/inspect/longTexts.ts';

test.each([
  ['short', 10, { text: 'short', isCut: false }],
  ['exactly', 7, { text: 'exactly', isCut: false }],
  ['too long', 3, { text: 'too', isCut: true }],
  ['a😀b', 2, { text: 'a', isCut: true }],
])('cuts %j to at most %i characters, and never within a character', (text, most, expected) =>
  expect(cutText(text, most)).toEqual(expected),
);
