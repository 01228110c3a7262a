import { isCommon, isVariable } from './addressScanner.ts';
import { changes, entropyBits, isMadeUp, steps } from './placeholders.ts';
import { kindOfName, type NameKind } from './secretNames.ts';
import type { Found } from './tokenScanner.ts';

const nameCharsMax = 64;
const valueCharsMax = 400;
const blanksMax = 8;
/** How many different names are remembered; a text with more is slower and no less safe. */
const namesKnownMax = 10_000;

/**
 * Values that stand behind a name which says that they are secret: `PASSWORD=…`, `api_key: "…"`, `'token' => '…'`,
 * `--token …`, `<password>…</password>`, `Authorization: Bearer …`. Of each place a bounded piece is looked at.
 */
export function* findAssignments(text: string): Generator<Found> {
  const kinds = new Map<string, NameKind>();
  const kindOf = (name: string): NameKind => {
    if (!kinds.has(name) && kinds.size < namesKnownMax) kinds.set(name, kindOfName(name));
    return kinds.has(name) ? kinds.get(name) : kindOfName(name);
  };
  let done = 0;
  for (let at = 1; at < text.length; at++) {
    const separator = separatorAt(text, at);
    if (separator === undefined) continue;
    const name = nameBefore(text, at, separator);
    if (name === undefined || name.start < done) continue;
    const kind = kindOf(text.slice(name.start, name.end));
    if (kind === undefined) continue;
    const value = valueAfter(text, { name, at, separator });
    if (value === undefined || !isSecret(value, kind)) continue;
    const service = kind === 'password' ? 'password, by its name' : 'key or token, by its name';
    yield { index: value.index, value: value.text, service };
    done = value.index + value.text.length;
    at = Math.max(at, done - 1);
  }
}

type Separator = '=' | ':' | '>' | ' ' | ',';

interface Name {
  readonly start: number;
  readonly end: number;
  /** Whether the name has a quote around it. */
  readonly quote: string;
}

interface Value {
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

function separatorAt(text: string, at: number): Separator | undefined {
  switch (text.charCodeAt(at)) {
    case 0x3d:
      return '=';
    case 0x3a:
      return ':';
    case 0x3e:
      return '>';
    case 0x20:
      return ' ';
    case 0x2c:
      return ',';
    default:
      return undefined;
  }
}

/** The name that ends before the separator, behind blanks and a quote. */
function nameBefore(text: string, at: number, separator: Separator): Name | undefined {
  // `NAME ?= value`
  let end = separator === '=' && text[at - 1] === '?' ? at - 1 : at;
  while (end > 0 && at - end < blanksMax && isBlank(text[end - 1]) && separator !== ' ') end -= 1;
  const quote = /["'`\]]/.test(text[end - 1] ?? '') ? (text[end - 1] ?? '') : '';
  if (quote === ']') end -= /["'`]/.test(text[end - 2] ?? '') ? 2 : 1;
  else if (quote !== '') end -= text[end - 2] === '\\' ? 2 : 1;
  let start = end;
  while (start > 0 && end - start <= nameCharsMax && isNameCharacter(text.charCodeAt(start - 1))) start -= 1;
  if (end === start || end - start > nameCharsMax) return undefined;
  if (separator === ' ') {
    if (quote !== '' || !(text.startsWith('--', start) || isInNetrc(text, start) || isInDockerfile(text, start)))
      return undefined;
  }
  if (separator === '>' && text[start - 1] !== '<' && text[at - 1] !== '=') return undefined;
  // `define('DB_PASSWORD', '…')`
  if (separator === ',' && (quote === '' || text[start - 1] !== quote || text[start - 2] !== '(')) return undefined;
  return { start, end, quote };
}

/** `machine HOST login NAME password …`, the form of a file that several programs read. */
function isInNetrc(text: string, at: number): boolean {
  return text.startsWith('password ', at) && /\blogin \S{1,64} $/.test(text.slice(Math.max(0, at - 72), at));
}

/** `ENV NAME value`, at the beginning of a line. */
function isInDockerfile(text: string, at: number): boolean {
  return text.startsWith('ENV ', at - 4) && (at === 4 || text[at - 5] === '\n');
}

function isBlank(character: string | undefined): boolean {
  return character === ' ' || character === '\t';
}

function isNameCharacter(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 45
  );
}

interface Place {
  readonly name: Name;
  readonly at: number;
  readonly separator: Separator;
}

/** Words before the token of a header. */
const schemes = /^(?:bearer|basic|token|apikey|bot|splunk|geniekey|key)[ \t]+/i;

function valueAfter(text: string, place: Place): Value | undefined {
  let index = place.at + 1;
  while (index - place.at < 3 && (text[index] === '=' || text[index] === '>')) index += 1;
  const blanksFrom = index;
  while (index - blanksFrom < blanksMax && isBlank(text[index])) index += 1;
  const isAdjacent = index === blanksFrom && !isBlank(text[place.at - 1]);
  // `r'…'`, `b"…"`, `@"…"`, `\"…\"`
  const markLength = isQuote(text[index])
    ? 1
    : isQuote(text[index + 1]) && /[rbfu@\\]/i.test(text[index] ?? '')
      ? 2
      : 0;
  index += markLength;
  if (markLength > 0) {
    const end = endOfQuoted(text, index, text[index - 1] ?? '');
    const scheme = end - index < passwordCharsMin ? '' : schemeAt(text, index);
    return { index: index + scheme.length, text: text.slice(index + scheme.length, end), form: 'quoted', scheme };
  }
  if (place.separator === ',') return undefined;
  const scheme = schemeAt(text, index);
  index += scheme.length;
  let end = endOfBare(text, index);
  if (end - index < passwordCharsMin) return undefined;
  // The full stop of a sentence.
  while (text[end - 1] === '.') end -= 1;
  const isPlain = scheme !== '' || isPlainText(text, place, { start: index, end }, isAdjacent);
  return { index, text: text.slice(index, end), form: isPlain ? 'plain' : 'bare', scheme };
}

function isQuote(character: string | undefined): boolean {
  return character === '"' || character === "'" || character === '`';
}

function schemeAt(text: string, at: number): string {
  return schemes.exec(text.slice(at, at + 16))?.[0] ?? '';
}

function endOfBare(text: string, from: number): number {
  const limit = Math.min(text.length, from + valueCharsMax);
  let end = from;
  while (end < limit && !endsBare.has(text.charCodeAt(end))) end += 1;
  // The padding of base64.
  while (end < limit && text[end] === '=' && end - from > passwordCharsMin) end += 1;
  return end;
}

const endsBare: ReadonlySet<number> = new Set([...' \t\r\n"\'`<>,;|&(){}[]\\='].map((one) => one.charCodeAt(0)));

function endOfQuoted(text: string, from: number, quote: string): number {
  const limit = Math.min(text.length, from + valueCharsMax);
  for (let at = from; at < limit; at++) {
    if (text[at] === quote || text[at] === '\n') return at;
    if (text[at] === '\\') {
      if (text[at + 1] === quote) return at;
      at += 1;
    }
  }
  return limit;
}

/** Whether a value without quotes is a text by its place and no expression of a program. */
function isPlainText(
  text: string,
  { name, at, separator }: Place,
  value: { readonly start: number; readonly end: number },
  isAdjacent: boolean,
): boolean {
  const next = text[value.end] ?? '\n';
  const before = text[name.start - 1] ?? '\n';
  if (separator === ' ' || separator === '>') return true;
  // `"Server=…;Password=…;"`, `?token=…&`, `-H 'X-Api-Key: …'`
  if (/[;&?"'`]/.test(before)) return isAdjacent || next === before;
  if (isAdjacent && separator === '=' && !/[a-z]/.test(text.slice(name.start, name.end))) return true;
  return isLineStart(text, name.start) && isLineEnd(text, value.end) && text[at + 1] !== '=';
}

const lineBeginChars = 80;

/** Only what a settings file has before a name: blanks, a dash, a quote, `export`, `set`, `ENV`, the mark of a diff. */
function isLineStart(text: string, at: number): boolean {
  const from = Math.max(0, at - lineBeginChars);
  const before = text.slice(from, at);
  const line = before.slice(before.lastIndexOf('\n') + 1);
  if (line.length === before.length && from > 0) return false;
  return /^[+ \t]*(?:- )?(?:(?:export|set|setx|ENV|ARG|env|declare -x) |\$env:|#+ ?)?["']?(?:[\w./-]{1,60}[.:])?$/.test(
    line,
  );
}

function isLineEnd(text: string, at: number): boolean {
  return /^[ \t]{0,8}(?:\r?\n|$|#)/.test(text.slice(at, at + 12));
}

/** Names of algorithms and types that hold digits as passwords do. */
const technicalWord =
  /^(?:md|sha|aes|des|rsa|hs|rs|es|ps|ed|x|p|k|utf|base|argon|bcrypt|scrypt|pbkdf|hmac|oauth|http|ipv|u?int|float|v|h|type|step|level|option|var|arg|tmp|str|line|page|item|field|input)[-_]?\d{1,5}(?:[-_]?[a-z]*\d*)$/i;

function isSecret({ text, form, scheme }: Value, kind: NameKind): boolean {
  if (text.length < passwordCharsMin) return false;
  if (isVariable(text) || /\s/.test(text) || (form !== 'quoted' && /[()]/.test(text))) return false;
  if (text.startsWith('/') || text.startsWith('./') || text.startsWith('~/') || text.includes('://')) return false;
  if (isUuid(text)) return kind === 'uuid' && !isMadeUp(text.replaceAll('-', ''));
  if (/^basic/i.test(scheme) && isBasic(text)) return true;
  if (kind === 'password') return form !== 'bare' && isPassword(text);
  return isToken(text, form, kind === 'key' ? 24 : 16);
}

/** The name and the password of a request's header. */
function isBasic(text: string): boolean {
  const decoded = Buffer.from(text, 'base64').toString('latin1');
  const colon = decoded.indexOf(':');
  if (colon < 1 || !/^[\x20-\x7e]+$/.test(decoded)) return false;
  const password = decoded.slice(colon + 1);
  return password !== '' && !isCommon(password) && !isMadeUp(password);
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(text);
}

const passwordCharsMin = 6;
const passwordCharsMax = 128;

function isPassword(text: string): boolean {
  if (text.length < passwordCharsMin || text.length > passwordCharsMax) return false;
  if (isCommon(text) || technicalWord.test(text) || !/[a-z]/i.test(text) || !/\d/.test(text)) return false;
  if (isMadeUp(text)) return isCounted(text);
  return !isName(text);
}

/** `Abcdef123456` is a password that people choose, although it counts; `abcdef` and `123456` alone stand for any. */
function isCounted(text: string): boolean {
  return /^[A-Z][a-z]+\d+$/.test(text) && !/pass|example|your|fake|dummy/i.test(text) && steps(text) < text.length - 1;
}

/** `user-2`, `db.password.v2`: words with a number behind them, joined by something. */
function isName(text: string): boolean {
  const words = text.split(/[-_./: ]+/);
  return words.length > 1 && words.every((word) => /^(?:[A-Za-z]*\d{0,3}|v\d+)$/.test(word));
}

const entropyBitsMin = 3;

function isToken(text: string, form: Value['form'], charsMin: number): boolean {
  const characters = form === 'quoted' ? /^[\x21-\x7e]+$/ : form === 'plain' ? /^[\w+/=.~:%-]+$/ : /^[\w+/=-]+$/;
  if (text.length < charsMin || !characters.test(text)) return false;
  if (isMadeUp(text) || !/\d/.test(text) || !/[a-z]/i.test(text)) return false;
  return changes(text.replace(/[-_./:]/g, '')) >= 0.2 * text.length && entropyBits(text) >= entropyBitsMin;
}
