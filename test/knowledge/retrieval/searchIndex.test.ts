import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { search } from '../../../src/knowledge/retrieval/search.ts';
import { indexOf, someDocument } from './someDocuments.ts';

test('a document is added, replaced, left as it is, and removed', () => {
  const index = indexOf([]);
  expect(index.put(someDocument('a', { body: 'refund' }))).toBe('added');
  expect(index.put(someDocument('a', { body: 'refund' }))).toBe('unchanged');
  expect(index.put(someDocument('a', { body: 'invoice' }))).toBe('replaced');
  expect([search(index, 'refund').hits.length, search(index, 'invoice').hits.length]).toEqual([0, 1]);
  expect([index.remove('a'), index.remove('a'), index.count]).toEqual([true, false, 0]);
});

test('nothing of removed documents stays', () => {
  const index = indexOf([someDocument('kept', { body: 'ledger' })]);
  const before = [index.words.count, index.labels.count, index.totalLength];
  for (let n = 0; n < 200; n += 1) index.put(someDocument(`d${n}`, { body: `word${n} refund`, tags: [`t${n}`] }));
  for (let n = 0; n < 200; n += 1) index.remove(`d${n}`);
  expect([index.words.count, index.labels.count, index.totalLength]).toEqual(before);
  expect(search(index, 'refund word7').hits).toEqual([]);
});

test('an entry that is edited again and again takes no more memory', () => {
  const index = indexOf(Array.from({ length: 50 }, (_, n) => someDocument(`d${n}`, { body: `refund queue ${n}` })));
  const edit = (n: number) =>
    index.put(someDocument(`d${n % 50}`, { body: `refund queue ${'again '.repeat(n % 9)}v${n}` }));
  for (let n = 0; n < 500; n += 1) edit(n);
  const [bytes, end, terms] = [index.bytes, index.end, index.words.end];
  for (let n = 500; n < 20_000; n += 1) edit(n);
  expect([index.bytes, index.end]).toEqual([bytes, end]);
  expect(index.words.end).toBeLessThan(terms + 50);
});

test('an index that was changed step by step ranks as one that was built at once', () => {
  const word = fc.constantFrom('refund', 'queue', 'ledger', 'readPlanFile', 'src/a.ts', '退款', 'E_FOO-12');
  const text = fc.array(word, { maxLength: 8 }).map((words) => words.join(' '));
  const change = fc.record({
    id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
    title: text,
    body: text,
    isGone: fc.boolean(),
  });
  return fc.assert(
    fc.property(fc.array(change, { maxLength: 40 }), text, (changes, query) => {
      const index = indexOf([]);
      const documents = new Map<string, ReturnType<typeof someDocument>>();
      for (const { id, title, body, isGone } of changes) {
        documents.delete(id);
        if (isGone) index.remove(id);
        else index.put(someDocument(id, { title, body }));
        if (!isGone) documents.set(id, someDocument(id, { title, body }));
      }
      const built = indexOf([...documents.values()].reverse());
      const ids = (one: typeof index) => search(one, query).hits.map(({ id, score }) => [id, score.toFixed(9)]);
      expect(ids(index)).toEqual(ids(built));
    }),
  );
});
