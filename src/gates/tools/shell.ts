/** A word of a command as the shell would hand it on, as far as that can be known without running it. */
export interface ShellWord {
  readonly text: string;
  /** Holds an expansion whose value is unknown: a variable, a substitution, braces. */
  readonly isDynamic: boolean;
  /** Holds an unquoted `*`, `?` or `[`. */
  readonly isGlob: boolean;
  /** Starts with an unquoted `~`. */
  readonly isHome: boolean;
}

export interface Redirection {
  readonly writes: boolean;
  readonly target: ShellWord;
}

/** What separates a command from the next one. */
export type ShellOperator = '&&' | '||' | ';' | '|' | '&' | 'end';

export interface SimpleCommand {
  readonly kind: 'command';
  readonly assignments: readonly { readonly name: string; readonly value: ShellWord }[];
  readonly words: readonly ShellWord[];
  readonly redirections: readonly Redirection[];
  readonly after: ShellOperator;
}

/** Commands in the order in which they stand; `open` and `close` bound what a subshell or a substitution runs. */
export type ShellItem = SimpleCommand | { readonly kind: 'open' } | { readonly kind: 'close' };

/** Thrown for what is not understood; such a command is denied. */
export class UnparsableShell extends Error {
  override readonly name = 'UnparsableShell';
}

/**
 * Reads a POSIX or bash command line: quotes, operators, subshells, substitutions, redirections, here-documents and the
 * keywords of loops and conditions. What it does not know (functions, `case`, arrays) it refuses with UnparsableShell.
 */
export function parseShell(text: string): readonly ShellItem[] {
  const parser = new ShellParser(text, 0);
  parser.parseList(undefined);
  return parser.items;
}

const nestingMax = 20;
const keywords: ReadonlySet<string> = new Set(['if', 'then', 'else', 'elif', 'do', 'while', 'until', '!', '{', 'time']);
const closers: ReadonlySet<string> = new Set(['fi', 'done', '}']);
const refused: ReadonlySet<string> = new Set(['case', 'esac', 'function', 'select', 'coproc', '[[', '((']);

class ShellParser {
  readonly items: ShellItem[] = [];
  readonly #text: string;
  #depth: number;
  readonly #hereDocuments: { delimiter: string; quoted: boolean; dashed: boolean }[] = [];
  #at = 0;

  constructor(text: string, depth: number) {
    if (depth > nestingMax) throw new UnparsableShell('it is nested too deeply');
    this.#text = text;
    this.#depth = depth;
  }

  /** Up to `end`, which is consumed, or to the end of the text. */
  parseList(end: ')' | undefined): void {
    let command = new CommandBuilder();
    for (;;) {
      this.#skipBlanks();
      const character = this.#peek();
      if (character === '' || character === ')') {
        if ((character === ')') !== (end === ')')) throw new UnparsableShell('its parentheses do not match');
        this.#at += character.length;
        this.#finish(command, 'end');
        return;
      }
      const operator = this.#operator();
      if (operator !== undefined) {
        this.#finish(command, operator);
        command = new CommandBuilder();
      } else if (character === '(') {
        this.#subshell(command);
      } else if (!this.#redirection(command)) {
        command.addWord(this.#word());
      }
    }
  }

  #finish(command: CommandBuilder, after: ShellOperator): void {
    const item = command.build(after);
    if (item !== undefined) this.items.push(item);
  }

  #subshell(command: CommandBuilder): void {
    if (!command.isEmpty) throw new UnparsableShell('it defines a function or an array');
    this.#at += 1;
    if (this.#peek() === '(') throw new UnparsableShell('it holds arithmetic');
    this.#nested(() => this.parseList(')'));
  }

  #nested(parse: () => void): void {
    this.#depth += 1;
    if (this.#depth > nestingMax) throw new UnparsableShell('it is nested too deeply');
    this.items.push({ kind: 'open' });
    parse();
    this.items.push({ kind: 'close' });
    this.#depth -= 1;
  }

  #operator(): ShellOperator | undefined {
    const rest = this.#text.slice(this.#at, this.#at + 2);
    if (rest === '&>' || rest === ';;' || rest === ';&') {
      if (rest === '&>') return undefined;
      throw new UnparsableShell('it holds a case');
    }
    const operator = ['&&', '||', '|&', '\n', ';', '|', '&'].find((candidate) => rest.startsWith(candidate));
    if (operator === undefined) return undefined;
    this.#at += operator.length;
    if (operator === '\n') this.#readHereDocuments();
    if (operator === '\n') return ';';
    if (operator === '|&') return '|';
    return operator === '&&' || operator === '||' || operator === ';' || operator === '|' ? operator : '&';
  }

  #redirection(command: CommandBuilder): boolean {
    const match = /^(?:\d*)(?:&>>|&>|>>|>\||>&|<>|<<<|<<-|<<|<&|>|<)/.exec(this.#text.slice(this.#at, this.#at + 16));
    if (match === null) return false;
    const operator = match[0].replace(/^\d+/, '');
    if ((operator === '<' || operator === '>') && this.#text.charAt(this.#at + match[0].length) === '(') return false;
    this.#at += match[0].length;
    this.#skipBlanks();
    const start = this.#at;
    const target = this.#word();
    if (operator === '<<' || operator === '<<-') {
      const quoted = /['"\\]/.test(this.#text.slice(start, this.#at));
      this.#hereDocuments.push({ delimiter: target.text, quoted, dashed: operator === '<<-' });
      return true;
    }
    const duplicates = (operator === '>&' || operator === '<&') && /^(?:\d+-?|-)$/.test(target.text);
    if (!duplicates && operator !== '<<<') command.redirections.push({ writes: operator.includes('>'), target });
    return true;
  }

  #readHereDocuments(): void {
    for (const { delimiter, quoted, dashed } of this.#hereDocuments.splice(0)) {
      const lines: string[] = [];
      for (;;) {
        if (this.#at >= this.#text.length) break;
        const end = this.#text.indexOf('\n', this.#at);
        const line = this.#text.slice(this.#at, end < 0 ? undefined : end);
        this.#at = end < 0 ? this.#text.length : end + 1;
        if ((dashed ? line.replace(/^\t+/, '') : line) === delimiter) break;
        lines.push(line);
      }
      if (!quoted) this.#substitutionsIn(lines.join('\n'));
    }
  }

  /** What a text that is expanded, such as a here-document, runs. */
  #substitutionsIn(text: string): void {
    const inner = new ShellParser(text, this.#depth + 1);
    inner.#expandText('');
    this.items.push(...inner.items);
  }

  #word(): ShellWord {
    const word = new WordBuilder();
    const start = this.#at;
    for (;;) {
      const character = this.#peek();
      if (character === '' || /[\s;|()]/.test(character)) break;
      if (character === '&') break;
      if (character === '<' || character === '>') {
        if (this.#text.charAt(this.#at + 1) !== '(') break;
        this.#at += 2;
        this.#nested(() => this.parseList(')'));
        word.addDynamic();
      } else if (character === "'") {
        word.addLiteral(this.#until("'"));
      } else if (character === '"') {
        this.#at += 1;
        word.addQuoted(this.#expandText('"'));
      } else if (character === '\\') {
        this.#at += 2;
        const escaped = this.#text.charAt(this.#at - 1);
        if (escaped === '') throw new UnparsableShell('it ends in a backslash');
        if (escaped !== '\n') word.addLiteral(escaped);
      } else if (character === '$' || character === '`') {
        word.addQuoted(this.#expansion());
      } else {
        this.#at += 1;
        word.addPlain(character, this.#at - 1 === start);
      }
    }
    if (this.#at === start) throw new UnparsableShell('a word is missing');
    return word.build();
  }

  /** Text with expansions up to `end`, or to the end of the text where `end` is empty. */
  #expandText(end: '"' | ''): { text: string; isDynamic: boolean } {
    let text = '';
    let isDynamic = false;
    for (;;) {
      const character = this.#peek();
      if (character === end) {
        this.#at += end.length;
        return { text, isDynamic };
      }
      if (character === '') throw new UnparsableShell('a quote is not closed');
      if (character === '\\') {
        const escaped = this.#text.charAt(this.#at + 1);
        this.#at += 2;
        if (escaped !== '\n') text += '$`"\\'.includes(escaped) ? escaped : `\\${escaped}`;
      } else if (character === '$' || character === '`') {
        const expansion = this.#expansion();
        text += expansion.text;
        isDynamic ||= expansion.isDynamic;
      } else {
        text += character;
        this.#at += 1;
      }
    }
  }

  /** What `$` or a backtick starts; what it runs is added to the items. */
  #expansion(): { text: string; isDynamic: boolean } {
    const rest = this.#text.slice(this.#at);
    if (rest.startsWith('`')) return this.#backticks();
    if (rest.startsWith('$((')) throw new UnparsableShell('it holds arithmetic');
    if (rest.startsWith('$(')) {
      this.#at += 2;
      this.#nested(() => this.parseList(')'));
      return unknown;
    }
    if (rest.startsWith("$'")) throw new UnparsableShell('it holds an escaped quotation');
    if (rest.startsWith('${')) {
      const end = rest.indexOf('}');
      const inner = rest.slice(2, end);
      if (end < 0 || /[`$'"\\{@]/.test(inner)) throw new UnparsableShell('it holds an expansion of an unusual form');
      this.#at += end + 1;
      return unknown;
    }
    const name = /^\$(?:[A-Za-z_]\w*|[0-9@*#?$!-])/.exec(rest);
    this.#at += name?.[0].length ?? 1;
    return name === null ? { text: '$', isDynamic: false } : unknown;
  }

  #backticks(): { text: string; isDynamic: boolean } {
    let at = this.#at + 1;
    let inner = '';
    for (; this.#text.charAt(at) !== '`'; at++) {
      if (at >= this.#text.length) throw new UnparsableShell('a backtick is not closed');
      if (this.#text.charAt(at) === '\\' && '`\\$'.includes(this.#text.charAt(at + 1))) at += 1;
      inner += this.#text.charAt(at);
    }
    this.#at = at + 1;
    const parser = new ShellParser(inner, this.#depth + 1);
    parser.parseList(undefined);
    this.items.push({ kind: 'open' }, ...parser.items, { kind: 'close' });
    return unknown;
  }

  #until(quote: string): string {
    const end = this.#text.indexOf(quote, this.#at + 1);
    if (end < 0) throw new UnparsableShell('a quote is not closed');
    const text = this.#text.slice(this.#at + 1, end);
    this.#at = end + 1;
    return text;
  }

  /** Spaces, continued lines and comments. A comment starts only where a word could. */
  #skipBlanks(): void {
    const blanks = /^(?:[ \t\r]|\\\n)+/.exec(this.#text.slice(this.#at));
    this.#at += blanks?.[0].length ?? 0;
    if (this.#peek() !== '#') return;
    const end = this.#text.indexOf('\n', this.#at);
    this.#at = end < 0 ? this.#text.length : end;
  }

  #peek(): string {
    return this.#text.charAt(this.#at);
  }
}

const unknown = { text: '', isDynamic: true } as const;

class WordBuilder {
  #text = '';
  #isDynamic = false;
  #isGlob = false;
  #isHome = false;

  addLiteral(text: string): void {
    this.#text += text;
  }

  addQuoted({ text, isDynamic }: { text: string; isDynamic: boolean }): void {
    this.#text += text;
    this.#isDynamic ||= isDynamic;
  }

  addDynamic(): void {
    this.#isDynamic = true;
  }

  addPlain(character: string, isFirst: boolean): void {
    this.#text += character;
    if (character === '*' || character === '?' || character === '[') this.#isGlob = true;
    if (character === '~' && isFirst) this.#isHome = true;
    // `{a,b}` becomes several words; which ones is not worked out here.
    if (character === '{' && this.#text !== '{') this.#isDynamic = true;
    if (character === ',' && this.#text.includes('{')) this.#isDynamic = true;
  }

  build(): ShellWord {
    return {
      text: this.#text,
      isDynamic: this.#isDynamic,
      isGlob: this.#isGlob && this.#text !== '[',
      isHome: this.#isHome,
    };
  }
}

class CommandBuilder {
  readonly redirections: Redirection[] = [];
  readonly #assignments: { name: string; value: ShellWord }[] = [];
  readonly #words: ShellWord[] = [];
  #isLoopHead = false;

  get isEmpty(): boolean {
    return this.#words.length === 0 && this.#assignments.length === 0;
  }

  addWord(word: ShellWord): void {
    const isFirst = this.#words.length === 0;
    if (isFirst && !word.isDynamic && refused.has(word.text)) throw new UnparsableShell(`it uses ${word.text}`);
    if (isFirst && !word.isDynamic && (keywords.has(word.text) || closers.has(word.text))) return;
    if (isFirst && word.text === 'for') this.#isLoopHead = true;
    const assignment = isFirst ? /^([A-Za-z_]\w*)\+?=(.*)$/s.exec(word.text) : null;
    if (assignment?.[1] === undefined) this.#words.push(word);
    else this.#assignments.push({ name: assignment[1], value: { ...word, text: assignment[2] ?? '' } });
  }

  /** The head of a loop names words and runs nothing. */
  build(after: ShellOperator): SimpleCommand | undefined {
    const words = this.#isLoopHead ? [] : this.#words;
    if (words.length === 0 && this.#assignments.length === 0 && this.redirections.length === 0) return undefined;
    return { kind: 'command', assignments: this.#assignments, words, redirections: this.redirections, after };
  }
}
