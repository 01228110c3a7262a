import { expect, test } from 'vitest';
import { cutText } from '../../../src/plans/looks/longTexts.ts';

test.each([
  ['short', 10, { text: 'short', isCut: false }],
  ['exactly', 7, { text: 'exactly', isCut: false }],
  ['too long', 3, { text: 'too', isCut: true }],
  ['a😀b', 2, { text: 'a', isCut: true }],
])('%j in %i characters', (text, most, expected) => expect(cutText(text, most)).toEqual(expected));
