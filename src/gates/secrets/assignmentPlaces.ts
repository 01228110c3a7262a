import type { PasswordPlace } from './passwords.ts';
import type { NameKind } from './secretNames.ts';

/** What stands between a name and its value. */
export type Separator = '=' | ':' | '>' | ' ' | ',';

/** Where a name stands, as offsets in the text. */
export interface Name {
  readonly start: number;
  readonly end: number;
  /** The quote around the name; empty without one. */
  readonly quote: string;
}

export interface AssignmentPlace {
  readonly name: Name;
  /** Offset of the separator. */
  readonly at: number;
  readonly separator: Separator;
}

export interface AssignedValue {
  readonly index: number;
  readonly text: string;
  /**
   * Whether it has quotes; stands without them where no code stands, as in a file of settings; or may be an expression
   * of a program.
   */
  readonly form: 'quoted' | 'plain' | 'bare';
  /** A word before it in the header of a request, such as `bearer`. */
  readonly scheme: string;
}

/** Whether a blank is enough before a value: behind the option of a command, and in a few kinds of files. */
export function hasValueBehindBlank(text: string, at: number): boolean {
  return text.startsWith('--', at) || isInNetrc(text, at) || isInDockerfile(text, at) || isBehindDeclaration(text, at);
}

/** `machine HOST login NAME password …`, the form of a file that several programs read. */
function isInNetrc(text: string, at: number): boolean {
  if (!text.startsWith('password ', at)) return false;
  const before = text.slice(Math.max(0, at - netrcCharsMax), at);
  return /\blogin \S{1,64} $/.test(before) || isNetrcEntry(before);
}

/** Characters before a password in which its entry of a `.netrc` file begins. */
const netrcCharsMax = 200;

function isNetrcEntry(before: string): boolean {
  return /(?:^|\s)(?:machine\s{1,8}\S{1,99}\s{1,8}(?:login\s{1,8}\S{1,64}\s{1,8})?|default\s{1,8}login\s{1,8}\S{1,64}\s{1,8})$/.test(
    before,
  );
}

/** `ENV NAME value`, at the beginning of a line. */
function isInDockerfile(text: string, at: number): boolean {
  return text.startsWith('ENV ', at - 4) && (at === 4 || text[at - 5] === '\n');
}

/** `var NAME string = "…"` of Go, `#define NAME "…"`. */
function isBehindDeclaration(text: string, at: number): boolean {
  if (text[at - 1] !== ' ') return false;
  return text.startsWith('var ', at - 4) || text.startsWith('const ', at - 6) || text.startsWith('#define ', at - 8);
}

/** Whether only a text in quotes can be the value. */
export function isDeclared(text: string, { separator, name }: AssignmentPlace): boolean {
  return separator === ' ' && isBehindDeclaration(text, name.start);
}

export function isSpaceOrTab(character: string | undefined): boolean {
  return character === ' ' || character === '\t';
}

/** Whether a value without quotes is a text by its place and no expression of a program. */
export function isPlainText(
  text: string,
  { name, at, separator }: AssignmentPlace,
  value: { readonly start: number; readonly end: number },
  isAdjacent: boolean,
): boolean {
  const next = text[value.end] ?? '\n';
  const before = text[name.start - 1] ?? '\n';
  if (separator === ' ' || separator === '>') return true;
  // `"Server=…;Password=…;"`, `?token=…&`, `-H 'X-Api-Key: …'`
  if (/[;&?"'`]/.test(before)) return isAdjacent || next === before;
  if (isAdjacent && separator === '=') {
    if (text.startsWith('--', name.start) || !/[a-z]/.test(text.slice(name.start, name.end))) return true;
    if (isInConnection(text, name.start, value.end)) return true;
  }
  return isLineStart(text, name.start) && isLineEnd(text, value.end) && text[at + 1] !== '=';
}

/** How sure it is that a password stands at a place; undefined if an expression of a program may stand. */
export function passwordPlaceAt(
  text: string,
  place: AssignmentPlace,
  value: AssignedValue,
  kind: NameKind,
): PasswordPlace | undefined {
  const { name, separator } = place;
  const end = value.index + value.text.length;
  if (value.form === 'bare') return undefined;
  if (kind === 'variable' && separator === '=') return 'given';
  if (separator === '>' && text.startsWith('</', end)) return 'given';
  if (separator === '=' && isInConnection(text, name.start, end)) return 'given';
  if (kind === 'pass') return 'ambiguous';
  if (value.form === 'quoted') return 'named';
  if (separator === ' ') {
    if (isNetrcEntry(text.slice(Math.max(0, name.start - netrcCharsMax), name.start))) return 'given';
    return /^(?:["'`]|\s{0,8}(?:[\r\n\\]|$)| -)/.test(text.slice(end, end + 10)) ? 'named' : 'ambiguous';
  }
  return separator === '=' && isSetting(text, place, value) ? 'named' : 'unquoted';
}

/** `--password=…`, `DB_PASSWORD=…`, or `password=…` that no argument of a call could be, since its line is not indented. */
function isSetting(text: string, { name, at }: AssignmentPlace, { index }: AssignedValue): boolean {
  if (index !== at + 1 || isSpaceOrTab(text[at - 1])) return false;
  if (text.startsWith('--', name.start) || !/[a-z]/.test(text.slice(name.start, name.end))) return true;
  const line = lineBefore(text, name.start);
  return line !== undefined && /^[\w.-]*$/.test(line);
}

/** The beginning of the line up to a place; undefined if that is long. */
function lineBefore(text: string, at: number): string | undefined {
  const from = Math.max(0, at - lineBeginChars);
  const before = text.slice(from, at);
  const line = before.slice(before.lastIndexOf('\n') + 1);
  return line.length === before.length && from > 0 ? undefined : line;
}

/** Characters before a value in which the beginning of its line is searched. */
const lineBeginChars = 80;

/** Only what a settings file has before a name: blanks, a dash, a quote, `export`, `set`, `ENV`, the mark of a diff. */
function isLineStart(text: string, at: number): boolean {
  const line = lineBefore(text, at);
  if (line === undefined) return false;
  return /^[+ \t]*(?:- )?(?:(?:export|set|setx|ENV|ARG|env|declare -x) |\$env:|#+ ?)?["']?(?:[\w./-]{1,60}[.:])?$/.test(
    line,
  );
}

function isLineEnd(text: string, at: number): boolean {
  return /^[ \t]{0,8}(?:\r?\n|$|#)/.test(text.slice(at, at + 12));
}

/** Characters before and after a value in which the other fields of a connection string are searched. */
const connectionChars = 160;

/** Whether another setting of a connection stands in the same line: `Server=…;Password=…;`, `host=… password=…`. */
function isInConnection(text: string, start: number, end: number): boolean {
  if (!/^(?:[;"'`\s]|$)/.test(text.slice(end, end + 1)) || !/^(?:[;"'`\s]|$)/.test(text[start - 1] ?? '')) return false;
  const before = text.slice(Math.max(0, start - connectionChars), start);
  const after = text.slice(end, end + connectionChars);
  return isConnection(before.slice(before.lastIndexOf('\n') + 1)) || isConnection(after.split('\n', 1)[0] ?? '');
}

function isConnection(line: string): boolean {
  return /(?:^|[;"'`\s])(?:server|data source|host|hostaddr|user id|uid|user|username|database|dbname|initial catalog|sslmode)\s?=\s?[^\s=;,]{1,80}(?:[;\s"'`]|$)/i.test(
    line,
  );
}
