import { harmless } from '../../base/text.ts';
import type { Style } from './style.ts';
import { clip, padEnd, widthOf, wrap } from './text.ts';

const gap = '  ';
/** Less than this of the last column is not worth a line. */
const lastColumnsMin = 24;
const indent = '    ';

/**
 * Cells in columns as wide as they need; what the line cannot hold is cut at its end. If the others leave the last
 * column too little, it stands below them, with each column before it that the line cannot hold either: ids are there to
 * be copied, and titles to be read. With `keepsLast` nothing of the last column is cut, such as a path to be copied: a
 * line is then as long as it needs to be.
 */
export function formatTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  style: Style,
  columns: number,
  { keepsLast = false } = {},
): string[] {
  const cells = rows.map((row) => row.map(toLine));
  const widths = header.map((name, at) => Math.max(widthOf(name), ...cells.map((row) => widthOf(row[at] ?? ''))));
  const line = (row: readonly string[]) =>
    row
      .map((cell, at) => padEnd(cell, widths[at] ?? 0))
      .join(gap)
      .trimEnd();
  if (keepsLast) return [style.strong(line(header)), ...cells.map(line)];
  const before = widths.slice(0, -1).reduce((sum, width) => sum + width + gap.length, 0);
  if (before + Math.min(lastColumnsMin, widths.at(-1) ?? 0) <= columns) {
    return [style.strong(clip(line(header), columns)), ...cells.map((row) => clip(line(row), columns))];
  }
  const kept = columnsThatFit(widths.slice(0, -1), columns);
  const below = (row: readonly string[]) =>
    wrap(
      row
        .slice(kept)
        .map((cell) => cell.trim())
        .filter((cell) => cell !== '')
        .join(' · '),
      Math.max(lastColumnsMin, columns - indent.length),
    ).map((text) => (text === '' ? '' : `${indent}${text}`));
  const isWhole = kept === header.length - 1 && widthOf(line(header)) <= columns;
  return [
    ...(isWhole ? [line(header)] : [line(header.slice(0, kept)), ...below(header)]).map(style.strong),
    ...cells.flatMap((row) => [line(row.slice(0, kept)), ...below(row).filter((text) => text !== '')]),
  ];
}

/** How many of the columns stand on one line; the first one does in any case. */
function columnsThatFit(widths: readonly number[], columns: number): number {
  let width = widths[0] ?? 0;
  let fitting = 1;
  for (const next of widths.slice(1)) {
    width += gap.length + next;
    if (width > columns) break;
    fitting++;
  }
  return fitting;
}

/** One line; spaces at its beginning set it in, as the plans of a tree are. */
function toLine(cell: string): string {
  return harmless(cell)
    .replace(/\s/g, ' ')
    .replace(/(?<=\S) +/g, ' ')
    .trimEnd();
}
