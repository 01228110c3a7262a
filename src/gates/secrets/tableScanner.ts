import { isToken } from './assignmentScanner.ts';
import { isPassword } from './passwords.ts';
import { kindOfName, type NameKind } from './secretNames.ts';
import type { FoundToken } from './tokenScanner.ts';

/** The end of a column's name that may tell of secrets, before the next column or at the end of the line. */
const columnPattern = /(?:passw(?:or)?d|passphrase|pwd|secret|token|key)["']?[ \t]{0,8}(?=[,;|\t\r\n]|$)/gi;

/** Secrets in a table whose first line names its columns: CSV, with semicolons or tabs too, and Markdown. */
export function* findInTables(text: string): Generator<FoundToken> {
  let done = 0;
  for (const { index } of text.matchAll(columnPattern)) {
    if (index < done) continue;
    const header = lineAt(text, text.lastIndexOf('\n', index) + 1);
    done = header.end;
    const table = tableOf(header.text);
    if (table === undefined) continue;
    while (done < text.length) {
      const row = lineAt(text, done + 1);
      const cells = cellsOf(row.text, table.delimiter);
      if (cells.length !== table.kinds.length) break;
      done = row.end;
      for (const [column, cell] of cells.entries()) {
        if (!isSecret(cell.text, table.kinds[column], table.delimiter)) continue;
        yield { index: row.start + cell.index, value: cell.text, service: 'secret, by the name of its column' };
      }
    }
  }
}

interface Line {
  readonly start: number;
  /** Offset of the line break, or of the end of the text. */
  readonly end: number;
  readonly text: string;
}

function lineAt(text: string, start: number): Line {
  const next = text.indexOf('\n', start);
  const end = next < 0 ? text.length : next;
  return { start, end, text: text.slice(start, end) };
}

interface Table {
  readonly delimiter: string;
  /** What each column holds, by its name. */
  readonly kinds: readonly NameKind[];
}

/** Characters of the header of a table; a longer line is not one. */
const headerCharsMax = 1000;

/** Undefined for a line that does not only hold names of columns. */
function tableOf(header: string): Table | undefined {
  if (header.length > headerCharsMax) return undefined;
  for (const delimiter of [',', ';', '\t', '|']) {
    const cells = cellsOf(header, delimiter);
    const names = cells.map(({ text }) => text);
    const isFramed = delimiter === '|' && /^\|.*\|\s*$/.test(header);
    const inner = isFramed ? names.slice(1, -1) : names;
    if (inner.length < 2 || /^[ \t]/.test(header)) continue;
    if (!inner.every((name) => /^[A-Za-z][\w.-]{0,39}(?: [\w.-]{1,40})?$/.test(name))) continue;
    const kinds = names.map(kindOfName);
    if (kinds.some((kind) => kind !== undefined)) return { delimiter, kinds };
  }
  return undefined;
}

interface Cell {
  readonly index: number;
  readonly text: string;
}

/** The cells of a line without the blanks and the quotes around them; a delimiter in quotes belongs to its cell. */
function cellsOf(line: string, delimiter: string): Cell[] {
  const cells: Cell[] = [];
  for (let start = 0; start <= line.length; ) {
    let from = start;
    while (line[from] === ' ') from += 1;
    const close = line[from] === '"' ? line.indexOf('"', from + 1) : -1;
    const next = line.indexOf(delimiter, Math.max(from, close + 1));
    const end = next < 0 ? line.length : next;
    const index = close < 0 ? from : from + 1;
    cells.push({ index, text: line.slice(index, close < 0 ? end : close).trimEnd() });
    start = end + 1;
  }
  return cells;
}

function isSecret(text: string, kind: NameKind, delimiter: string): boolean {
  if (kind === undefined || /\s/.test(text)) return false;
  if (kind === 'token' || kind === 'key' || kind === 'uuid') return isToken(text, 'plain', 16);
  return isPassword(text, kind === 'pass' || delimiter === '|' ? 'ambiguous' : 'named');
}
