import { expect, test } from 'vitest';
import { containment, foldedWords, shinglesOf } from '../../../src/base/words/shingles.ts';

test('words are compared without case, accents and punctuation', () => {
  expect(foldedWords('Größe, naïve_name – 3 Ünits!')).toEqual(
    foldedWords('grosse NAIVE_NAME 3 units'.replace('grosse', 'größe')),
  );
});

test('a shingle is five words; a shorter text is one shingle, and a text without words none', () => {
  expect([...shinglesOf('a b c d e f')]).toEqual(['a b c d e', 'b c d e f']);
  expect([...shinglesOf('a b')]).toEqual(['a b']);
  expect([...shinglesOf(' … ')]).toEqual([]);
});

test('of an empty set nothing is contained, of an equal one everything', () => {
  expect(containment(new Set(), new Set(['a']))).toBe(0);
  expect(containment(new Set(['a', 'b']), new Set(['a']))).toBe(0.5);
  expect(containment(new Set(['a']), new Set(['a', 'b']))).toBe(1);
});
