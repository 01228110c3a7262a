import type * as z from 'zod';
import type { ReasoningPhase } from './phase.ts';

/** Everything about a state verb besides its handler. */
type VerbRow<Args extends z.ZodObject> = VerbBasics<Args> & EffectsOfRow & ExampleOfRow;

export interface VerbBasics<Args extends z.ZodObject> {
  readonly summary: string;
  readonly args: Args;
  /** Arguments that the command line takes by position, in order; the others are options. */
  readonly positional: readonly (keyof Args['shape'] & string)[];
  /** Reasoning phases whose sessions may use it; none for what only a person does. */
  readonly phases: readonly ReasoningPhase[];
}

type EffectsOfRow =
  /** A reading verb changes nothing and is free to every phase that is given the file. */
  | { readonly reads: true }
  /**
   * What it can make of the records, as words that the verb gate compares with the changes it finds: `list:add`,
   * `list:delete`, `list:order`, `list.field`, and for some fields the way in which they may change. Empty if the gate
   * compares no record that it changes.
   */
  | { readonly effects: readonly string[] };

type ExampleOfRow =
  /** Needs what only a running session has; not offered on the command line. */
  | { readonly sessionOnly: true }
  | {
      /** What follows `ravel state <noun> <verb>` in the help; a test runs it. */
      readonly example: string;
      /** Content of the file that the example names. */
      readonly exampleFile?: string;
    };

/** Infers the arguments of a row. */
export function verb<Args extends z.ZodObject>(row: VerbRow<Args>): VerbRow<Args> {
  return row;
}
