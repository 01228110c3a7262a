import { UnparsableShell } from './shell.ts';
import { parseArithmetic } from './shellArithmetic.ts';
import type { Reading } from './shellReading.ts';
import { readFunction } from './shellSimple.ts';
import {
  bareText,
  type CommandWord,
  type CompoundNode,
  type FunctionNode,
  type ShellNode,
  type TestOperand,
} from './shellTree.ts';
import { readArithmeticText } from './shellWordReader.ts';

type CaseBranch = { readonly patterns: readonly CommandWord[]; readonly body: ShellNode | undefined };

const unaryTests = /^-[abcdefghknoprstuwxzGLNOS]$/;
const binaryTests = /^(?:==?|!=|=~|-nt|-ot|-ef)$/;
const numberTests = /^-(?:eq|ne|lt|le|gt|ge)$/;

/** Reads what a keyword starts. */
export class CompoundReader {
  readonly #reading: Reading;

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  /** The keyword itself is already consumed. */
  read(word: string): CompoundNode | FunctionNode {
    switch (word) {
      case '{': {
        const body = this.#reading.readUntil('}').list;
        return { kind: 'group', body, redirections: this.#reading.readRedirections() };
      }
      case 'if':
        return this.#if();
      case 'while':
      case 'until': {
        const test = this.#reading.readUntil('do').list;
        const body = this.#reading.readUntil('done').list;
        return { kind: 'loop', test, body, isUntil: word === 'until', redirections: this.#reading.readRedirections() };
      }
      case 'for':
        return this.#for();
      case 'case':
        return this.#case();
      case 'function':
        return this.#function();
      case '[[':
        return this.#test();
      default:
        throw new UnparsableShell(`${word} is out of place`);
    }
  }

  #if(): CompoundNode {
    const branches: { test: ShellNode; body: ShellNode }[] = [];
    for (;;) {
      const test = this.#reading.readUntil('then').list;
      const { list: body, end } = this.#reading.readUntil('elif', 'else', 'fi');
      branches.push({ test, body });
      if (end === 'elif') continue;
      const otherwise = end === 'else' ? this.#reading.readUntil('fi').list : undefined;
      return { kind: 'if', branches, otherwise, redirections: this.#reading.readRedirections() };
    }
  }

  #for(): CompoundNode {
    const { cursor } = this.#reading;
    this.#reading.skipBlanks();
    if (cursor.startsWith('(')) return this.#count();
    const name = this.#reading.readName();
    this.#reading.skipLines();
    let words: CommandWord[] | undefined;
    if (cursor.match(/in(?![^ \t\n;&|()<>])/y) !== null) {
      words = [];
      for (;;) {
        this.#reading.skipBlanks();
        if (/[;\n]/.test(cursor.peek())) break;
        words.push(this.#reading.readWord());
      }
    }
    if (cursor.peek() === ';' && !/[;&]/.test(cursor.peek(1))) cursor.at += 1;
    return { kind: 'for', name, words, ...this.#loopBody() };
  }

  #count(): CompoundNode {
    this.#reading.requireBash('for ((…))');
    const { cursor } = this.#reading;
    if (!cursor.take('((')) throw new UnparsableShell('a name is missing');
    const parts = readArithmeticText(cursor).split(';').map(parseArithmetic);
    if (parts.length !== 3) throw new UnparsableShell('its arithmetic holds more than numbers and names');
    this.#reading.skipBlanks();
    cursor.take(';');
    const arithmetic = { reads: parts.flatMap(({ reads }) => reads), sets: parts.flatMap(({ sets }) => sets) };
    const first = parts[0]?.sets ?? [];
    // What the first part sets has a value when the others read it.
    const reads = [...(parts[0]?.reads ?? []), ...arithmetic.reads.filter((name) => !first.includes(name))];
    return { kind: 'count', arithmetic: { reads, sets: arithmetic.sets, mayFail: true }, ...this.#loopBody() };
  }

  #loopBody() {
    this.#reading.skipLines();
    if (this.#reading.peekKeyword() !== 'do') throw new UnparsableShell('do is missing');
    this.#reading.cursor.at += 'do'.length;
    const body = this.#reading.readUntil('done').list;
    return { body, redirections: this.#reading.readRedirections() };
  }

  #case(): CompoundNode {
    const { cursor } = this.#reading;
    const word = this.#reading.readWord();
    this.#reading.skipLines();
    if (cursor.match(/in(?![^ \t\n;&|()<>])/y) === null) throw new UnparsableShell('in is missing');
    const branches: CaseBranch[] = [];
    for (;;) {
      this.#reading.skipLines();
      if (this.#reading.peekKeyword() === 'esac') break;
      branches.push(this.#caseBranch());
      this.#reading.skipBlanks();
      if (cursor.match(/;;&|;;|;&/y) === null) {
        this.#reading.skipLines();
        break;
      }
    }
    if (this.#reading.peekKeyword() !== 'esac') throw new UnparsableShell('esac is missing');
    cursor.at += 'esac'.length;
    return { kind: 'case', word, branches, redirections: this.#reading.readRedirections() };
  }

  #caseBranch(): CaseBranch {
    const { cursor } = this.#reading;
    cursor.take('(');
    const patterns: CommandWord[] = [];
    do {
      patterns.push(this.#reading.readWord());
      this.#reading.skipBlanks();
    } while (cursor.take('|'));
    if (!cursor.take(')')) throw new UnparsableShell('a pattern of case is unusual');
    const isEnd = (): boolean =>
      /^;[;&]/.test(cursor.peek() + cursor.peek(1)) || this.#reading.peekKeyword() === 'esac';
    return { patterns, body: cursor.nested(() => this.#reading.readList(isEnd)) };
  }

  #function(): FunctionNode {
    this.#reading.requireBash('function');
    const { cursor } = this.#reading;
    const name = bareText(this.#reading.readWord()) ?? '';
    this.#reading.skipBlanks();
    if (cursor.take('(')) {
      this.#reading.skipBlanks();
      if (!cursor.take(')')) throw new UnparsableShell('a parenthesis is out of place');
    }
    return readFunction(this.#reading, name);
  }

  #test(): CompoundNode {
    this.#reading.requireBash('[[');
    const operands: TestOperand[] = [];
    this.#testList(operands);
    if (this.#reading.cursor.match(/\]\](?![^ \t\n;&|()<>])/y) === null) throw new UnparsableShell(']] is missing');
    return { kind: 'test', operands, redirections: this.#reading.readRedirections() };
  }

  #testList(operands: TestOperand[]): void {
    const { cursor } = this.#reading;
    do {
      this.#testTerm(operands);
      this.#reading.skipBlanks();
    } while (cursor.take('&&') || cursor.take('||'));
  }

  #testTerm(operands: TestOperand[]): void {
    const { cursor } = this.#reading;
    this.#reading.skipBlanks();
    if (cursor.take('(')) {
      cursor.nested(() => this.#testList(operands));
      if (!cursor.take(')')) throw new UnparsableShell('its parentheses do not match');
      return;
    }
    const left = this.#reading.readWord();
    const text = bareText(left);
    if (text === '!') {
      cursor.nested(() => this.#testTerm(operands));
      return;
    }
    if (text === ']]') throw new UnparsableShell('a word is missing');
    if (text !== undefined && unaryTests.test(text)) {
      operands.push({ word: this.#reading.readWord(), isNumber: false });
      return;
    }
    if (text?.startsWith('-') === true) throw new UnparsableShell(`its test ${text} may evaluate more than a word`);
    this.#reading.skipBlanks();
    if (/[)&|]/.test(cursor.peek()) || cursor.match(/(?=\]\])/y) !== null) {
      operands.push({ word: left, isNumber: false });
      return;
    }
    const operator = cursor.match(/[<>](?=[ \t])/y)?.[0] ?? bareText(this.#reading.readWord()) ?? '';
    const isNumber = numberTests.test(operator);
    if (!isNumber && !/^[<>]$/.test(operator) && !binaryTests.test(operator))
      throw new UnparsableShell('a test in [[ ]] is unusual');
    operands.push({ word: left, isNumber }, { word: this.#reading.readWord(), isNumber });
  }
}
