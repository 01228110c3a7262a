/** A table in Markdown; a cell holds neither an unescaped pipe nor a line end. */
export function formatMarkdownTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escapeCell).join(' | ')} |`;
  return [line(header), line(header.map(() => '---')), ...rows.map(line)].join('\n');
}

/** A pipe ends a cell unless an odd number of backslashes stands before it. */
function escapeCell(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/\\+\|?|\|/g, (match) => (match.endsWith('|') ? `${match.slice(0, -1).repeat(2)}\\|` : match));
}
