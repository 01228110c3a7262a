import { UnparsableShell } from './shell.ts';
import type { Reading } from './shellReading.ts';
import type { CommandWordPart, WordAssignment, WordRedirection } from './shellTree.ts';
import { bareText, type CommandNode, type CommandWord, type FunctionNode, wordText } from './shellTree.ts';

interface HereDocument {
  readonly delimiter: string;
  readonly isQuoted: boolean;
  /** `<<-`: leading tabs go. */
  readonly isDashed: boolean;
  /** Filled when the line ends. */
  readonly parts: CommandWordPart[];
}

const keywords = /^(?:then|elif|else|fi|do|done|esac|[{}!]|if|while|until|for|case|function|\[\[|time|select|coproc)$/;
const redirection = /(\d{0,9})(&>>|&>|<<<|<<-|<<|<>|<&|<|>>|>\||>&|>)/y;

/** Reads simple commands and functions: assignments, words, redirections and here-documents. */
export class SimpleReader {
  readonly #reading: Reading;
  #documents: HereDocument[] = [];
  /** How many substitutions stand around. */
  #substitutions = 0;

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  /** Takes out the here-documents whose lines are still to come. */
  setAside(): HereDocument[] {
    this.#substitutions += 1;
    return this.#documents.splice(0);
  }

  restore(documents: readonly HereDocument[]): void {
    this.#substitutions -= 1;
    this.#documents = [...documents];
  }

  assertDocumentsRead(): void {
    if (this.#documents.length > 0) throw new UnparsableShell('a here-document does not start where it should');
  }

  read(): CommandNode | FunctionNode {
    const { cursor } = this.#reading;
    const assignments: WordAssignment[] = [];
    const words: CommandWord[] = [];
    const redirections: WordRedirection[] = [];
    for (;;) {
      this.#reading.skipBlanks();
      const next = cursor.peek();
      if (next === '' || /[\n;|)]/.test(next) || (next === '&' && cursor.peek(1) !== '>')) break;
      const found = this.#redirection() ?? (words.length === 0 ? this.#assignment() : undefined);
      if (found !== undefined && 'target' in found) {
        redirections.push(found);
      } else if (found !== undefined) {
        assignments.push(found);
      } else {
        if (next === '(') return this.#function(words, assignments.length + redirections.length);
        words.push(this.#word(words.length === 0));
      }
    }
    if (words.length + assignments.length + redirections.length === 0)
      throw new UnparsableShell('a command is missing');
    return { kind: 'command', assignments, words, redirections };
  }

  readRedirections(): readonly WordRedirection[] {
    const redirections: WordRedirection[] = [];
    for (;;) {
      this.#reading.skipBlanks();
      const found = this.#redirection();
      if (found === undefined) return redirections;
      redirections.push(found);
    }
  }

  /** The bodies of here-documents, which start at the next line. */
  readDocuments(): void {
    const isLast = this.#substitutions > 0 && this.#documents.length > 0;
    for (const document of this.#documents.splice(0)) {
      const lines: string[] = [];
      for (;;) {
        if (this.#reading.cursor.isAtEnd) throw new UnparsableShell('a here-document has no end');
        const line = this.#line(document.isQuoted);
        const text = document.isDashed ? line.replace(/^\t+/, '') : line;
        if (text === document.delimiter) break;
        lines.push(`${text}\n`);
      }
      if (!document.isQuoted) document.parts.push(...this.#reading.readDocument(lines.join('')));
    }
    // Bash 5.2 writes a substitution again before it runs it, and loses what separates commands after a here-document.
    if (isLast && this.#reading.cursor.match(/[ \t\n]*(?=\))/y) === null)
      throw new UnparsableShell('commands follow a here-document in a substitution');
  }

  /** One line; unless the delimiter is quoted, a backslash continues it. */
  #line(isQuoted: boolean): string {
    const { cursor } = this.#reading;
    let line = '';
    for (;;) {
      line += cursor.match(isQuoted ? /[^\n]+/y : /[^\\\n]+/y)?.[0] ?? '';
      if (cursor.take('\n') || cursor.isAtEnd) return line;
      if (cursor.take('\\\n')) continue;
      line += cursor.peek() + cursor.peek(1);
      cursor.at += 2;
      if (line.endsWith('\n')) return line.slice(0, -1);
    }
  }

  #redirection(): WordRedirection | undefined {
    const { cursor } = this.#reading;
    const start = cursor.at;
    const found = cursor.match(redirection);
    if (found === null) return undefined;
    const [, number = '', operator = ''] = found;
    const isSubstitution = (operator === '<' || operator === '>') && cursor.peek() === '(';
    if (number !== '' && (isSubstitution || operator.startsWith('&')))
      throw new UnparsableShell('a number stands before an operator that takes none');
    if (isSubstitution) {
      cursor.at = start;
      return undefined;
    }
    cursor.refuseContinuation();
    if (operator.startsWith('&') || operator === '<<<') this.#reading.requireBash(operator);
    if (operator === '<<' || operator === '<<-') return this.#hereDocument(operator === '<<-');
    const target = this.#reading.readWord();
    if (operator === '<<<') return { access: 'none', target };
    if (operator !== '<&' && operator !== '>&') return { access: operator.includes('>') ? 'write' : 'read', target };
    if (/^(?:\d{1,9}-?|-)$/.test(bareText(target) ?? '')) return { access: 'none', target };
    if (operator === '<&' || number !== '' || bareText(target) === undefined)
      throw new UnparsableShell('which descriptor it copies cannot be known');
    this.#reading.requireBash('>& with a file');
    return { access: 'write', target };
  }

  #hereDocument(isDashed: boolean): WordRedirection {
    const { cursor } = this.#reading;
    this.#reading.skipBlanks();
    const start = cursor.at;
    const word = this.#reading.readWord();
    if (/[$`\n]/.test(cursor.text.slice(start, cursor.at)))
      throw new UnparsableShell('the end of a here-document is named in an unusual way');
    const parts: CommandWordPart[] = [];
    const isQuoted = bareText(word) === undefined;
    this.#documents.push({ delimiter: wordText(word), isQuoted, isDashed, parts });
    return { access: 'none', target: { parts } };
  }

  #assignment(): WordAssignment | undefined {
    const { cursor } = this.#reading;
    const found = cursor.match(/([A-Za-z_]\w*)(\+?=|\[)/y);
    if (found === null) return undefined;
    const [, name = '', operator] = found;
    if (operator === '[') throw new UnparsableShell('it sets an element of an array');
    cursor.refuseContinuation();
    const isAppended = operator === '+=';
    if (isAppended) this.#reading.requireBash('+=');
    if (cursor.peek() === '(') return { name, isAppended, value: { array: this.#array() } };
    const isEmpty = cursor.isAtEnd || /[ \t\n;&|)]/.test(cursor.peek());
    if (isEmpty) return { name, isAppended, value: { parts: [] } };
    if (/[<>]/.test(cursor.peek()) && cursor.peek(1) !== '(') return { name, isAppended, value: { parts: [] } };
    return { name, isAppended, value: this.#wordHere() };
  }

  /** A word right here, without a blank or a comment before it. */
  #wordHere(): CommandWord {
    if (this.#reading.cursor.peek() !== '#') return this.#reading.readWord();
    throw new UnparsableShell('a value starts with #');
  }

  /** `(a b)`, without subscripts. */
  #array(): readonly CommandWord[] {
    this.#reading.requireBash('arrays');
    const { cursor } = this.#reading;
    cursor.at += 1;
    const words: CommandWord[] = [];
    for (;;) {
      this.#reading.skipBlanks();
      if (cursor.take(')')) {
        if (!cursor.isAtEnd && !/[ \t\n;&|)]/.test(cursor.peek()))
          throw new UnparsableShell('an array goes on after its end');
        return words;
      }
      if (cursor.peek() === '\n') {
        this.assertDocumentsRead();
        cursor.at += 1;
      } else if (cursor.peek() === '[') {
        throw new UnparsableShell('it sets an element of an array');
      } else {
        words.push(this.#reading.readWord());
      }
    }
  }

  #word(isFirst: boolean): CommandWord {
    const word = this.#reading.readWord();
    const { cursor } = this.#reading;
    const bare = bareText(word);
    if (bare?.startsWith('{') === true && /[<>]/.test(cursor.peek()))
      throw new UnparsableShell('it opens a descriptor under a name');
    if (!isFirst) return word;
    if (bare !== undefined && keywords.test(bare)) throw new UnparsableShell(`it writes ${bare} in an unusual way`);
    const quoted = word.parts.findIndex((part) => part.kind !== 'text' || part.isQuoted);
    const head = wordText({ parts: quoted < 0 ? word.parts : word.parts.slice(0, quoted) });
    if (/^[A-Za-z_]\w*(?:\+?=|\[)/.test(head)) throw new UnparsableShell('it writes an assignment in an unusual way');
    return word;
  }

  #function([name, ...others]: readonly CommandWord[], before: number): FunctionNode {
    const { cursor } = this.#reading;
    const text = name === undefined ? undefined : bareText(name);
    if (text === undefined || others.length + before > 0) throw new UnparsableShell('a parenthesis is out of place');
    cursor.at += 1;
    this.#reading.skipBlanks();
    if (!cursor.take(')')) throw new UnparsableShell('a parenthesis is out of place');
    return readFunction(this.#reading, text);
  }
}

/** The body of a function: a group or a subshell without redirections of its own. */
export function readFunction(reading: Reading, name: string): FunctionNode {
  if (!/^[A-Za-z_][\w-]*$/.test(name)) throw new UnparsableShell(`${name} is an unusual name for a function`);
  reading.skipLines();
  const { cursor } = reading;
  const isGroup = reading.peekKeyword() === '{';
  if (!isGroup && cursor.peek() !== '(') throw new UnparsableShell('the body of a function is missing');
  const body = reading.readCompound();
  if (!('redirections' in body) || body.redirections.length > 0 || !['group', 'subshell'].includes(body.kind))
    throw new UnparsableShell('a function redirects its body');
  return { kind: 'function', name, body };
}
