import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Collection } from './cranfield.ts';

/** The best ten documents of each query. */
type Rankings = readonly (readonly string[])[];

export interface SearchPeer {
  readonly name: string;
  /** Undefined if it is not on this machine. */
  readonly rank: (collection: Collection) => Promise<Rankings | undefined>;
  readonly remedy: string;
}

/** Each as it comes, with any word of the query enough to be found. */
export const searchPeers: readonly SearchPeer[] = [
  { name: 'SQLite FTS5 with Porter stems', rank: rankBySqlite, remedy: 'install sqlite3' },
  { name: 'MiniSearch', rank: rankByMiniSearch, remedy: 'npm ci --prefix test/programs' },
];

async function rankBySqlite({ documents, queries }: Collection): Promise<Rankings | undefined> {
  const rows = documents.map(
    ({ id, title, body }) => `INSERT INTO d VALUES (${[id, title, body].map(quoted).join(', ')});`,
  );
  const asked = queries.map(({ query }) => {
    const words = [...new Set(wordsOf(query))].map((word) => `"${word}"`).join(' OR ');
    const found = `SELECT id FROM d WHERE d MATCH ${quoted(words)} ORDER BY bm25(d), rowid LIMIT 10`;
    return words === '' ? "SELECT '';" : `SELECT group_concat(id, ' ') FROM (${found});`;
  });
  const sql = [
    "CREATE VIRTUAL TABLE d USING fts5(id UNINDEXED, title, body, tokenize='porter');",
    ...['BEGIN;', ...rows, 'COMMIT;'],
    ...asked,
  ];
  const output = await outputOf('sqlite3', [':memory:'], sql.join('\n'));
  return output
    ?.split('\n')
    .slice(0, queries.length)
    .map((line) => line.split(' '));
}

interface MiniSearchModule {
  readonly default: new (options: {
    readonly fields: readonly string[];
  }) => {
    addAll(documents: readonly object[]): void;
    search(query: string): readonly { readonly id: string }[];
  };
}

async function rankByMiniSearch({ documents, queries }: Collection): Promise<Rankings | undefined> {
  const file = join(process.cwd(), 'test/programs/node_modules/minisearch/dist/es/index.js');
  if (!existsSync(file)) return undefined;
  const { default: MiniSearch }: MiniSearchModule = await import(pathToFileURL(file).href);
  const index = new MiniSearch({ fields: ['title', 'body'] });
  index.addAll(documents.map(({ id, title, body }) => ({ id, title, body })));
  return queries.map(({ query }) =>
    index
      .search(query)
      .slice(0, 10)
      .map(({ id }) => id),
  );
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''").replaceAll('\0', '')}'`;
}

/** Undefined if the program is not installed. */
function outputOf(program: string, args: readonly string[], input: string): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    const chunks: Buffer[] = [];
    child.on('error', () => resolve(undefined));
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('close', (code) => {
      if (code === 0) resolve(Buffer.concat(chunks).toString('utf8'));
      else if (code !== null) reject(new Error(`${program} ended with code ${code}`));
    });
    // A program that is not there takes no input.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}
