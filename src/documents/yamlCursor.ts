/** Where the cursor stands in a YAML text, whether or not that text can be parsed just now. */
export interface YamlCursor {
  /** Keys from the root to the mapping or list that holds the cursor; `*` for an item of a list. */
  readonly path: readonly string[];
  /** At a key's place; at the value of `key`; or at the beginning of an item of the block list of `key`. */
  readonly slot:
    | { readonly kind: 'key'; readonly present: ReadonlySet<string> }
    | { readonly kind: 'value'; readonly key: string; readonly siblings: readonly string[] }
    | {
        readonly kind: 'item';
        readonly key: string;
        readonly siblings: readonly string[];
        /** Keys of the item, if it is a record. */
        readonly present: ReadonlySet<string>;
      };
  /** The word that the cursor stands in: its place in the line, without quotes. */
  readonly start: number;
  readonly end: number;
}

/** A key and its value; the value has the blanks before it, but for the one behind the colon. */
const pairPattern = /^([\w.-]+|"[^"]*"|'[^']*'):(?:\s(.*))?$/s;

/** What a line opens, from left to right. */
interface Line {
  readonly dashes: readonly number[];
  /** Column of what follows the dashes. */
  readonly column: number;
  readonly key?: string;
  /** What follows the colon. */
  readonly value: string;
  readonly isBlank: boolean;
}

/** A file with more lines above the cursor is looked at no further up. */
const linesMax = 20_000;

/** Undefined inside comments and block texts, and wherever no line says what the cursor belongs to. */
export function yamlCursorAt(lines: readonly string[], line: number, character: number): YamlCursor | undefined {
  const text = lines[line] ?? '';
  const before = text.slice(0, character);
  if (/(?:^|\s)#/.test(before) || before.includes('\t')) return undefined;
  const here = parseLine(text);
  const column = here.isBlank ? character : here.column;
  if (isInBlockText(lines, line, here.isBlank ? character : text.search(/\S/))) return undefined;
  const way = wayTo(lines, line, { column, dashes: here.isBlank ? [] : here.dashes });
  const rest = before.slice(column);
  const pair = pairPattern.exec(rest);
  if (pair !== null) {
    // Right behind the colon a value needs a space first.
    if (pair[2] === undefined) return undefined;
    const key = unquoted(pair[1] ?? '');
    const value = text.slice(column + rest.length - pair[2].trimStart().length);
    return { path: way.path, slot: { kind: 'value', key, siblings: flowWords(value) }, ...wordAt(text, character) };
  }
  const parent = way.path.at(-2);
  if (way.path.at(-1) === '*' && parent !== undefined && here.key === undefined && here.dashes.length > 0) {
    const isKeyPlace = rest === '' || /^[\w-]+$/.test(rest);
    if (isKeyPlace || /^["']/.test(rest)) {
      const slot = { kind: 'item', key: parent, siblings: way.siblings, present: way.present } as const;
      return { path: way.path.slice(0, -2), slot, ...wordAt(text, character) };
    }
  }
  if (!/^[\w-]*$/.test(rest)) return undefined;
  return { path: way.path, slot: { kind: 'key', present: way.present }, ...wordAt(text, character) };
}

function parseLine(text: string): Line {
  const dashes: number[] = [];
  let column = text.search(/\S/);
  if (column < 0 || text[column] === '#') return { dashes, column: Math.max(0, column), value: '', isBlank: true };
  const dash = /-(?:\s+|$)/y;
  for (dash.lastIndex = column; dash.test(text); column = dash.lastIndex) dashes.push(column);
  const pair = pairPattern.exec(text.slice(column).trimEnd());
  const whole = (pair?.[2] ?? '').trimStart();
  const comment = whole.search(/(?:^|\s)#/);
  const value = comment < 0 ? whole : whole.slice(0, comment);
  return { dashes, column, value, isBlank: false, ...(pair !== null && { key: unquoted(pair[1] ?? '') }) };
}

interface Way {
  readonly path: string[];
  readonly present: ReadonlySet<string>;
  /** Plain items of the list that the cursor stands in. */
  readonly siblings: readonly string[];
}

/** Goes up from a place to the root, by indentation alone. */
function wayTo(lines: readonly string[], line: number, at: { column: number; dashes: readonly number[] }): Way {
  // From the place up; at the front of an array each would move all the others.
  const steps: string[] = [];
  const present = new Set<string>();
  const siblings: string[] = [];
  let [column, isList] = [at.column, false];
  for (const dash of at.dashes.toReversed()) {
    steps.push('*');
    [column, isList] = [dash, true];
  }
  const own = isList ? { list: column } : { map: column };
  let isOwn = true;
  for (let n = line - 1; n >= 0 && line - n < linesMax; n--) {
    const above = parseLine(lines[n] ?? '');
    if (above.isBlank) continue;
    if (isOwn && !isList && above.column === own.map && above.key !== undefined) present.add(above.key);
    if (isOwn && isList && above.dashes.at(-1) === own.list && above.key === undefined) {
      siblings.push(unquoted((lines[n] ?? '').slice(above.column).trim()));
    }
    if (above.key !== undefined && above.value === '' && (isList ? above.column <= column : above.column < column)) {
      // A list may stand right below its key, and an item of it is then no place for another key of that mapping.
      steps.push(above.key);
      [column, isList, isOwn] = [above.column, false, false];
    }
    for (const dash of above.dashes.toReversed()) {
      if (dash >= column) continue;
      steps.push('*');
      [column, isList, isOwn] = [dash, true, false];
    }
    if (column === 0 && !isList && !isOwn) break;
  }
  if (own.map !== undefined && !at.dashes.length) addBelow(lines, line, own.map, present);
  if (at.dashes.length > 0) addBelow(lines, line, at.column, present);
  return { path: steps.reverse(), present, siblings };
}

/** Keys of the same mapping that follow. */
function addBelow(lines: readonly string[], line: number, column: number, present: Set<string>): void {
  for (let n = line + 1; n < lines.length && n - line < linesMax; n++) {
    const below = parseLine(lines[n] ?? '');
    if (below.isBlank) continue;
    if ((below.dashes[0] ?? below.column) < column || (below.dashes.length > 0 && below.column === column)) return;
    if (below.column === column && below.key !== undefined) present.add(below.key);
  }
}

/** Whether a line above begins a literal or folded text that the line, by its indentation, belongs to. */
function isInBlockText(lines: readonly string[], line: number, indentation: number): boolean {
  let left = indentation;
  for (let n = line - 1; n >= 0 && line - n < linesMax; n--) {
    const text = lines[n] ?? '';
    if (text.trim() === '') continue;
    const { dashes, column } = parseLine(text);
    const start = dashes[0] ?? Math.max(0, text.search(/\S/));
    if (start >= left) continue;
    if (/(?::|-)\s+[|>][-+\d]*\s*(?:#.*)?$/s.test(text)) return Math.min(start, column) < left;
    left = start;
  }
  return false;
}

/** Words of a flow list that stand in a value. */
function flowWords(value: string): string[] {
  const list = /^\[([^\]]*)/.exec(value)?.[1];
  return (list ?? '')
    .split(',')
    .map((word) => unquoted(word.trim()))
    .filter((word) => word !== '');
}

const separator = /[\s,[\]{}"']/;

function wordAt(text: string, character: number): { readonly start: number; readonly end: number } {
  let [start, end] = [character, character];
  while (start > 0 && !separator.test(text[start - 1] ?? ' ')) start--;
  while (end < text.length && !separator.test(text[end] ?? ' ') && text[end] !== ':') end++;
  return { start, end };
}

function unquoted(text: string): string {
  return text.replace(/^(["'])(.*)\1$/, '$2');
}
