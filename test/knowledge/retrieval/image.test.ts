import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { BadImage, ImageReader, ImageWriter } from '../../../src/knowledge/retrieval/image.ts';
import { search } from '../../../src/knowledge/retrieval/search.ts';
import { SearchIndex } from '../../../src/knowledge/retrieval/searchIndex.ts';
import { indexOf, someDocument } from './someDocuments.ts';

function imageOf(index: SearchIndex): Uint8Array {
  const image = new ImageWriter();
  index.write(image);
  // As a file is read: in a buffer of its own.
  return Uint8Array.from(image.bytes());
}

function many(count: number): SearchIndex {
  return indexOf(
    Array.from({ length: count }, (_, n) =>
      someDocument(`d${n}`, {
        title: `refund ${n % 7}`,
        body: `queue${n} ledger 退款 ${'again '.repeat(n % 5)}`,
        tags: ['t'],
      }),
    ),
  );
}

test('an index that was written and read finds, changes and forgets as before', () => {
  const index = many(300);
  for (let n = 0; n < 300; n += 3) index.remove(`d${n}`);
  const read = SearchIndex.read(new ImageReader(imageOf(index)));
  const change = (one: SearchIndex) => {
    for (let n = 0; n < 500; n += 1) one.put(someDocument(`n${n % 200}`, { body: `refund invoice${n} queue1` }));
    for (let n = 0; n < 100; n += 2) one.remove(`d${n}`);
    return search(one, 'refund queue1 ledger 退款', { limit: 50, explain: true });
  };
  expect(search(read, 'refund queue1', { tags: ['t'] })).toEqual(search(index, 'refund queue1', { tags: ['t'] }));
  expect(change(read)).toEqual(change(index));
  expect([read.count, read.totalLength, read.words.count]).toEqual([index.count, index.totalLength, index.words.count]);
  expect(read.put(someDocument('n7', { body: 'refund invoice407 queue1' }))).toBe('unchanged');
});

test('an image that was cut anywhere is refused', () => {
  const whole = imageOf(many(20));
  for (let length = 0; length < whole.length; length += Math.ceil(whole.length / 50)) {
    expect(() => SearchIndex.read(new ImageReader(whole.slice(0, length)))).toThrow(BadImage);
  }
});

test('an image with any wrong number is refused, or leads a search nowhere outside of it', () => {
  const whole = imageOf(many(20));
  return fc.assert(
    fc.property(fc.nat(whole.length / 4 - 1), fc.nat(2 ** 32 - 1), (place, number) => {
      const damaged = whole.slice();
      new Uint32Array(damaged.buffer)[place] = number;
      try {
        const read = SearchIndex.read(new ImageReader(damaged));
        search(read, 'refund queue1 ledger');
      } catch (error) {
        expect(error).toBeInstanceOf(BadImage);
      }
    }),
  );
});
