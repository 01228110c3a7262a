import { expect, test } from 'vitest';
import { explainMemory } from '../../src/model/givenMemory.ts';

test.each([
  [0, 'The memory has no entries.'],
  [1, 'The only entry, whole.'],
  [2, 'All 2 entries, whole.'],
])('a memory of %i given whole is one sentence', (count, sentence) =>
  expect(explainMemory({ given: 'all', count, entries: [] })).toBe(sentence),
);
