import { UnparsableShell } from './shell.ts';
import { parseArithmetic } from './shellArithmetic.ts';
import type { ShellCursor } from './shellCursor.ts';
import type { CommandWord, CommandWordPart, ShellNode } from './shellTree.ts';

type Expansion = Extract<CommandWordPart, { kind: 'expansion' }>;

/** What the reader of words needs of the reader of commands. */
export interface NestedReader {
  /** Reads commands up to the closing bracket, and goes past it. */
  readonly readNested: (cursor: ShellCursor) => ShellNode | undefined;
  /** Reads a text of its own, as between backticks. */
  readonly readText: (text: string, depth: number) => ShellNode | undefined;
  /** Whether bash alone reads the text. */
  readonly isBash: boolean;
}

const plainText = /[^\s\\'"`$;&|()<>]+/y;
/** A blank for some programs, part of a word for bash. */
const otherBlank = /[^\S \t\n]/;

/** Reads words: quotes, escapes and expansions. What it does not read exactly as bash does it refuses. */
export class WordReader {
  readonly #cursor: ShellCursor;
  readonly #nested: NestedReader;

  constructor(cursor: ShellCursor, nested: NestedReader) {
    this.#cursor = cursor;
    this.#nested = nested;
  }

  /** Undefined if no word stands. */
  readWord(): CommandWord | undefined {
    const cursor = this.#cursor;
    const start = cursor.at;
    const parts: CommandWordPart[] = [];
    for (;;) {
      cursor.countPiece();
      const plain = cursor.match(plainText);
      if (plain !== null) {
        parts.push(text(plain[0], false));
        continue;
      }
      const character = cursor.peek();
      if (character === '\\') {
        if (!cursor.take('\\\n')) parts.push(this.#escaped());
        else if (/[<>(]/.test(cursor.peek())) cursor.refuse('a line is continued inside an operator');
      } else if (character === "'") {
        parts.push(text(this.#until("'"), true));
      } else if (character === '"') {
        cursor.at += 1;
        parts.push(...this.#expandedText('"'));
      } else if (character === '$' || character === '`') {
        parts.push(...this.#unquotedDollar());
      } else if ((character === '<' || character === '>') && cursor.peek(1) === '(') {
        parts.push(this.#processSubstitution());
      } else {
        if (otherBlank.test(character)) {
          throw new UnparsableShell('it holds a blank character that bash takes as part of a word');
        }
        return cursor.at === start || parts.length === 0 ? undefined : { parts };
      }
    }
  }

  /** The parts of a here-document, in which quotes are ordinary characters. */
  readHereDocument(): readonly CommandWordPart[] {
    return this.#expandedText('');
  }

  #escaped(): CommandWordPart {
    const character = this.#cursor.peek(1);
    if (character === '') throw new UnparsableShell('it ends in a backslash');
    this.#cursor.at += 2;
    return text(character, true);
  }

  #until(quote: string): string {
    const { text: all, at } = this.#cursor;
    const end = all.indexOf(quote, at + 1);
    if (end < 0) throw new UnparsableShell('a quote is not closed');
    this.#cursor.at = end + 1;
    return all.slice(at + 1, end);
  }

  /** Text with expansions up to `end`, or to the end of the text if `end` is empty. */
  #expandedText(end: '"' | ''): CommandWordPart[] {
    const cursor = this.#cursor;
    const parts: CommandWordPart[] = [text('', true)];
    for (;;) {
      cursor.countPiece();
      const plain = cursor.match(end === '"' ? /[^"\\$`]+/y : /[^\\$`]+/y);
      if (plain !== null) {
        parts.push(text(plain[0], true));
      } else if (cursor.isAtEnd) {
        if (end === '') return parts;
        throw new UnparsableShell('a quote is not closed');
      } else if (cursor.peek() === end) {
        cursor.at += 1;
        return parts;
      } else if (cursor.peek() === '\\') {
        const escaped = cursor.peek(1);
        cursor.at += escaped === '' ? 1 : 2;
        const isSpecial = escaped !== '' && `$\`\\${end}`.includes(escaped);
        if (escaped !== '\n') parts.push(text(isSpecial ? escaped : `\\${escaped}`, true));
      } else {
        parts.push(...this.#dollar(true, end === '"'));
      }
    }
  }

  #unquotedDollar(): readonly CommandWordPart[] {
    const cursor = this.#cursor;
    if (cursor.startsWith('$"')) throw new UnparsableShell('it holds a quotation that bash translates');
    if (!cursor.startsWith("$'")) return this.#dollar(false, false);
    if (!this.#nested.isBash) throw new UnparsableShell("it holds $'…', which not every shell reads alike");
    cursor.at += 2;
    return [text(this.#ansiText(), true)];
  }

  /** What stands in `$'…'`: the escapes that give one printable character, a tab or a line end. */
  #ansiText(): string {
    const cursor = this.#cursor;
    let value = '';
    for (;;) {
      const plain = cursor.match(/[^'\\]+/y);
      if (plain !== null) {
        value += plain[0];
        continue;
      }
      if (cursor.take("'")) return value;
      const escaped = cursor.match(/\\(?:([nrtabefvE\\'"?])|x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{4})|([0-7]{1,3}))/y);
      if (escaped === null)
        throw new UnparsableShell('an escape in a quotation is unusual, or the quotation is not closed');
      value += ansiCharacter(escaped);
    }
  }

  #processSubstitution(): CommandWordPart {
    if (!this.#nested.isBash) throw new UnparsableShell('it holds a process substitution, which not every shell reads');
    this.#cursor.at += 2;
    const body = this.#nested.readNested(this.#cursor);
    return expansion({ isQuoted: true, runs: body === undefined ? [] : [body] });
  }

  /** What `$` or a backtick starts. */
  #dollar(isQuoted: boolean, inQuotes: boolean): readonly CommandWordPart[] {
    const cursor = this.#cursor;
    if (cursor.peek() === '`') return [this.#backticks(isQuoted, inQuotes)];
    cursor.at += 1;
    cursor.refuseContinuation();
    const next = cursor.peek();
    if (next === '(') return [cursor.peek(1) === '(' ? this.#arithmetic(isQuoted) : this.#substitution(isQuoted)];
    if (next === '[') throw new UnparsableShell('it holds arithmetic in the old form');
    if (next === '{') return [this.#braces(isQuoted)];
    const name = cursor.match(/[A-Za-z_]\w*|[0-9@*#?$!-]/y)?.[0];
    if (name === undefined) return [text('$', isQuoted)];
    cursor.refuseContinuation();
    return [variable(name, isQuoted)];
  }

  #substitution(isQuoted: boolean): Expansion {
    this.#cursor.at += 1;
    this.#cursor.refuseContinuation();
    const body = this.#nested.readNested(this.#cursor);
    return expansion({ isQuoted, runs: body === undefined ? [] : [body] });
  }

  /** `$((…))`. What could also be a subshell in a substitution does not pass as arithmetic. */
  #arithmetic(isQuoted: boolean): Expansion {
    this.#cursor.at += 2;
    return expansion({ isQuoted, gives: 'number', arithmetic: parseArithmetic(readArithmeticText(this.#cursor)) });
  }

  /** Inside of backticks a backslash first quotes for them, and then again for what they run. */
  #backticks(isQuoted: boolean, inQuotes: boolean): Expansion {
    const cursor = this.#cursor;
    cursor.at += 1;
    let inner = '';
    for (;;) {
      const plain = cursor.match(/[^`\\]+/y);
      if (plain !== null) {
        inner += plain[0];
      } else if (cursor.take('`')) {
        break;
      } else if (cursor.isAtEnd) {
        throw new UnparsableShell('a backtick is not closed');
      } else {
        const escaped = cursor.peek(1);
        cursor.at += 2;
        if (escaped === '\n') throw new UnparsableShell('a line is continued between backticks');
        inner += (inQuotes ? '`\\$"' : '`\\$').includes(escaped) ? escaped : `\\${escaped}`;
      }
    }
    const body = this.#nested.readText(inner, cursor.depth + 1);
    return expansion({ isQuoted, runs: body === undefined ? [] : [body] });
  }

  /** `${…}`: a value, its length, a default, or a part of it cut off by a plain pattern. */
  #braces(isQuoted: boolean): Expansion {
    const cursor = this.#cursor;
    cursor.at += 1;
    const length = cursor.match(/#(?:[A-Za-z_]\w*(?:\[[@*]\])?|[@*])\}/y);
    if (length !== null) return expansion({ isQuoted, gives: 'number' });
    const head = cursor.match(/([A-Za-z_]\w*|[0-9]+|[@*#?$!-])(\[(?:[@*]|[0-9]+)\])?/y);
    const [, name = '', subscript] = head ?? [];
    if (name === '' || name === '!') throw unusual();
    const isList = name === '@' || subscript === '[@]';
    if (cursor.take('}')) {
      if (subscript === undefined) return variable(name, isQuoted);
      return expansion({ isQuoted, isList, reads: [name] });
    }
    const operator = cursor.match(/:?[-+?=]|:(?= ?-?[0-9])|##?|%%?|\/[/#%]?|\^\^?|,,?/y)?.[0];
    if (operator === undefined || (operator.endsWith('=') && !/^[A-Za-z_]/.test(name + (subscript ?? ''))))
      throw unusual();
    if (operator === ':') {
      const part = cursor.match(/ ?-?(?:0|[1-9][0-9]*)(?::(-)?(?:0|[1-9][0-9]*))?\}/y);
      if (part === null) throw unusual();
      // A length that is counted from the end fails if the value is too short.
      const arithmetic = part[1] === undefined ? undefined : { reads: [], sets: [], mayFail: true };
      return expansion({ isQuoted, isList, reads: [name], arithmetic });
    }
    if (operator.endsWith('=') && subscript !== undefined) throw unusual();
    const inner = cursor.nested(() => this.#bracesWord());
    const expansions = inner.filter((part): part is Expansion => part.kind === 'expansion');
    return expansion({
      isQuoted,
      isList: isList || expansions.some((part) => part.isList),
      reads: [name, ...expansions.flatMap(({ reads }) => reads)],
      runs: expansions.flatMap(({ runs }) => runs),
      sets: operator.endsWith('=') ? name : undefined,
      arithmetic: merged(expansions),
    });
  }

  /** The word after an operator in `${…}`: plain characters and expansions; what a quote would be there is not worked out. */
  #bracesWord(): readonly CommandWordPart[] {
    const cursor = this.#cursor;
    const parts: CommandWordPart[] = [];
    for (;;) {
      if (cursor.match(/[^\\'"`${}()<>\n]+/y) !== null) continue;
      if (cursor.take('}')) return parts;
      if (cursor.peek() !== '$' || /['"]/.test(cursor.peek(1))) throw unusual();
      parts.push(...this.#dollar(true, false));
    }
  }
}

/** Reads up to `))`, and goes past it. */
export function readArithmeticText(cursor: ShellCursor): string {
  const start = cursor.at;
  let open = 0;
  for (;;) {
    cursor.match(/[^()'"`\\]+/y);
    if (cursor.take('(')) {
      open += 1;
    } else if (cursor.peek() === ')' && open > 0) {
      cursor.at += 1;
      open -= 1;
    } else if (cursor.take('))')) {
      return cursor.text.slice(start, cursor.at - 2);
    } else {
      throw new UnparsableShell('its arithmetic holds more than numbers and names');
    }
  }
}

function ansiCharacter([, letter, hex, unicode, octal]: RegExpExecArray): string {
  if (letter !== undefined) {
    const controls: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', e: '\x1b', E: '\x1b' };
    if (/[abfv]/.test(letter)) throw new UnparsableShell('it holds a control character');
    return controls[letter] ?? letter;
  }
  const code = Number.parseInt(hex ?? unicode ?? octal ?? '', octal === undefined ? 16 : 8);
  if ((code < 0x20 && ![0x09, 0x0a, 0x1b].includes(code)) || code > 0x7e)
    throw new UnparsableShell('an escape gives a character that is not plain ASCII');
  return String.fromCharCode(code);
}

function text(value: string, isQuoted: boolean): CommandWordPart {
  return { kind: 'text', text: value, isQuoted };
}

function variable(name: string, isQuoted: boolean): Expansion {
  if (/^[#?$!]$/.test(name)) return expansion({ isQuoted, gives: name === '!' ? 'unknown' : 'number' });
  return expansion({ isQuoted, gives: { variable: name }, isList: name === '@', reads: [name] });
}

function expansion(part: Pick<Expansion, 'isQuoted'> & Partial<Expansion>): Expansion {
  return {
    kind: 'expansion',
    gives: 'unknown',
    isList: false,
    reads: [],
    sets: undefined,
    arithmetic: undefined,
    runs: [],
    ...part,
  };
}

function merged(parts: readonly Expansion[]): Expansion['arithmetic'] {
  const all = parts.flatMap(({ arithmetic }) => arithmetic ?? []);
  if (all.length === 0) return undefined;
  return { reads: all.flatMap(({ reads }) => reads), sets: all.flatMap(({ sets }) => sets), mayFail: true };
}

function unusual(): UnparsableShell {
  return new UnparsableShell('it holds an expansion of an unusual form');
}
