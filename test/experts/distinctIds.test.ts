import { expect, test } from 'vitest';
import { withDistinctIds } from '../../src/experts/retrieveEntries.ts';

test('of entries with one id, each but the first is named by its path', () => {
  const entry = (id: string, path: string) => ({ id, path, title: path, hash: path, text: path, bytes: 1 });
  const all = [entry('x', 'knowledge/a.md'), entry('x', 'knowledge/copy.md'), entry('y', 'knowledge/b.md')];
  expect(withDistinctIds(all).map(({ id }) => id)).toEqual(['x', 'knowledge/copy.md', 'y']);
});
