import { describe, expect, test } from 'vitest';
import { foreignReaders } from './foreignReaders.ts';
import { growthOf, type Shape } from './growth.ts';

/** Between the 8 of linear time and the 64 of quadratic time. */
const growthMax = 24;

describe('a text of others is read in a time that grows with its length alone', () => {
  test.each<[reader: string, what: string, shape: Shape]>([
    ['yaml cursor', 'lists in lists on one line', { unit: '- ' }],
  ])('%s: %s', (name, _what, shape) => {
    const reader = foreignReaders.find((one) => one.name === name);
    expect(reader).toBeDefined();
    const growth = growthOf(reader?.read ?? String, shape, { length: 16_384, enough: growthMax });
    expect(growth).toBeLessThan(growthMax);
  });
});
