import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { markedTable, writtenTables } from './writtenTables.ts';

const root = join(import.meta.dirname, '..', '..');

test('every written table is as the sources have it; `npm run tables` writes it', async () => {
  const stale: string[] = [];
  for (const table of await writtenTables()) {
    const file = join(root, table.path);
    const text = readFileSync(file, 'utf8');
    const wanted = table.write(text);
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(file, wanted);
    else if (text !== wanted) stale.push(`${table.path}: ${table.name}`);
  }
  expect(stale).toEqual([]);
});

test('no table of a page has a row that says nothing', () => {
  const pages = ['protocol', 'settings', 'gates', 'harnesses', 'cli'].map((name) => `docs/${name}.md`);
  const silent = pages.flatMap((page) =>
    [...readFileSync(join(root, page), 'utf8').matchAll(/^\| `[^|]*` \|\s*\|.*$/gm)].map(([row]) => `${page}: ${row}`),
  );
  expect(silent).toEqual([]);
});

test('a file without a place for its table is named', () =>
  expect(() => markedTable('docs/x.md', 'things', []).write('no table here')).toThrow(
    'docs/x.md has no place for the table "things"',
  ));
