/** What a person can put in one place of a command line: one of some words, or a name of some kind. */
export type Source = readonly string[] | NameSource;

/** Kinds of names, which are looked up when they are asked for. `none` is text that no list has. */
export type NameSource =
  | ('plan' | 'project' | 'target' | 'actor' | 'task' | 'memoryEntry' | 'sessionRecord' | 'receivedMessage')
  | ('approval' | 'expert' | 'shippedExpert' | 'entry' | 'archivedEntry' | 'archive' | 'receipt' | 'ingestion')
  | ('deadLetter' | 'session' | 'question' | 'file' | 'folder' | 'none');

/** A place for a value; some take names of more than one kind. */
export interface Slot {
  readonly sources: readonly Source[];
  readonly isVariadic: boolean;
  /** Whether it takes several, with commas between them. */
  readonly isList?: true;
}

export interface OptionRow {
  /** `--json`, or both forms of one that has a short one. */
  readonly flags: readonly string[];
  readonly about: string;
  /** Absent if it takes no value. */
  readonly value?: Slot & { readonly isOptional: boolean };
}

/** A command with those below it, without the hidden ones. */
export interface CommandRow {
  readonly name: string;
  readonly about: string;
  readonly commands: readonly CommandRow[];
  readonly options: readonly OptionRow[];
  readonly slots: readonly Slot[];
  /** The command below it that runs if none is named. */
  readonly usual?: string;
}
