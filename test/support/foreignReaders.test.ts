import { describe, expect, test } from 'vitest';
import { foreignReaders } from './foreignReaders.ts';
import { growthOf, type Shape } from './growth.ts';

/** Between the 8 of linear time and the 64 of quadratic time. */
const growthMax = 24;

describe('a text of others is read in a time that grows with its length alone', () => {
  test.each<[reader: string, what: string, shape: Shape, length: number]>([
    // Below that the growing of its lists counts for more than what it reads.
    ['yaml cursor', 'lists in lists on one line', { unit: '- ' }, 131_072],
    ['hunk of a diff', 'the same line again and again', { unit: '+a\n' }, 4096],
    ['wildcard', 'sets without an end', { unit: '[' }, 16_384],
    ['wildcard', 'a set of many characters', { before: '*[', unit: 'b', after: ']' }, 4096],
    ['pattern of Glob', 'alternatives', { unit: '{a,' }, 4096],
    ['results of calls', 'one for each of many calls', { unit: 'a' }, 64 * 4096],
    [
      'imported backlog',
      'fields whose names give the same key',
      { before: '# a\n**Status:** done\n', unit: '**\u0002:** b\n' },
      16_384,
    ],
    ['trailers', 'one key again and again', { unit: 'a: b\x1f' }, 4096],
    ['dream facts', 'numbers of one clause', { unit: '1 ' }, 4096],
    ['facts of itself', 'the same word about ever other things', { unit: 'never \u0001x, ' }, 4096],
    ['facts of itself', 'many names', { unit: 'a.b\u0001 ' }, 4096],
    ['invented facts', 'many numbers', { unit: '\u0001\n' }, 4096],
  ])('%s: %s', (name, _what, shape, length) => {
    const reader = foreignReaders.find((one) => one.name === name);
    expect(reader).toBeDefined();
    const growth = growthOf(reader?.read ?? String, shape, { length, enough: growthMax });
    expect(growth).toBeLessThan(growthMax);
  });
});
