import {
  type AssignedValue,
  type AssignmentPlace,
  hasValueBehindBlank,
  isDeclared,
  isPlainText,
  isSpaceOrTab,
  type Name,
  passwordPlaceAt,
  type Separator,
} from './assignmentPlaces.ts';
import { isCommon, isPassword, isVariable, passwordCharsMin } from './passwords.ts';
import { changes, entropyBits, isMadeUp } from './placeholders.ts';
import { kindOfName, type NameKind } from './secretNames.ts';
import type { FoundToken } from './tokenScanner.ts';

/**
 * Characters of the name, and of the value, of an assignment, and spaces between them. Longer ones are not read as one.
 */
const nameCharsMax = 64;
const valueCharsMax = 400;
const blanksMax = 8;
/** How many different names are remembered; a text with more is slower and no less safe. */
const namesKnownMax = 10_000;

/**
 * Values that stand behind a name which says that they are secret: `PASSWORD=…`, `api_key: "…"`, `'token' => '…'`,
 * `--token …`, `<password>…</password>`, `Authorization: Bearer …`. Of each place a bounded piece is looked at.
 */
export function* findAssignments(text: string): Generator<FoundToken> {
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
    const place = { name, at, separator };
    const value = valueAfter(text, place);
    if (value === undefined || !isSecret(text, place, value, kind)) continue;
    const service = isOfPassword(kind) ? 'password, by its name' : 'key or token, by its name';
    yield { index: value.index, value: value.text, service };
    done = value.index + value.text.length;
    at = Math.max(at, done - 1);
  }
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
  while (end > 0 && at - end < blanksMax && isSpaceOrTab(text[end - 1]) && separator !== ' ') end -= 1;
  // `char password[] = "…"`
  if (separator === '=' && text.startsWith('[]', end - 2)) end -= 2;
  const quote = /["'`\]]/.test(text[end - 1] ?? '') ? (text[end - 1] ?? '') : '';
  if (quote === ']') end -= /["'`]/.test(text[end - 2] ?? '') ? 2 : 1;
  else if (quote !== '') end -= text[end - 2] === '\\' ? 2 : 1;
  let start = end;
  while (start > 0 && end - start <= nameCharsMax && isNameCharacter(text.charCodeAt(start - 1))) start -= 1;
  if (end === start || end - start > nameCharsMax) return undefined;
  if (separator === ' ' && (quote !== '' || !hasValueBehindBlank(text, start))) return undefined;
  if (separator === '>' && text[start - 1] !== '<' && text[at - 1] !== '=') return undefined;
  // `define('DB_PASSWORD', '…')`
  if (separator === ',' && (quote === '' || text[start - 1] !== quote || text[start - 2] !== '(')) return undefined;
  return { start, end, quote };
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

const characterData = '<![CDATA[';

/** Words before the token of a header. */
const schemes = /^(?:bearer|basic|token|apikey|bot|splunk|geniekey|key)[ \t]+/i;

function valueAfter(text: string, place: AssignmentPlace): AssignedValue | undefined {
  let index = place.at + 1;
  while (index - place.at < 3 && (text[index] === '=' || text[index] === '>')) index += 1;
  const blanksFrom = index;
  while (index - blanksFrom < blanksMax && isSpaceOrTab(text[index])) index += 1;
  const isAdjacent = index === blanksFrom && !isSpaceOrTab(text[place.at - 1]);
  if (place.separator === '>' && text.startsWith(characterData, index)) index += characterData.length;
  if (!isQuote(text[index])) index = quoteBehindCode(text, index, place);
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
  if (place.separator === ',' || isDeclared(text, place)) return undefined;
  const scheme = schemeAt(text, index);
  index += scheme.length;
  let end = endOfBare(text, index);
  if (end - index < passwordCharsMin) return undefined;
  // The full stop of a sentence.
  while (text[end - 1] === '.') end -= 1;
  const isPlain = scheme !== '' || isPlainText(text, place, { start: index, end }, isAdjacent);
  return { index, text: text.slice(index, end), form: isPlain ? 'plain' : 'bare', scheme };
}

/** A type, before the value of what is declared: `: &'static str = `, `: Optional[str] = `, ` string = `. */
const typeBefore = /^(?:&'[a-z]{1,10} )?[\w&<>[\]|?.* ]{1,60}=[ \t]{0,8}(?=[rbf]?["'`])/;
/** What makes the type of a value of a text. */
const conversion =
  /^(?:std::)?(?:String::from|(?:Secret|SecretString|SecretBox)::(?:new|from)|SecretStr|Secret|Some|bytes|Buffer\.from|new String)\((?=["'`])/;

/** Where a text in quotes begins behind what the place of a value can have before it; `from` if there is none. */
function quoteBehindCode(text: string, from: number, { separator }: AssignmentPlace): number {
  const piece = text.slice(from, from + codeCharsMax);
  const type = separator === ':' || separator === ' ' ? typeBefore.exec(piece) : null;
  return from + ((type ?? conversion.exec(piece))?.[0].length ?? 0);
}

/** Characters of a value that are read to see whether it is code. */
const codeCharsMax = 90;

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

function isOfPassword(kind: NameKind): boolean {
  return kind === 'password' || kind === 'pass' || kind === 'variable';
}

function isSecret(all: string, place: AssignmentPlace, value: AssignedValue, kind: NameKind): boolean {
  const { text, form, scheme } = value;
  if (text.length < passwordCharsMin) return false;
  if (isVariable(text) || /\s/.test(text) || (form !== 'quoted' && /[()]/.test(text))) return false;
  if (text.startsWith('/') || text.startsWith('./') || text.startsWith('~/') || text.includes('://')) return false;
  if (isUuid(text)) return kind === 'uuid' && !isMadeUp(text.replaceAll('-', ''));
  if (/^basic/i.test(scheme) && isBasic(text)) return true;
  if (!isOfPassword(kind)) return isToken(text, form, kind === 'key' ? 24 : 16);
  const passwordPlace = passwordPlaceAt(all, place, value, kind);
  return passwordPlace === undefined ? isRandom(text) : isPassword(text, passwordPlace);
}

/** What no person would name a variable: where a value may be one, only this is a password. */
function isRandom(text: string): boolean {
  return /^\w{10,40}$/.test(text) && isToken(text, 'bare', 10) && changes(text) >= 0.4 * text.length;
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

/** Bits per character from which on a text counts as random; a word of a language has fewer. */
const entropyBitsMin = 3;

/** Whether a text is long and random enough for what a machine made, by how it is written down. */
export function isToken(text: string, form: AssignedValue['form'], charsMin: number): boolean {
  const characters = form === 'quoted' ? /^[\x21-\x7e]+$/ : form === 'plain' ? /^[\w+/=.~:%-]+$/ : /^[\w+/=-]+$/;
  if (text.length < charsMin || !characters.test(text)) return false;
  if (isMadeUp(text) || !/\d/.test(text) || !/[a-z]/i.test(text)) return false;
  return changes(text.replace(/[-_./:]/g, '')) >= 0.2 * text.length && entropyBits(text) >= entropyBitsMin;
}
