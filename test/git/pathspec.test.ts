import { describe, expect, test } from 'vitest';
import { assertPathspec, isBelow, isExclusion, plainPath } from '../../src/git/pathspec.ts';

describe('assertPathspec', () => {
  const check = (spec: string, expected: RegExp | undefined) => {
    if (expected === undefined) expect(() => assertPathspec(spec, 'Demo')).not.toThrow();
    else expect(() => assertPathspec(spec, 'Demo')).toThrow(expected);
  };

  test.each([
    '.',
    'src',
    './src/',
    'a/../b',
    'src/**/*.ts',
    '..hidden',
    '-dash',
    ':!src',
    ':^src',
    ':(exclude)src',
    ':(glob)**/*.ts',
    ':(exclude,literal)a*',
    ':(icase)Read*',
    ':()a',
  ])('accepts %j', (spec) => check(spec, undefined));

  test.each([
    ['..', /out of/],
    ['../sibling', /out of/],
    ['a/../../sibling', /out of/],
    ['**/../../sibling', /out of/],
    [':!../sibling', /out of/],
    [':(glob)../*', /out of/],
    ['/etc/passwd', /absolute/],
    [':(literal)/etc', /absolute/],
    ['C:\\Windows', /absolute/],
    [':/', /empty|magic/],
    [':/src', /"top"/],
    [':!/src', /"top"/],
    [':(top)src', /"top"/],
    [':(exclude,top)src', /"top"/],
    [':(prefix:0)src', /"prefix:0"/],
    [':(attr:binary)x', /"attr:binary"/],
    [':', /magic/],
    ['::', /magic/],
    [':src', /magic/],
    ['', /empty/],
    [':!', /empty/],
    ['a\0b', /NUL/],
  ])('refuses %j', (spec, expected) => check(spec, expected));

  test('names the subject of the pathspec', () => {
    expect(() => assertPathspec('../x', 'Demo')).toThrow(
      expect.objectContaining({ diagnostic: expect.objectContaining({ code: 'git/badPathspec', subject: 'Demo' }) }),
    );
    expect(() => assertPathspec('x', 'Demo')).not.toThrow();
  });
});

test.each([
  ['a', false],
  [':!a', true],
  [':^a', true],
  [':(exclude,literal)a', true],
  [':(glob)a', false],
])('isExclusion(%j) is %s', (spec, expected) => expect(isExclusion(spec)).toBe(expected));

test.each([
  ['a b', 'a b'],
  [':(literal)*.ts', '*.ts'],
  ['*.ts', undefined],
  ['[ab]', undefined],
  ['a?', undefined],
  ['\\a', undefined],
  [':!a', undefined],
  [':(exclude,literal)a', undefined],
  [':(icase)a', undefined],
])('plainPath(%j) is %s', (spec, expected) => expect(plainPath(spec)).toBe(expected));

test.each([
  ['a', ['a'], true],
  ['a/b', ['a/'], true],
  ['a/b', ['./a'], true],
  ['ab', ['a'], false],
  ['a', ['a/b'], false],
  ['a', ['.'], true],
  ['a', [], false],
  ['b', ['a', 'b'], true],
])('isBelow(%j, %j) is %s', (path, roots, expected) => expect(isBelow(path, roots)).toBe(expected));
