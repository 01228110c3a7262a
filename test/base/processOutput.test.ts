import { describe, expect, test } from 'vitest';
import { OutputHead, OutputTail } from '../../src/base/processOutput.ts';

describe('the beginning of an output', () => {
  test.each([
    ['end', ['abc', 'de'], 'abcde', ['more', 'more']],
    ['end', ['abc', 'def'], 'abcde', ['more', 'enough']],
    ['end', ['abcde', 'f', ''], 'abcde', ['more', 'enough', 'more']],
    ['end', ['abcdefgh'], 'abcde', ['enough']],
    ['drop', ['abc', 'def', 'g'], 'abcde', ['more', 'more', 'more']],
  ] as const)('of five bytes, with "%s", is kept from %j', (whenFull, chunks, kept, answers) => {
    const head = new OutputHead(5, whenFull);
    expect(chunks.map((chunk) => head.push(Buffer.from(chunk)))).toEqual(answers);
    expect(head.bytes.toString()).toBe(kept);
  });
});

test.each([
  [['abc', 'de'], 'abcde'],
  [['abc', 'def'], 'bcdef'],
  [['abcdefgh', 'i'], 'efghi'],
])('the end of an output of %j has five bytes', (chunks, kept) => {
  const tail = new OutputTail(5);
  for (const chunk of chunks) tail.push(Buffer.from(chunk));
  expect(tail.bytes.toString()).toBe(kept);
});
