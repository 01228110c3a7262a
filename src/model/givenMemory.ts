/** Where an entry of the memory stands in what a session was given: whole, by its title, or only in a count. */
export type GivenPlace = 'full' | 'title' | 'left';

/** One entry of the memory as a session was given it. */
export interface GivenEntry {
  readonly id: string;
  readonly title: string;
  readonly place: GivenPlace;
  /** From 1, by how well it fits the task; absent where it has no word of it. */
  readonly rank?: number;
  /** The words of the task that it was found by. */
  readonly words: readonly string[];
  /** Whether an entry with the same text was given. */
  readonly isTwin?: true;
}

/** What the prompt of a session holds of the memory, and why. */
export interface GivenMemory {
  readonly given: 'relevant' | 'all';
  /** All there are. */
  readonly count: number;
  /** What was chosen by; absent where the memory is whole. */
  readonly bytesMax?: number;
  /** How much may come with the answers to tool calls; absent where the memory is whole. */
  readonly later?: { readonly callBytesMax: number; readonly sessionBytesMax: number };
  /** Those in full, then those by title, then some of the others, each the best first; empty where the memory is whole. */
  readonly entries: readonly GivenEntry[];
}
