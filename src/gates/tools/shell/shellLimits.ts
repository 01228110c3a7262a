import { type SimpleCommand, UnparsableShell } from './shell.ts';

/** Commands of a text that are judged, counted each time that a loop or a function runs them. */
const commandsMax = 1_000;
/** Words, assignments and redirections of all of them. */
const wordsMax = 3_000;
/** A command with more words gets no verdict on each of them. */
const judgedMax = 300;
/** Words that are worked out. */
const expandedMax = 10_000;
/** Functions, evaluated texts, and programs that start other ones, each inside of each other. */
const nestingMax = 10;

/** How much of a shell text is followed: beyond that it throws UnparsableShell, so that a text never takes long. */
export class ShellLimits {
  #commands = 0;
  #words = 0;
  #expanded = 0;
  #evals = 0;
  #wrappers = 0;

  /** Whether a text is walked that is evaluated. */
  get isInEval(): boolean {
    return this.#evals > 0;
  }

  /** Words are expanded once for each choice, before the words of a command are counted. */
  countExpansions(count: number): void {
    this.#expanded += count;
    if (this.#expanded > expandedMax) throw tooMany();
  }

  countCommand({ words, redirections, assignments }: SimpleCommand): void {
    this.#commands += 1;
    this.#words += Math.min(words.length, judgedMax) + redirections.length + assignments.length;
    if (this.#commands > commandsMax || this.#words > wordsMax) throw tooMany();
  }

  /** `calls` are the functions that are being called, the innermost last. */
  assertCalls(calls: readonly string[]): void {
    if (calls.length > nestingMax) throw new UnparsableShell('its functions are nested too deeply');
  }

  inEval<T>(walk: () => T): T {
    this.#evals += 1;
    if (this.#evals > nestingMax) throw new UnparsableShell('it is nested too deeply');
    const result = walk();
    this.#evals -= 1;
    return result;
  }

  /** Of a command that only starts another one, such as `command` or `exec`. */
  inWrapper<T>(walk: () => T): T {
    this.#wrappers += 1;
    if (this.#wrappers > nestingMax) throw new UnparsableShell('it is nested too deeply');
    const result = walk();
    this.#wrappers -= 1;
    return result;
  }
}

function tooMany(): UnparsableShell {
  return new UnparsableShell('it runs more commands than can be judged');
}
