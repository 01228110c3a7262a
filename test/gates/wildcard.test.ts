import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matchesWildcard } from '../../src/gates/wildcard.ts';

test.each<[string, string, boolean]>([
  ['*', '', true],
  ['*.ts', 'a/b.ts', true],
  ['*.ts', 'a.tsx', false],
  ['a?c', 'abc', true],
  ['a?c', 'ac', false],
  ['a[b-d]e', 'ace', true],
  ['a[!b-d]e', 'ace', false],
  ['a[]]b', 'a]b', true],
  ['a\\*', 'a*', true],
  ['a\\*', 'ab', false],
  ['a**b', 'a/x/b', true],
  ['[', '[', true],
  ['[a', '[a', true],
  ['a]*[', 'a]b[', true],
  ['[ab][ba]*[b', 'ab[b', true],
  ['**a***', 'a', true],
  ['??', 'a', false],
])('the pattern %j matches %j: %s', (pattern, text, expected) => expect(matchesWildcard(pattern, text)).toBe(expected));

test('matchesWildcard agrees with a regular expression on stars and question marks', () => {
  const piece = fc.constantFrom('a', 'b', '*', '?');
  const letters = fc.array(fc.constantFrom('a', 'b')).map((all) => all.join(''));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), letters, (pieces, text) => {
      const expression = new RegExp(`^${pieces.join('').replaceAll('?', '.').replaceAll('*', '.*')}$`);
      expect(matchesWildcard(pieces.join(''), text)).toBe(expression.test(text));
    }),
  );
});

test('matchesWildcard does not hang on a hostile pattern', () => {
  expect(matchesWildcard('*a'.repeat(2000), 'a'.repeat(1999))).toBe(false);
  expect(matchesWildcard(`*[${'b'.repeat(100_000)}]*c`, 'a'.repeat(4000))).toBe(false);
});
