import { withoutEnd } from '../base/text.ts';
import { isTooLarge } from '../base/yamlBounds.ts';
import { isJsonObject, type Json } from '../model/json.ts';

/** A value by itself, so that a text that says `null` differs from one that was refused. */
export interface PlainYaml {
  readonly value: Json;
}

/**
 * The value of a YAML text that is written the way state files are: block mappings and lists, scalars on one line,
 * literal blocks, comments, flow lists of plain words and quoted texts. Undefined for anything else, and for every text with an
 * error: then the full parser decides. What is accepted here has, there, this value and no diagnostics; random texts hold
 * both to it (`test/yaml/plainYaml.test.ts`). It is some forty times as fast.
 */
export function parsePlainYaml(given: string): PlainYaml | undefined {
  const read = readPlain(given);
  return read.line === undefined ? { value: read.value } : undefined;
}

/** The line, from 0, for which `parsePlainYaml` refuses a text; undefined if it does not. */
export function firstLineNotPlain(text: string): number | undefined {
  return readPlain(text).line;
}

function readPlain(given: string): { readonly value: Json; readonly line?: number } {
  if (isTooLarge(given)) return { value: null, line: 0 };
  let text = given.startsWith('\ufeff') ? given.slice(1) : given;
  if (text.includes('\r')) text = text.replaceAll('\r\n', '\n');
  const odd = text.startsWith('\ufeff') ? 0 : text.indexOf('\r');
  if (odd >= 0) return { value: null, line: lineAt(text, odd) };
  const reader = new PlainReader(text);
  const value = reader.read();
  return reader.refusedAt === undefined ? { value } : { value: null, line: lineAt(text, reader.refusedAt) };
}

function lineAt(text: string, at: number): number {
  let line = 0;
  for (let end = text.indexOf('\n'); end >= 0 && end < at; end = text.indexOf('\n', end + 1)) line += 1;
  return line;
}

/** State files are a few levels deep; what is deeper is for the full parser. */
const depthMax = 24;
/** The full parser refuses a key of more than 1,024 characters; ours have a few words. */
const keyLengthMax = 128;

// Codes of characters.
const space = 0x20;
const quote = 0x22;
const hash = 0x23;
const apostrophe = 0x27;
const comma = 0x2c;
const dash = 0x2d;
const colon = 0x3a;
const upperA = 0x41;
const upperZ = 0x5a;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const backslash = 0x5c;
const underscore = 0x5f;
const lowerA = 0x61;
const lowerZ = 0x7a;
const openBrace = 0x7b;
const bar = 0x7c;
const closeBrace = 0x7d;

/** Keys that YAML does not read as strings, or that mean something to JavaScript. */
const refusedKeys: ReadonlySet<string> = new Set(
  'null Null NULL true True TRUE false False FALSE __proto__'.split(' '),
);
const nullWord = /^(?:~|[Nn]ull|NULL)$/;
const trueWord = /^(?:[Tt]rue|TRUE)$/;
const falseWord = /^(?:[Ff]alse|FALSE)$/;
const decimal = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;
const otherNumber = /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)|[-+]?0[ox].*)$/;
const mayBeSpecial = /^[-+.~\dnNtTfF]/;
const flowWord = /^[A-Za-z\d_][\w ./+-]*$/;
const blockHeader = /^\|[-+]?$/;

/**
 * Reads line by line. Between two calls it stands on the line of the next entry: `#indent` is its column, or -1 at the
 * end of the text, which is also where a refusal leads, so that every loop ends.
 */
class PlainReader {
  /** Where the line starts, or goes on, that is not plain. */
  refusedAt: number | undefined;
  readonly #text: string;
  readonly #hasTabs: boolean;
  /** Where the line after the current one starts. */
  #next = 0;
  #indent = -1;
  /** The first character of the current entry, and the end of its line. */
  #start = 0;
  #end = 0;
  readonly #plainStart = /[\p{L}\d_$(/\\.+~<=;^]|-[A-Za-z\d]/uy;

  constructor(text: string) {
    this.#text = text;
    this.#hasTabs = text.includes('\t');
  }

  read(): Json {
    this.#nextLine();
    if (this.#indent < 0) return null;
    if (this.#indent > 0) return this.#refuse();
    const value = this.#readBlock(0);
    return this.#indent < 0 ? value : this.#refuse();
  }

  #refuse(): null {
    this.refusedAt ??= this.#start;
    this.#indent = -1;
    return null;
  }

  /** Goes on to the next line that holds more than a comment. */
  #nextLine(): void {
    const text = this.#text;
    while (this.#next < text.length) {
      const lineStart = this.#next;
      const end = this.#lineEnd(lineStart);
      this.#next = end + 1;
      const start = this.#skipSpaces(lineStart, end);
      if (start === end) continue;
      if (this.#hasTabs && text.slice(lineStart, end).includes('\t')) {
        this.#start = start;
        this.#refuse();
        this.#next = text.length;
        return;
      }
      if (text.charCodeAt(start) === hash) continue;
      this.#indent = start - lineStart;
      this.#start = start;
      this.#end = end;
      return;
    }
    this.#indent = -1;
  }

  #lineEnd(from: number): number {
    const end = this.#text.indexOf('\n', from);
    return end < 0 ? this.#text.length : end;
  }

  #skipSpaces(from: number, end: number): number {
    let at = from;
    while (at < end && this.#text.charCodeAt(at) === space) at += 1;
    return at;
  }

  #readBlock(depth: number): Json {
    if (depth > depthMax) return this.#refuse();
    return this.#isItem() ? this.#readList(this.#indent, depth) : this.#readMap(this.#indent, depth);
  }

  #isItem(): boolean {
    return this.#text.charCodeAt(this.#start) === dash && this.#text.charCodeAt(this.#start + 1) === space;
  }

  #readMap(indent: number, depth: number): Json {
    const map: Record<string, Json> = {};
    while (this.#indent === indent) {
      const keyEnd = this.#keyEnd(this.#start);
      if (keyEnd < 0) return this.#refuse();
      const key = this.#text.slice(this.#start, keyEnd);
      if (Object.hasOwn(map, key) || refusedKeys.has(key)) return this.#refuse();
      map[key] = this.#readMapValue(keyEnd + 1, indent, depth);
    }
    return this.#indent > indent ? this.#refuse() : map;
  }

  /** Where the colon of a key at `at` stands; -1 if there is no plain key. */
  #keyEnd(at: number): number {
    const text = this.#text;
    let end = at;
    while (isKeyCharacter(text.charCodeAt(end))) end += 1;
    if (text.charCodeAt(end) !== colon || end - at > keyLengthMax || !isKeyStart(text.charCodeAt(at))) return -1;
    return end + 1 === this.#end || text.charCodeAt(end + 1) === space ? end : -1;
  }

  #readMapValue(from: number, indent: number, depth: number): Json {
    const at = this.#skipSpaces(from, this.#end);
    if (at < this.#end && this.#text.charCodeAt(at) !== hash) return this.#readScalar(at, indent);
    this.#nextLine();
    if (this.#indent > indent) return this.#readBlock(depth + 1);
    return this.#indent === indent && this.#isItem() ? this.#readList(indent, depth + 1) : null;
  }

  #readList(indent: number, depth: number): Json {
    const list: Json[] = [];
    while (this.#indent === indent && this.#isItem()) {
      const at = this.#skipSpaces(this.#start + 1, this.#end);
      if (at === this.#end || this.#text.charCodeAt(at) === hash) return this.#refuse();
      if (this.#keyEnd(at) < 0) {
        list.push(this.#readScalar(at, indent));
        continue;
      }
      this.#indent = indent + at - this.#start;
      this.#start = at;
      list.push(depth >= depthMax ? this.#refuse() : this.#readMap(this.#indent, depth + 1));
    }
    return this.#indent > indent ? this.#refuse() : list;
  }

  /** The scalar at `at`, which ends with its line unless it is a block; `indent` is the column of what holds it. */
  #readScalar(at: number, indent: number): Json {
    const first = this.#text.charCodeAt(at);
    if (first === bar) return this.#readLiteral(at, indent);
    const value = this.#readInline(first, at);
    if (this.refusedAt !== undefined) return null;
    this.#nextLine();
    return this.#indent > indent ? this.#refuse() : value;
  }

  #readInline(first: number, at: number): Json {
    if (first === quote) return this.#readDoubleQuoted(at);
    if (first === apostrophe) return this.#readSingleQuoted(at);
    if (first === openBracket) return this.#readFlowList(at);
    if (first === openBrace) {
      return this.#text.charCodeAt(at + 1) === closeBrace && this.#isTail(at + 2) ? {} : this.#refuse();
    }
    this.#plainStart.lastIndex = at;
    if (!this.#plainStart.test(this.#text)) return this.#refuse();
    const line = this.#text.slice(at, this.#end);
    const comment = line.indexOf(' #');
    const word = withoutEnd(comment < 0 ? line : line.slice(0, comment), ' ');
    if (word.includes(': ') || word.charCodeAt(word.length - 1) === colon) return this.#refuse();
    return this.#resolve(word);
  }

  /** What a plain scalar means in the core schema; numbers that are rarely written are left to the full parser. */
  #resolve(word: string): Json {
    if (!mayBeSpecial.test(word)) return word;
    if (decimal.test(word)) return Number(word);
    if (nullWord.test(word)) return null;
    if (trueWord.test(word)) return true;
    if (falseWord.test(word)) return false;
    return otherNumber.test(word) ? this.#refuse() : word;
  }

  #readDoubleQuoted(at: number): Json {
    const end = this.#doubleQuoteEnd(at);
    return end < 0 || !this.#isTail(end) ? this.#refuse() : this.#unquoted(at, end);
  }

  #readSingleQuoted(at: number): Json {
    const end = this.#singleQuoteEnd(at);
    return end < 0 || !this.#isTail(end) ? this.#refuse() : this.#unquoted(at, end);
  }

  /** Behind the closing quote on this line; -1 for a text that needs the full parser. */
  #doubleQuoteEnd(at: number): number {
    for (let end = at + 1; end < this.#end; end++) {
      const character = this.#text.charCodeAt(end);
      if (character < space) return -1;
      if (character === quote) return end + 1;
      if (character !== backslash) continue;
      end += 1;
      if (!'"\\/bfnrt'.includes(this.#text.charAt(end))) return -1;
    }
    return -1;
  }

  #singleQuoteEnd(at: number): number {
    for (let end = at + 1; end < this.#end; end++) {
      if (this.#text.charCodeAt(end) !== apostrophe) continue;
      if (this.#text.charCodeAt(end + 1) !== apostrophe) return end + 1;
      end += 1;
    }
    return -1;
  }

  /** The text of a scalar from its opening quote to behind its closing one. */
  #unquoted(at: number, end: number): string {
    const inside = this.#text.slice(at + 1, end - 1);
    if (this.#text.charCodeAt(at) === apostrophe) return inside.replaceAll("''", "'");
    // These escapes are JSON's as well.
    return inside.includes('\\') ? String(JSON.parse(this.#text.slice(at, end))) : inside;
  }

  #readFlowList(at: number): Json {
    const list: Json[] = [];
    let from = this.#skipSpaces(at + 1, this.#end);
    if (this.#text.charCodeAt(from) === closeBracket) return this.#isTail(from + 1) ? list : this.#refuse();
    while (from < this.#end) {
      const end = this.#flowItemEnd(from);
      if (end < 0) return this.#refuse();
      list.push(this.#flowItem(from, end));
      const next = this.#skipSpaces(end, this.#end);
      const character = this.#text.charCodeAt(next);
      if (character === closeBracket) return this.#isTail(next + 1) ? list : this.#refuse();
      if (character !== comma) return this.#refuse();
      from = this.#skipSpaces(next + 1, this.#end);
    }
    return this.#refuse();
  }

  /** Behind an item of a flow list: a quoted text, or words up to the next comma or bracket; -1 if it is neither. */
  #flowItemEnd(from: number): number {
    const first = this.#text.charCodeAt(from);
    if (first === quote) return this.#doubleQuoteEnd(from);
    if (first === apostrophe) return this.#singleQuoteEnd(from);
    let end = from;
    while (end < this.#end && this.#text.charCodeAt(end) !== comma && this.#text.charCodeAt(end) !== closeBracket)
      end += 1;
    return end === this.#end ? -1 : end;
  }

  #flowItem(from: number, end: number): Json {
    const first = this.#text.charCodeAt(from);
    if (first === quote || first === apostrophe) return this.#unquoted(from, end);
    const word = withoutEnd(this.#text.slice(from, end), ' ');
    return flowWord.test(word) ? this.#resolve(word) : this.#refuse();
  }

  /** Whether nothing but space and a comment follows. */
  #isTail(from: number): boolean {
    const at = this.#skipSpaces(from, this.#end);
    return at >= this.#end || (at > from && this.#text.charCodeAt(at) === hash);
  }

  #readLiteral(at: number, indent: number): Json {
    const header = this.#text.slice(at, this.#end);
    if (!blockHeader.test(header)) return this.#refuse();
    const lines = this.#literalLines(indent);
    if (lines === undefined) return this.#refuse();
    let count = lines.length;
    while (lines[count - 1] === '') count -= 1;
    if (count === 0) return this.#refuse();
    const chomp = header.charAt(1);
    const kept = lines.slice(0, count).join('\n');
    if (chomp === '+' && !this.#text.endsWith('\n')) return this.#refuse();
    this.#nextLine();
    if (chomp === '-') return kept;
    return kept + '\n'.repeat(chomp === '+' ? 1 + lines.length - count : 1);
  }

  /** The lines of a literal block without their common indentation; undefined if a line could mean two things. */
  #literalLines(indent: number): string[] | undefined {
    const text = this.#text;
    const lines: string[] = [];
    let common = -1;
    while (this.#next < text.length) {
      const end = this.#lineEnd(this.#next);
      const start = this.#skipSpaces(this.#next, end);
      const column = start - this.#next;
      if (start === end) {
        if (column > Math.max(0, common)) return undefined;
        lines.push('');
      } else if (common < 0 ? column > indent : column >= common) {
        if (common < 0) {
          if (text.charAt(start) === '\t') return undefined;
          common = column;
        }
        lines.push(text.slice(this.#next + common, end));
      } else {
        return column > indent ? undefined : lines;
      }
      this.#next = end + 1;
    }
    return lines;
  }
}

/** Letters, digits and `_ . / -`, by their codes: a pattern would take longer than all else about a key. */
function isKeyCharacter(code: number): boolean {
  return isKeyStart(code) || (code >= dash && code < colon);
}

function isKeyStart(code: number): boolean {
  return (code >= lowerA && code <= lowerZ) || (code >= upperA && code <= upperZ) || code === underscore;
}

/** Whether two records of one list share an id, anywhere in `value`; `lists` are the names of such lists. */
export function hasDuplicateIds(value: Json, lists: ReadonlySet<string>): boolean {
  if (Array.isArray(value)) return value.some((item) => hasDuplicateIds(item, lists));
  if (!isJsonObject(value)) return false;
  return Object.entries(value).some(
    ([name, inner]) => (lists.has(name) && Array.isArray(inner) && sharesIds(inner)) || hasDuplicateIds(inner, lists),
  );
}

function sharesIds(records: readonly Json[]): boolean {
  const seen = new Set<Json>();
  return records.some((record) => {
    if (!isJsonObject(record) || !Object.hasOwn(record, 'id')) return false;
    const id = record['id'] ?? null;
    if (typeof id === 'object' && id !== null) return false;
    if (seen.has(id)) return true;
    seen.add(id);
    return false;
  });
}
