import type { Style } from './style.ts';
import { clip, harmless, padEnd, widthOf } from './text.ts';

/** Cells in columns as wide as they need; what the line cannot hold is cut at its end. */
export function formatTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  style: Style,
  columns: number,
): string[] {
  const cells = rows.map((row) => row.map((cell) => harmless(cell).replace(/\s+/g, ' ').trim()));
  const widths = header.map((name, at) => Math.max(widthOf(name), ...cells.map((row) => widthOf(row[at] ?? ''))));
  const line = (row: readonly string[]) =>
    clip(
      row
        .map((cell, at) => padEnd(cell, widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
      columns,
    );
  return [style.strong(line(header)), ...cells.map(line)];
}
