import { expect, test } from 'vitest';
import { ownCopy } from '../../../src/base/words/ownCopy.ts';

test.each(['short', 'long enough to be copied', 'größer 退款 \ud83d\ude00 as well'])(
  'the own copy of a string equals the string: %s',
  (text) => {
    expect(ownCopy(text)).toBe(text);
  },
);
