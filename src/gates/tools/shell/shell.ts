/** A word of a command as the shell would hand it on, as far as that can be known without running it. */
export interface ShellWord {
  readonly text: string;
  /** Holds an expansion whose value is unknown. */
  readonly isDynamic: boolean;
  /** Holds an unquoted `*`, `?` or `[`, or stands for a file that such a pattern matched. */
  readonly isGlob: boolean;
  /** Starts with an unquoted `~`. */
  readonly isHome: boolean;
  /** An unknown value without quotes: it may become no word, or several, any of which may be an option. */
  readonly isMany?: boolean;
  /** What is known to stand before the first unknown value; nothing if it is absent. */
  readonly start?: string;
}

export interface Redirection {
  readonly writes: boolean;
  readonly target: ShellWord;
}

/** A command whose words are expanded as far as they can be known. */
export interface SimpleCommand {
  readonly assignments: readonly { readonly name: string; readonly value: ShellWord; readonly isArray?: boolean }[];
  readonly words: readonly ShellWord[];
  readonly redirections: readonly Redirection[];
}

/** What a word is known to start with. */
export function knownStart({ text, isDynamic, start }: ShellWord): string {
  return isDynamic ? (start ?? '') : text;
}

/** Which shell reads a text. What bash alone has is refused for the others. */
export type Dialect = 'bash' | 'posix';

/** Thrown for what is not read exactly as the shell reads it; such a command is denied. */
export class UnparsableShell extends Error {
  override readonly name = 'UnparsableShell';
}
