import { expect, test } from 'vitest';
import { parseObject } from '../../src/harness/jsonLine.ts';

test.each<[string, object | undefined]>([
  ['{"a":1}', { a: 1 }],
  [' {"a":[{}]}\r', { a: [{}] }],
  ['{}', {}],
  ['{"__proto__":1', undefined],
  ['[1]', undefined],
  ['"{}"', undefined],
  ['null', undefined],
  ['', undefined],
  ['words', undefined],
])('the line %j is read as %j', (text, expected) => expect(parseObject(text)).toEqual(expected));
