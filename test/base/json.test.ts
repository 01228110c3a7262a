import { expect, test } from 'vitest';
import { parseJson } from '../../src/base/json.ts';

test.each([
  ['{"a":[1]}', { a: [1] }],
  ['null', null],
  ['', undefined],
  ['{"a":', undefined],
  ['nonsense', undefined],
])('parseJson(%j) is %j', (text, expected) => expect(parseJson(text)).toEqual(expected));
