import { formatBytes, plural } from '../../base/text.ts';
import type { EntryPage, EntryRow } from '../../model/requests/knowledge.ts';
import type { Style } from './style.ts';
import { chop, clip, padEnd, widthOf } from './text.ts';

interface Form {
  readonly style: Style;
  readonly columns: number;
}

/** Columns of a title in a list; what is longer is cut. */
const titleColumnsMax = 60;

/** A line for each entry: its title, its path, and what it is. */
export function formatEntryRows(rows: readonly EntryRow[], { style, columns }: Form): string[] {
  if (rows.length === 0) return ['No entry fits. Add one with `ravel knowledge add TITLE --body TEXT`.'];
  const titles = rows.map(({ title }) => clip(title, titleColumnsMax));
  const width = Math.max(...titles.map(widthOf));
  return rows.map(({ entry, kind, status, confidence, tags }, at) => {
    const labels = [kind, confidence, ...(status === 'consolidated' ? [] : [status]), ...tags.map((tag) => `#${tag}`)];
    const rest = clip(`${entry}  ${labels.join(' ')}`, Math.max(20, columns - width - 2));
    return `${padEnd(titles[at] ?? '', width)}  ${style.faint(rest)}`;
  });
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
    ['used', uses === undefined ? undefined : formatUses(uses)],
    ['file', `${row.file} (${formatBytes(row.bytes)})`],
  ];
  return [
    ...chop(row.title, columns).map(style.strong),
    ...about.flatMap(([name, value]) =>
      value === undefined ? [] : chop(value, columns - 14).map((line, at) => field(at === 0 ? name : '', line)),
    ),
    '',
    ...chop(body.trim(), columns),
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
