import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { foreignReaders, otherReaders } from './foreignReaders.ts';
import { growthOf, type Shape } from './growth.ts';

/** Between the 8 of linear time and the 64 of quadratic time. */
const growthMax = 24;

describe('a text of others is read in a time that grows with its length alone', () => {
  test.each<[reader: string, what: string, shape: Shape, length: number]>([
    // It was measured to grow by 11 to 14 from 4096, by 16 to 19 from 16,384, and by 10 to 13 from here.
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
    ['wrapped lines', 'long words without a width', { unit: `${'\u0301'.repeat(400)} ` }, 4096],
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

/** What is exported under the name of a reader, and takes a text or bytes first and answers at once. */
const reader =
  /^export function\*? ((?:parse|read|scan|decode|split|convert|locate|tokenize|lex)[A-Z]\w*)(?:<[^(]*>)?\(\s*\w+: (?:string|Buffer)[,)\s]/gm;

test('every reader of a text is searched for its worst input, or says why it need not', () => {
  const searched = readFileSync('test/support/foreignReaders.ts', 'utf8');
  const readers = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => {
      const path = join('src', name);
      return [...readFileSync(path, 'utf8').matchAll(reader)].map(([, exported = '']) => ({ path, exported }));
    });
  const isSearched = ({ path, exported }: (typeof readers)[number]) =>
    new RegExp(`import \\{[^}]*\\b${exported}\\b[^}]*\\} from '../../${path}'`).test(searched);
  const others = readers.filter((one) => !isSearched(one)).map(({ path, exported }) => `${path} ${exported}`);
  expect(others.sort()).toEqual(Object.keys(otherReaders).sort());
});
