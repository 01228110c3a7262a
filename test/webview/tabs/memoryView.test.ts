import { describe, expect, test } from 'vitest';
import type { MemoryRow } from '../../../src/model/requests/inspect.ts';
import { findEntries, memorySentence } from '../../../webview/tabs/memoryView.ts';

function entry(id: string, body: string): MemoryRow {
  return { id, title: `About ${id}`, body, words: 3, claims: [], isCut: false };
}

const entries = [entry('esm', 'All modules are ESM.'), entry('tests', 'Run them with node --test.')];

test.each([
  ['', ['esm', 'tests']],
  ['node  TEST', ['tests']],
  ['about', ['esm', 'tests']],
  ['esm node', []],
])('the filter %j finds %j', (filter, found) => {
  expect(findEntries(entries, filter).map(({ id }) => id)).toEqual(found);
});

describe('the sentence about the memory', () => {
  test.each([
    [1500, '2 entries with 6 words; a dream is due above 1,500.'],
    [6, '2 entries with 6 words; a dream is due above 6.'],
    [5, '2 entries with 6 words. A dream is due: it would merge entries that say the same.'],
  ])('with a dream at %i words reads "%s"', (dreamAtWords, sentence) => {
    expect(memorySentence({ entries, words: 6, dreamAtWords })).toBe(sentence);
  });
});
