import type { ShellWord, SimpleCommand } from './shell.ts';
import type { ShellState, ShellValue } from './shellState.ts';

/** What the walk tells of, in the order in which it comes by. It may come by a command more than once. */
export interface ShellVisitor {
  /** A command, with its words as far as they are known, and every folder that it may run in. */
  readonly visitCommand: (command: SimpleCommand, folders: readonly string[]) => void;
  /** Commands run at the same time, or again, so that one may come after what stands behind it in the text. */
  readonly visitUnordered: () => void;
  /** A variable that is set in any way; before a program, which it is exported to, with its value. */
  readonly visitVariable: (name: string, exported?: ShellWord) => void;
  /** A variable whose value, unknown here, is used. */
  readonly visitRead: (name: string) => void;
  /** A function that is defined. */
  readonly visitFunction: (name: string) => void;
  /** What a command that runs in the shell itself does to it. */
  readonly effectOf: (command: SimpleCommand, state: ShellState) => ShellEffect;
}

/** What a command does to the shell that runs it: undefined for nothing. */
export type ShellEffect =
  | undefined
  /** Goes to one of these folders; after a failure nothing has changed. */
  | { readonly kind: 'move'; readonly folders: readonly string[] }
  /** `locks` can no longer be set. */
  | {
      readonly kind: 'set';
      readonly variables: ReadonlyMap<string, ShellValue | undefined>;
      readonly locks?: readonly string[];
    }
  /** Nothing that is known of variables and functions holds any more. */
  | { readonly kind: 'forget' }
  | { readonly kind: 'eval'; readonly text: string }
  /** Ends the shell; it may fail unless it is certain. */
  | { readonly kind: 'exit'; readonly isCertain: boolean }
  /** Goes on after a loop or a function, or at the head of a loop; if there is none the next command runs. */
  | {
      readonly kind: 'leave';
      readonly leaves: 'loop' | 'function';
      readonly isAgain: boolean;
      readonly isCertain: boolean;
    }
  /** Runs these words without looking for a function. */
  | { readonly kind: 'run'; readonly words: readonly ShellWord[]; readonly ends: boolean };
