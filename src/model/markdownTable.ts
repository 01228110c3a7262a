import { oneLine, withoutEnd } from '../base/text.ts';

/** A table in Markdown; a cell holds neither an unescaped pipe nor a line end. */
export function formatMarkdownTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escapeCell).join(' | ')} |`;
  return [line(header), line(header.map(() => '---')), ...rows.map(line)].join('\n');
}

/** A pipe ends a cell unless an odd number of backslashes stands before it. */
function escapeCell(text: string): string {
  const pieces = oneLine(text).split('|');
  const last = pieces.pop() ?? '';
  return [...pieces.map(withDoubledEnd), last].join('\\|');
}

/** The text with the backslashes at its end once more. */
function withDoubledEnd(text: string): string {
  const plain = withoutEnd(text, '\\');
  return plain.length === text.length ? text : text + text.slice(plain.length);
}
