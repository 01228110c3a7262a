import { type Objection, refuse, strictest } from './objection.ts';
import { knownStart, type SimpleCommand } from './shell/shell.ts';
import { readNames } from './shellBuiltins.ts';

/**
 * `declare x=$y` evaluates the text of the value once more if `x` is an array already, and runs the substitutions in it. If
 * in a text it becomes one does not matter, since loops and functions come by more than once.
 */
export class ShellArrays {
  readonly #arrays = new Set<string>();
  readonly #declared = new Set<string>();

  record({ assignments, words: [program, ...rest] }: SimpleCommand): void {
    for (const { name, isArray } of assignments) if (isArray === true) this.#arrays.add(name);
    switch (program?.text) {
      case 'declare':
      case 'typeset':
      case 'local':
        this.#recordDeclared(rest);
        break;
      case 'readonly':
      case 'export':
        if (rest.some(makesArray)) for (const { text } of rest) this.#add(this.#arrays, text);
        break;
      case 'mapfile':
      case 'readarray':
      case 'read':
        if (program.text !== 'read' || rest.some(({ text }) => /^-\w*a/.test(text)))
          for (const { text } of readNames(program.text, rest) ?? []) this.#add(this.#arrays, text);
    }
  }

  objection(): Objection {
    return strictest(
      [...this.#declared]
        .filter((name) => this.#arrays.has(name))
        .map((name) => refuse(`declare may run what the value of ${name} holds; write ${name}=(…).`)),
    );
  }

  #recordDeclared(rest: SimpleCommand['words']): void {
    for (const word of rest) {
      if (rest.some(makesArray)) this.#add(this.#arrays, knownStart(word));
      if (word.isDynamic && /^\w+\+?=$/.test(knownStart(word))) this.#add(this.#declared, knownStart(word));
    }
  }

  #add(names: Set<string>, text: string): void {
    const [name] = /^[A-Za-z_]\w*/.exec(text) ?? [];
    if (name !== undefined) names.add(name);
  }
}

function makesArray({ text }: SimpleCommand['words'][number]): boolean {
  return /^-\w*[aA]/.test(text);
}
