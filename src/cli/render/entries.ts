import { formatBytes, oneLine, plural } from '../../base/text.ts';
import { entryKeysSchema } from '../../model/entry.ts';
import type { EntryPage, EntryRow } from '../../model/requests/knowledge.ts';
import type { Style } from './style.ts';
import { formatTable } from './table.ts';
import { chop, clip, ownLines, widthOf } from './text.ts';

interface Form {
  readonly style: Style;
  readonly columns: number;
}

/** Columns of a title in a list; what is longer is cut. */
const titleColumnsMax = 60;
/** Of a title beside a path that does not fit: a line that runs on anyway can name its entry. */
const titleColumnsMin = 40;
const gap = 2;

/** A line for each entry: what it is, its title, and last its path, which is never cut: it is there to be copied. */
export function formatEntryRows(rows: readonly EntryRow[], { style, columns }: Form): string[] {
  const short = rows.map(({ status, confidence, kind }) => [status, confidence, kind]);
  const header = ['STATUS', 'CONFIDENCE', 'KIND'];
  const widths = header.map((name, at) => Math.max(widthOf(name), ...short.map((row) => widthOf(row[at] ?? ''))));
  const paths = Math.max(...rows.map(({ entry }) => widthOf(entry)));
  const room = columns - widths.reduce((sum, width) => sum + width + gap, 0) - gap - paths;
  const titleColumns = Math.min(titleColumnsMax, Math.max(titleColumnsMin, room));
  const cells = rows.map(({ title, entry }, at) => [...(short[at] ?? []), clip(title, titleColumns), entry]);
  return formatTable([...header, 'TITLE', 'PATH'], cells, style, columns, { keepsLast: true });
}

/** An entry in full: what it is, what it says, and what it is connected to. */
export function formatEntryPage(page: EntryPage, { style, columns }: Form): string[] {
  const { row, body, isCut, links, backlinks, uses } = page;
  const about: readonly (readonly [string, string | undefined])[] = [
    ['entry', row.entry],
    ['id', row.id],
    ['kind', row.kind],
    ['status', row.status],
    ['confidence', row.confidence],
    ['tags', row.tags.join(', ') || undefined],
    ['version', String(row.version)],
    ['created', row.created],
    ['validated', row.lastValidated],
    ...originsOf(page).map((origin) => ['learned', origin] as const),
    ...sources.map(([name, key]) => [name, textOf(page, key)] as const),
    ['used', uses === undefined ? undefined : formatUses(uses)],
    ['file', `${row.file} (${formatBytes(row.bytes)})`],
  ];
  return [
    ...chop(row.title, columns).map(style.strong),
    ...about.flatMap(([name, value]) =>
      value === undefined ? [] : chop(value, columns - 14).map((line, at) => field(at === 0 ? name : '', line)),
    ),
    '',
    ...ownLines(body.trim()),
    ...(isCut ? [style.notice('The rest is in its file.')] : []),
    ...section(
      'Links',
      links.map(({ key, target, leadsTo }) => `${key}: ${target}${leadsWhere(leadsTo)}`),
    ),
    ...section(
      'Linked from',
      backlinks.map(({ key, entry, title }) => `${key}: ${title} (${entry})`),
    ),
  ];

  function field(name: string, value: string): string {
    return `  ${style.faint(name.padEnd(12))}${value}`;
  }

  function section(title: string, lines: readonly string[]): string[] {
    if (lines.length === 0) return [];
    return ['', style.strong(title), ...lines.flatMap((line) => chop(line, columns - 2)).map((line) => `  ${line}`)];
  }
}

/** Keys that say how an entry came in, with the name that each has here. */
const sources = [
  ['source', 'source'],
  ['absorbed by', 'absorbed-by'],
  ['absorbed', 'absorbed-at'],
  ['ingestion', 'ingestion-event-id'],
] as const;

/** Where it was learned, and how that was seen. */
function originsOf({ fields }: EntryPage): string[] {
  const origins = entryKeysSchema.shape.origins.safeParse(fields['origins']).data ?? [];
  return origins.map(({ project, date, context }) => {
    const seen = context === undefined ? '' : `: ${oneLine(context)}`;
    return `${project}, ${date}${seen}`;
  });
}

function textOf({ fields }: EntryPage, key: string): string | undefined {
  const value = fields[key];
  return typeof value === 'string' ? oneLine(value) : undefined;
}

function leadsWhere(leadsTo: EntryPage['links'][number]['leadsTo']): string {
  if (leadsTo.length === 0) return ' (no entry has this name)';
  return ` (${leadsTo.map(({ entry }) => entry).join(', ')})`;
}

function formatUses({ cited, opened, confirmed, shown, weight, last }: NonNullable<EntryPage['uses']>): string {
  const counts = [
    plural(cited, 'citation'),
    plural(opened, 'opening'),
    plural(confirmed, 'confirmation'),
    `shown ${plural(shown, 'time')}`,
  ];
  const since = last === '' ? '' : `, last ${last.slice(0, 10)}`;
  return `weight ${weight}: ${counts.join(', ')}${since}`;
}
