import { describe, expect, test } from 'vitest';
import { countWords, isDreamDue, memoryFingerprint, memorySchema } from '../../src/model/memory.ts';

function memoryOf(...texts: readonly [title: string, body: string][]) {
  return { entries: texts.map(([title, body], n) => ({ id: `e${n}`, title, body })) };
}

describe('counting words', () => {
  test.each<[string, Parameters<typeof countWords>[0], number]>([
    ['title and body of all entries', memoryOf(['one two', 'three'], ['four', 'five\n\n six\tseven ']), 7],
    ['nothing', memoryOf(['', ' \n']), 0],
    ['no list', {}, 0],
    ['an empty list', { entries: null }, 0],
  ])('%s', (_name, memory, expected) => expect(countWords(memory)).toBe(expected));
});

describe('a dream', () => {
  const tenWords = memoryOf(['a b c d e', 'f g h i j']);

  test.each<[number, number, boolean]>([
    [0, 9, true],
    [0, 10, false],
    [5, 4, true],
    [5, 5, false],
    [20, 0, false],
  ])('after one at %d words with %d words of headroom is due: %s', (last, headroom, expected) =>
    expect(isDreamDue(tenWords, last, headroom)).toBe(expected),
  );
});

describe('duplicates', () => {
  const entry = { title: 'Parser keeps comments', body: 'It keeps them.\nAlways.' };

  test.each<[string, { title: string; body: string }, boolean]>([
    ['the same', entry, true],
    ['other spacing', { title: ' Parser  keeps comments ', body: 'It keeps\tthem.\n\nAlways.\n' }, true],
    ['other punctuation at ends of lines', { title: 'Parser keeps comments.', body: 'It keeps them\nAlways!' }, true],
    ['another word', { ...entry, body: 'It keeps them.\nMostly.' }, false],
    ['another case', { ...entry, title: 'parser keeps comments' }, false],
    ['words moved from title to body', { title: 'Parser keeps', body: `comments ${entry.body}` }, false],
  ])('%s: %s', (_name, other, expected) => {
    expect(memoryFingerprint(other) === memoryFingerprint(entry)).toBe(expected);
  });
});

describe('records', () => {
  test('optional fields may be left empty, unknown keys are kept', () => {
    const memory = { entries: [{ id: 'a', title: 't', body: 'b', claims: null, since: null, mood: 'good' }], note: 1 };
    expect(memorySchema.parse(memory)).toEqual(memory);
  });

  test.each([
    { entries: [{ id: 'a', title: 't' }] },
    { entries: [{ id: '', title: 't', body: 'b' }] },
    { entries: {} },
  ])('%j is refused', (memory) => expect(memorySchema.safeParse(memory).success).toBe(false));
});
