import { formatMarkdownTable } from '../../model/markdownTable.ts';
import { inert } from '../../vault/inertText.ts';
import { sealView } from '../../vault/viewSeal.ts';

/** What a page shows of a longer record; the rest is counted. */
export const pageRowsMax = 200;

/** A row of a page: what a table of Dataview is given, and how the page itself shows it. */
export interface PageRow {
  /** Plain text or numbers; absent values are left out. */
  readonly fields: Readonly<Record<string, string | number | undefined>>;
  /** Markdown of the cells, in the order of the header. */
  readonly cells: readonly string[];
}

export interface RecordsPage {
  readonly name: 'decisions' | 'routing' | 'cycles' | 'spending';
  readonly title: string;
  /** Where the record itself is. */
  readonly source: string;
  readonly header: readonly string[];
  /** The newest first. */
  readonly rows: readonly PageRow[];
  /** Rows that are not shown, and what tells them; absent if there are none. */
  readonly more?: string | undefined;
  /** Markdown below the table. */
  readonly below?: readonly string[];
}

/**
 * A page as a note: its rows as `records` in the frontmatter, which Dataview turns into tables, and as a table. It is made
 * for readers and nothing reads it back.
 */
export function formatPage(page: RecordsPage): string {
  const records = page.rows.map(({ fields }) => `  - ${JSON.stringify(inertFields(fields))}`);
  const table = page.rows.length === 0 ? '_(nothing yet)_' : formatMarkdownTable(page.header, cellsOf(page.rows));
  const parts = [
    `# ${page.title}`,
    table,
    ...(page.more === undefined ? [] : [`_${page.more}_`]),
    ...(page.below ?? []),
  ];
  return sealView({
    source: page.source,
    advice: 'changes of it are lost',
    frontmatter: [
      `page: ${page.name}`,
      `shown: ${page.rows.length}`,
      records.length === 0 ? 'records: []' : 'records:',
      ...records,
      'tags: [ravel-page]',
    ],
    body: `${parts.join('\n\n')}\n`,
  });
}

function cellsOf(rows: readonly PageRow[]): readonly (readonly string[])[] {
  return rows.map(({ cells }) => cells);
}

/** Dataview shows values of the frontmatter as Markdown. */
function inertFields(fields: PageRow['fields']): Record<string, string | number> {
  const known = Object.entries(fields).flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const]));
  return Object.fromEntries(known.map(([key, value]) => [key, typeof value === 'string' ? inert(value) : value]));
}
