import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../model/json.ts';

/** Whether a list under a key starts at the key's own column, or two columns further in. */
export type ListStyle = 'flush' | 'indented';

/** How the text of a scalar was written before; the parser's own names. */
export type ScalarStyle = 'PLAIN' | 'QUOTE_SINGLE' | 'QUOTE_DOUBLE' | 'BLOCK_LITERAL' | 'BLOCK_FOLDED';

export interface EntryLayout {
  /** Column of the key or of the dash. */
  readonly column: number;
  readonly kind: 'key' | 'item';
  readonly listStyle: ListStyle;
  /** Style to keep, if the value is a text that allows it. */
  readonly style?: ScalarStyle | undefined;
  /** Column for the lines of a block scalar; two further in than `column` otherwise. */
  readonly textColumn?: number | undefined;
}

/** Columns by which a level is indented. */
const step = 2;

/** The lines of a whole document, without line ends. */
export function formatDocument(value: Json, listStyle: ListStyle): string[] {
  if (isJsonArray(value) && value.length > 0) return formatList(value, 0, listStyle);
  if (isJsonObject(value) && Object.keys(value).length > 0) return formatMap(value, 0, listStyle);
  const [first = '', ...rest] = formatEntry('', value, { column: 0, kind: 'item', listStyle });
  return [first.trimStart(), ...rest];
}

/** The lines of one key or item; `prefix` is what stands before its value, `key:` or `-`, indented. */
export function formatEntry(prefix: string, value: Json, layout: EntryLayout): string[] {
  const { column, kind, listStyle } = layout;
  if (typeof value === 'string') return formatText(prefix, value, layout);
  const nested = formatNested(value, kind === 'key' && listStyle === 'flush' ? column : column + step, layout);
  if (nested === undefined) return [`${prefix} ${formatInline(value)}`];
  if (kind === 'key') return [prefix, ...nested];
  return [`${prefix} ${(nested[0] ?? '').slice(column + step)}`, ...nested.slice(1)];
}

export function formatKey(key: string): string {
  return isPlain(key, false) ? key : formatQuoted(key);
}

/** A value on one line, as it may stand anywhere, also inside brackets when `flow`. */
export function formatInline(value: Json, flow = false, style?: ScalarStyle): string {
  if (isJsonArray(value)) return `[${value.map((item) => formatInline(item, true)).join(', ')}]`;
  if (isJsonObject(value)) {
    const entries = Object.entries(value).map(([key, item]) => {
      return `${isPlain(key, true) ? key : formatQuoted(key)}: ${formatInline(item, true)}`;
    });
    return `{${entries.join(', ')}}`;
  }
  if (typeof value !== 'string') return String(value);
  if (style === 'QUOTE_DOUBLE') return formatDouble(value);
  if (style === 'QUOTE_SINGLE' || !isPlain(value, flow)) return formatQuoted(value);
  return value;
}

function formatNested(value: Json, listColumn: number, layout: EntryLayout): string[] | undefined {
  const { column, listStyle } = layout;
  if (isJsonArray(value) && value.length > 0) return formatList(value, listColumn, listStyle);
  if (isJsonObject(value) && Object.keys(value).length > 0) return formatMap(value, column + step, listStyle);
  return undefined;
}

function formatList(list: readonly Json[], column: number, listStyle: ListStyle): string[] {
  const prefix = `${' '.repeat(column)}-`;
  return list.flatMap((item) => formatEntry(prefix, item, { column, kind: 'item', listStyle }));
}

function formatMap(map: JsonObject, column: number, listStyle: ListStyle): string[] {
  return Object.entries(map).flatMap(([key, value]) => {
    return formatEntry(`${' '.repeat(column)}${formatKey(key)}:`, value, { column, kind: 'key', listStyle });
  });
}

function formatText(prefix: string, text: string, layout: EntryLayout): string[] {
  const { column, style, textColumn = column + step } = layout;
  const keepsBlock = style === 'BLOCK_LITERAL' || style === 'BLOCK_FOLDED';
  if (!isBlock(text) || !(keepsBlock || text.includes('\n'))) return [`${prefix} ${formatInline(text, false, style)}`];
  const body = text.endsWith('\n') ? text.slice(0, -1) : text;
  const folds = style === 'BLOCK_FOLDED' && !body.includes('\n') && !/^[ \t]/.test(body);
  // Without the number a reader would take the spaces of the first line for indentation.
  const indicator = /^\n*[ \t]/.test(body) ? String(textColumn - column) : '';
  const header = `${folds ? '>' : '|'}${indicator}${text.endsWith('\n') ? '' : '-'}`;
  const lines = body.split('\n').map((line) => (line === '' ? '' : ' '.repeat(textColumn) + line));
  return [`${prefix} ${header}`, ...lines];
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that only escapes can carry
const unprintable = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]|\p{Surrogate}/u;

/** Whether a block scalar can carry `text` to the letter, whatever follows it in the file. */
function isBlock(text: string): boolean {
  return /\S/.test(text) && !/\n *\n$|\n +$/.test(text) && !unprintable.test(text);
}

function formatQuoted(text: string): string {
  if (text.includes('\n') || unprintable.test(text)) return formatDouble(text);
  return `'${text.replaceAll("'", "''")}'`;
}

function formatDouble(text: string): string {
  return JSON.stringify(text).replace(/[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** What some reader of YAML 1.1 or 1.2 takes for a number, a truth value, null or a merge key. */
const otherThanText = [
  /^(?:~|null|true|false|yes|no|on|off|y|n|=|<<)$/i,
  /^[-+]?(?:0b[01_]+|0o?[0-7_]+|0x[0-9a-f_]+)$/i,
  /^[-+]?(?:\.[0-9_]+|[0-9][0-9_,]*(?:\.[0-9_]*)?)(?:e[-+]?[0-9]+)?$/i,
  /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/,
  /^[-+]?\.(?:inf|nan)$/i,
];

function isPlain(text: string, flow: boolean): boolean {
  if (text === '' || text !== text.trim() || /[\n\t]/.test(text) || unprintable.test(text)) return false;
  if (/^[-?:,[\]{}#&*!|>'"%@`]/.test(text) || /^(?:---|\.\.\.)/.test(text)) return false;
  if (/:(?: |$)| #/.test(text) || (flow && /[,[\]{}:]/.test(text))) return false;
  return !otherThanText.some((pattern) => pattern.test(text));
}
