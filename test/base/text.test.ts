import { expect, test } from 'vitest';
import { oneLine } from '../../src/base/text.ts';

test.each([
  ['', ''],
  [' \n\t', ''],
  ['  two\r\n\n  words ', 'two words'],
  ['no\u00a0break', 'no break'],
])('%j becomes %j', (text, expected) => expect(oneLine(text)).toBe(expected));
