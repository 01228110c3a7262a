import type { CommandPlace, Objection } from './objection.ts';
import type { ShellWord } from './shell/shell.ts';

/** A program that a table alone does not describe. */
export type Special = (use: ProgramUse) => Objection;

export interface ProgramUse {
  readonly name: string;
  /** What follows the program's name. */
  readonly rest: readonly ShellWord[];
  readonly place: CommandPlace;
  /** Judges another program that this one starts. */
  readonly judgeWords: (words: readonly ShellWord[], place: CommandPlace) => Objection;
  /** What the program's table says. */
  readonly judgeDefault: () => Objection;
}
