import { expect, test } from 'vitest';
import { Fifo } from '../../src/base/fifo.ts';

test('items leave in the order they came, without those that left before their turn', () => {
  const queue = new Fifo<string>();
  expect(queue.shift()).toBeUndefined();
  for (const item of ['a', 'b', 'c', 'd']) queue.add(item);
  expect([queue.delete('b'), queue.delete('b'), queue.has('b'), queue.has('c'), queue.size]).toEqual([
    ...[true, false, false, true, 3],
  ]);
  expect([queue.shift(), queue.shift()]).toEqual(['a', 'c']);
  queue.add('e');
  queue.delete('d');
  expect([queue.shift(), queue.shift(), queue.size]).toEqual(['e', undefined, 0]);
  queue.add('f');
  expect(queue.shift()).toBe('f');
});

test('an item that comes again waits behind the others', () => {
  const queue = new Fifo<number>();
  for (const item of [1, 2, 3]) queue.add(item);
  queue.delete(1);
  queue.add(1);
  expect([queue.shift(), queue.shift(), queue.shift()]).toEqual([2, 3, 1]);
});

test('a million items are taken in a moment', () => {
  const queue = new Fifo<number>();
  const count = 1_000_000;
  for (let item = 0; item < count; item++) queue.add(item);
  let sum = 0;
  for (let item = queue.shift(); item !== undefined; item = queue.shift()) sum += item;
  expect(sum).toBe((count * (count - 1)) / 2);
});
