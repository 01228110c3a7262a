import { expect, test } from 'vitest';
import { queryTerms } from '../../../src/knowledge/retrieval/queryTerms.ts';
import { bestLine } from '../../../src/knowledge/search/bestLine.ts';
import { indexOf, someDocument } from '../retrieval/someDocuments.ts';

const index = indexOf([
  someDocument('a', { body: 'refund refund queue drain slot', title: 'x' }),
  ...Array.from({ length: 9 }, (_, n) => someDocument(`b${n}`, { body: 'refund' })),
]);

test.each<[what: string, text: string, query: string, line: string]>([
  ['with most of the words', 'refund\nrefund queue\nslot', 'refund queue', 'refund queue'],
  ['with the rarer word', 'the refund\nthe queue', 'refund queue', 'the queue'],
  ['that comes first, of equal ones', 'queue one\nqueue two', 'queue', 'queue one'],
  ['that says something, if no word fits', '---\n\nOnly this.', 'queue', 'Only this.'],
  ['that is none, in an empty text', '', 'queue', ''],
  [
    'of a long text without ends, around the word',
    `${'word '.repeat(100)}queue ${'word '.repeat(100)}`,
    'queue',
    'queue',
  ],
  ['of a text without a space', `${'a'.repeat(500)} queue`, 'queue', 'queue'],
])('the line %s', (_what, text, query, line) => {
  const found = bestLine(index, text, queryTerms(index, query));
  expect(found).toContain(line);
  expect(found.length).toBeLessThanOrEqual(200);
});
