import { type Dialect, UnparsableShell } from './shell.ts';
import { parseArithmetic } from './shellArithmetic.ts';
import { CompoundReader } from './shellCompound.ts';
import { ShellCursor } from './shellCursor.ts';
import type { Reading } from './shellReading.ts';
import { SimpleReader } from './shellSimple.ts';
import { bareText, type CommandWord, type CommandWordPart, type ShellNode, type WordRedirection } from './shellTree.ts';
import { readArithmeticText, WordReader } from './shellWordReader.ts';

/** Enough for any command that a person would read before they allow it. */
const lengthMax = 128 * 1024;

const closers: ReadonlySet<string> = new Set(['then', 'elif', 'else', 'fi', 'do', 'done', 'esac', '}']);
const openers: ReadonlySet<string> = new Set([
  'if',
  'while',
  'until',
  'for',
  'case',
  'function',
  '{',
  '[[',
  '!',
  'time',
]);
const unread: ReadonlySet<string> = new Set(['select', 'coproc']);
const keyword =
  /(?:then|elif|else|fi|do|done|esac|\}|if|while|until|for|case|function|\{|\[\[|!|time|select|coproc)(?![^ \t\n;&|()<>])/y;

/**
 * Reads a shell text as bash 5 reads it: lists, pipelines, subshells, groups, conditions, loops, `case`, functions, `[[ ]]`,
 * arithmetic on plain numbers, redirections, here-documents, substitutions. Everything else is refused with
 * UnparsableShell, never guessed. Undefined for a text without a command.
 */
export function readShell(text: string, dialect: Dialect = 'bash', depth = 0): ShellNode | undefined {
  if (text.length > lengthMax) throw new UnparsableShell('it is longer than 128 KiB');
  // Bash drops some of these and marks its own text with others.
  if (/(?![\t\n\r])\p{Cc}/u.test(text)) throw new UnparsableShell('it holds a control character');
  if (/\p{Surrogate}/u.test(text)) throw new UnparsableShell('it is not valid Unicode');
  const reader = new ShellReader(new ShellCursor(text, depth), dialect);
  return reader.readAll();
}

/** Reads lists of commands and what joins them. */
class ShellReader implements Reading {
  readonly cursor: ShellCursor;
  readonly words: WordReader;
  readonly isBash: boolean;
  readonly #simple: SimpleReader;
  readonly #compound: CompoundReader;

  constructor(cursor: ShellCursor, dialect: Dialect) {
    this.cursor = cursor;
    this.isBash = dialect === 'bash';
    this.words = new WordReader(cursor, {
      readNested: () => this.#readSubstitution(),
      readText: (text, depth) => readShell(text, dialect, depth),
      isBash: this.isBash,
    });
    this.#simple = new SimpleReader(this);
    this.#compound = new CompoundReader(this);
  }

  readAll(): ShellNode | undefined {
    const list = this.readList(() => this.cursor.isAtEnd);
    this.#simple.assertDocumentsRead();
    if (!this.cursor.isAtEnd) throw new UnparsableShell('its parentheses do not match');
    return list;
  }

  /** Commands up to `)`, which is consumed; undefined if there are none. */
  #readBrackets(): ShellNode | undefined {
    return this.cursor.nested(() => {
      const list = this.readList(() => this.cursor.peek() === ')');
      if (!this.cursor.take(')')) throw new UnparsableShell('a parenthesis is not closed');
      return list;
    });
  }

  /** Here-documents that wait for the end of their line are not those of a substitution in that line. */
  #readSubstitution(): ShellNode | undefined {
    const documents = this.#simple.setAside();
    const list = this.#readBrackets();
    this.#simple.assertDocumentsRead();
    this.#simple.restore(documents);
    return list;
  }

  readDocument(text: string): readonly CommandWordPart[] {
    const cursor = new ShellCursor(text, this.cursor.depth);
    return cursor.nested(() => new ShellReader(cursor, this.isBash ? 'bash' : 'posix').words.readHereDocument());
  }

  readUntil(...ends: readonly string[]): { readonly list: ShellNode; readonly end: string } {
    const list = this.cursor.nested(() => this.readList(() => ends.includes(this.peekKeyword() ?? '')));
    const end = this.peekKeyword();
    if (list === undefined) throw new UnparsableShell('a command is missing');
    if (end === undefined || !ends.includes(end)) throw new UnparsableShell(`${ends[0]} is missing`);
    this.cursor.at += end.length;
    return { list, end };
  }

  readList(isEnd: () => boolean): ShellNode | undefined {
    const items: { node: ShellNode; isBackground: boolean }[] = [];
    this.skipLines();
    while (!isEnd() && !this.cursor.isAtEnd) {
      const node = this.#readChain();
      this.skipBlanks();
      const isBackground = this.cursor.peek() === '&';
      const isSeparated = /[;&\n]/.test(this.cursor.peek()) && !/^;[;&]/.test(this.cursor.peek() + this.cursor.peek(1));
      items.push({ node, isBackground });
      if (!isSeparated) break;
      if (this.cursor.peek() !== '\n') {
        this.cursor.at += 1;
        this.cursor.refuseContinuation();
      }
      this.skipLines();
    }
    const [first] = items;
    if (first === undefined) return undefined;
    return items.length === 1 && !first.isBackground ? first.node : { kind: 'list', items };
  }

  #readChain(): ShellNode {
    const first = this.#readPipeline();
    const rest: { operator: '&&' | '||'; node: ShellNode }[] = [];
    for (;;) {
      this.skipBlanks();
      const operator = this.#logicalOperator();
      if (operator === undefined) return rest.length === 0 ? first : { kind: 'chain', first, rest };
      this.skipLines();
      rest.push({ operator, node: this.#readPipeline() });
    }
  }

  #logicalOperator(): '&&' | '||' | undefined {
    if (this.cursor.startsWith('&\\\n') || this.cursor.startsWith('|\\\n')) {
      throw new UnparsableShell('a line is continued inside an operator');
    }
    if (this.cursor.take('&&')) return '&&';
    return this.cursor.take('||') ? '||' : undefined;
  }

  #readPipeline(): ShellNode {
    let isNegated = false;
    for (;;) {
      this.skipBlanks();
      const word = this.peekKeyword();
      if (word !== '!' && word !== 'time') break;
      this.cursor.at += word.length;
      if (word === '!') isNegated = !isNegated;
      this.skipBlanks();
      if (/[-\n;&|)]/.test(this.cursor.peek()) || this.cursor.isAtEnd)
        throw new UnparsableShell(`${word} is used in an unusual way`);
    }
    const nodes = [this.readCompound()];
    for (;;) {
      this.skipBlanks();
      if (this.cursor.peek() !== '|' || this.cursor.peek(1) === '|') break;
      this.cursor.at += 1;
      this.cursor.refuseContinuation();
      if (this.cursor.take('&')) this.requireBash('|&');
      this.skipLines();
      const next = this.peekKeyword();
      if (next === '!' || next === 'time') throw new UnparsableShell(`${next} is used in an unusual way`);
      nodes.push(this.readCompound());
    }
    const [first] = nodes;
    const node: ShellNode = first !== undefined && nodes.length === 1 ? first : { kind: 'pipeline', nodes };
    return isNegated ? { kind: 'not', node } : node;
  }

  readCompound(): ShellNode {
    this.skipBlanks();
    const { cursor } = this;
    const word = this.peekKeyword();
    if (word !== undefined && unread.has(word)) throw new UnparsableShell(`it uses ${word}`);
    if (word !== undefined && closers.has(word)) throw new UnparsableShell(`${word} is out of place`);
    if (word !== undefined && openers.has(word)) {
      cursor.at += word.length;
      return cursor.nested(() => this.#compound.read(word));
    }
    if (cursor.peek() !== '(') return this.#simple.read();
    cursor.at += 1;
    cursor.refuseContinuation();
    if (cursor.take('(')) {
      // For others it is a subshell in a subshell.
      this.requireBash('((');
      const arithmetic = parseArithmetic(readArithmeticText(cursor));
      return { kind: 'arithmetic', arithmetic, redirections: this.readRedirections() };
    }
    const body = this.#readBrackets();
    if (body === undefined) throw new UnparsableShell('a command is missing');
    return { kind: 'subshell', body, redirections: this.readRedirections() };
  }

  readRedirections(): readonly WordRedirection[] {
    return this.#simple.readRedirections();
  }

  peekKeyword(): string | undefined {
    const { at } = this.cursor;
    const found = this.cursor.match(keyword)?.[0];
    this.cursor.at = at;
    return found;
  }

  requireBash(what: string): void {
    if (!this.isBash) throw new UnparsableShell(`it uses ${what}, which not every shell reads alike`);
  }

  skipBlanks(): void {
    this.cursor.match(/(?:[ \t]|\\\n)*/y);
    if (this.cursor.peek() === '#') this.cursor.match(/[^\n]*/y);
  }

  skipLines(): void {
    for (;;) {
      this.skipBlanks();
      if (!this.cursor.take('\n')) return;
      this.#simple.readDocuments();
    }
  }

  readWord(): CommandWord {
    this.skipBlanks();
    const start = this.cursor.at;
    const word = this.words.readWord();
    if (word === undefined) throw new UnparsableShell('a word is missing');
    if (this.cursor.text.slice(start, this.cursor.at).includes('\n')) this.#simple.assertDocumentsRead();
    return word;
  }

  readName(): string {
    const name = bareText(this.readWord());
    if (name === undefined || !/^[A-Za-z_]\w*$/.test(name)) throw new UnparsableShell('a name is missing');
    return name;
  }
}
