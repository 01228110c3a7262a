import { expect, test } from 'vitest';
import { VectorCache } from '../../../src/knowledge/meaning/vectorCache.ts';

test('the vector that was used longest ago makes room', () => {
  const cache = new VectorCache(3 * 8);
  for (const name of ['a', 'b', 'c']) cache.set(name, new Float32Array(2));
  cache.get('a');
  cache.set('d', new Float32Array(2));
  expect(['a', 'b', 'c', 'd'].filter((name) => cache.get(name) !== undefined)).toEqual(['a', 'c', 'd']);
  cache.set('large', new Float32Array(99));
  expect(cache.get('large')).toBeUndefined();
});
