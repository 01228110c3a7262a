import { UnparsableShell } from './shell.ts';

/** Depth of substitutions and compound commands in a text, so that reading it never exhausts the stack. */
const nestingMax = 20;
/** Pieces of words in one text: enough for any command that a person would read, and read in some milliseconds. */
const piecesMax = 20_000;

/** A place in a shell text, and how deep in brackets it is. */
export class ShellCursor {
  readonly text: string;
  at = 0;
  /** How many substitutions, subshells and compound commands stand around it. */
  depth: number;
  #pieces = 0;

  constructor(text: string, depth: number) {
    this.text = text;
    this.depth = depth;
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  /** Empty at the end. */
  peek(offset = 0): string {
    return this.text.charAt(this.at + offset);
  }

  startsWith(text: string): boolean {
    return this.text.startsWith(text, this.at);
  }

  /** Goes past `text` if it stands here. */
  take(text: string): boolean {
    if (!this.startsWith(text)) return false;
    this.at += text.length;
    return true;
  }

  /** Goes past what a sticky pattern matches here. */
  match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found !== null) this.at += found[0].length;
    return found;
  }

  /** Bash joins continued lines before it looks for operators; one inside of an operator is not followed. */
  refuseContinuation(): void {
    if (this.startsWith('\\\n')) this.refuse('a line is continued inside an operator');
  }

  /** Counts a piece of a word. */
  countPiece(): void {
    this.#pieces += 1;
    if (this.#pieces > piecesMax) this.refuse('it is too long to be judged');
  }

  refuse(reason: string): never {
    throw new UnparsableShell(reason);
  }

  nested<T>(parse: () => T): T {
    this.depth += 1;
    if (this.depth > nestingMax) throw new UnparsableShell('it is nested too deeply');
    const result = parse();
    this.depth -= 1;
    return result;
  }
}
