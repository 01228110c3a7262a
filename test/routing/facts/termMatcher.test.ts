import { expect, test } from 'vitest';
import { Lexicon } from '../../../src/routing/facts/lexicon.ts';
import { TermMatcher } from '../../../src/routing/facts/termMatcher.ts';

function check(terms: string[][], text: string, expected: string) {
  const lexicon = new Lexicon();
  const words = Uint32Array.from(text.split(' ').map((word) => (word === '|' ? 0 : lexicon.add(word))));
  const phrases = terms.map((ways) => ({ phrases: ways.map((way) => way.split(' ')) }));
  const found: string[] = [];
  new TermMatcher(phrases, lexicon).match(words, (term, at, length) => found.push(`${term}@${at}+${length}`));
  expect(found.join(' ')).toBe(expected);
}

test.each<[string, string[][], string, string]>([
  ['every occurrence from the left', [['a'], ['b']], 'b a b', '1@0+1 0@1+1 1@2+1'],
  ['words that follow each other', [['a b'], ['a']], 'a c a b', '1@0+1 0@2+2 1@2+1'],
  ['either spelling of a compound', [['a b', 'ab']], 'ab a b', '0@0+1 0@1+2'],
  ['nothing across a break', [['a b']], 'a | b', ''],
  ['nothing beyond the end', [['b c']], 'c a b', ''],
  ['nothing for words that the lexicon does not know', [['x'], ['a x']], 'a b', ''],
])('the term matcher finds %s', (_name, terms, text, expected) => check(terms, text, expected));

test('the term matcher asks after each matched word whether to stop', () => {
  const lexicon = new Lexicon();
  const words = Uint32Array.from(['b', 'c', 'a', 'b'], (word) => lexicon.add(word));
  const found: string[] = [];
  const matcher = new TermMatcher([{ phrases: [['b']] }, { phrases: [['a']] }, { phrases: [['a', 'b']] }], lexicon);
  const note = (term: number, at: number) => void found.push(`${term}@${at}`);
  matcher.match(words, note, () => found.length > 1);
  expect(found).toEqual(['0@0', '1@2', '2@2']);
});

test('the term matcher ignores words added after it was made', () => {
  const lexicon = new Lexicon();
  const word = lexicon.add('a');
  const matcher = new TermMatcher([{ phrases: [['a']] }], lexicon);
  const later = lexicon.add('b');
  const found: number[] = [];
  matcher.match(Uint32Array.of(later, word), (_term, at) => found.push(at));
  expect(found).toEqual([1]);
});
