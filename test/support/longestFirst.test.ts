import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test('every file that begins before the others is there', () => {
  const text = readFileSync(join(import.meta.dirname, 'longestFirst.ts'), 'utf8');
  const named = [...text.matchAll(/'(test\/[^']+)'/g)].map(([, path]) => path ?? '');
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((path) => !existsSync(path))).toEqual([]);
});
