import { describe, expect, test } from 'vitest';
import { countWords, isDreamDue, memoryFingerprint, memorySchema } from '../../src/model/memory.ts';

function memoryOf(...texts: readonly [title: string, body: string][]) {
  return { entries: texts.map(([title, body], n) => ({ id: `e${n}`, title, body })) };
}

describe('countWords', () => {
  test.each<[string, Parameters<typeof countWords>[0], number]>([
    ['counts titles and bodies of all entries', memoryOf(['one two', 'three'], ['four', 'five\n\n six\tseven ']), 7],
    ['counts zero words in blank texts', memoryOf(['', ' \n']), 0],
    ['counts zero words without a list', {}, 0],
    ['counts zero words in an empty list', { entries: null }, 0],
  ])('%s', (_name, memory, expected) => expect(countWords(memory)).toBe(expected));
});

describe('a dream over a memory of ten words', () => {
  const tenWords = memoryOf(['a b c d e', 'f g h i j']);

  test.each<[number, number, boolean]>([
    [0, 9, true],
    [0, 10, false],
    [5, 4, true],
    [5, 5, false],
    [20, 0, false],
  ])('after a dream at %d words, with %d words of headroom, is due: %s', (last, headroom, expected) =>
    expect(isDreamDue(tenWords, last, headroom)).toBe(expected),
  );
});

describe('memory entries', () => {
  const entry = { title: 'Parser keeps comments', body: 'It keeps them.\nAlways.' };

  test.each<[string, { title: string; body: string }, boolean]>([
    ['are duplicates if they are the same', entry, true],
    [
      'are duplicates if only spacing differs',
      { title: ' Parser  keeps comments ', body: 'It keeps\tthem.\n\nAlways.\n' },
      true,
    ],
    [
      'are duplicates if only punctuation at line ends differs',
      { title: 'Parser keeps comments.', body: 'It keeps them\nAlways!' },
      true,
    ],
    ['are different if a word differs', { ...entry, body: 'It keeps them.\nMostly.' }, false],
    ['are different if case differs', { ...entry, title: 'parser keeps comments' }, false],
    [
      'are different if words moved from title to body',
      { title: 'Parser keeps', body: `comments ${entry.body}` },
      false,
    ],
  ])('%s', (_name, other, expected) => {
    expect(memoryFingerprint(other) === memoryFingerprint(entry)).toBe(expected);
  });
});

describe('memorySchema', () => {
  test('accepts empty optional fields and keeps unknown keys', () => {
    const memory = { entries: [{ id: 'a', title: 't', body: 'b', claims: null, since: null, mood: 'good' }], note: 1 };
    expect(memorySchema.parse(memory)).toEqual(memory);
  });

  test.each([
    { entries: [{ id: 'a', title: 't' }] },
    { entries: [{ id: '', title: 't', body: 'b' }] },
    { entries: {} },
  ])('refuses %j', (memory) => expect(memorySchema.safeParse(memory).success).toBe(false));
});
