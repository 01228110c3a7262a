import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { requestSchemas } from '../../src/model/protocol.ts';
import { withTable, writtenTables } from './writtenTables.ts';

const root = join(import.meta.dirname, '..', '..');

test('every written table is as the sources have it; `npm run tables` writes it', async () => {
  const stale: string[] = [];
  for (const table of await writtenTables()) {
    const file = join(root, table.path);
    const text = readFileSync(file, 'utf8');
    const wanted = withTable(text, table);
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(file, wanted);
    else if (text !== wanted) stale.push(`${table.path}: ${table.name}`);
  }
  expect(stale).toEqual([]);
});

test('no row of a page is empty where it should say what a thing does', async () => {
  const pages = (await writtenTables()).filter(({ path }) => path.endsWith('.md'));
  const silent = pages.flatMap(({ lines }) => lines.filter((line) => /^\| `[^|]*` \|\s*\|/.test(line)));
  expect(silent).toEqual([]);
});

test('every request says what it does', () => {
  const silent = Object.entries(requestSchemas).filter(([, schema]) => schema.description === undefined);
  expect(silent.map(([name]) => name)).toEqual([]);
});

test('a file without a place for its table is named', () =>
  expect(() => withTable('no table here', { path: 'docs/x.md', name: 'things', lines: [] })).toThrow(
    'docs/x.md has no place for the table "things"',
  ));
