import type { ShellCursor } from './shellCursor.ts';
import type { CommandWord, CommandWordPart, ShellNode, WordRedirection } from './shellTree.ts';
import type { WordReader } from './shellWordReader.ts';

/** What the readers of simple and of compound commands need of the one that reads lists. */
export interface Reading {
  readonly cursor: ShellCursor;
  readonly words: WordReader;
  readonly isBash: boolean;
  /** Throws if this is not bash; `what` names the construct. */
  readonly requireBash: (what: string) => void;
  /** Spaces, continued lines and comments. A comment starts only where a word could. */
  readonly skipBlanks: () => void;
  /** Line ends too, and the here-documents that start after the first. */
  readonly skipLines: () => void;
  /** A keyword where a command could start, not consumed. */
  readonly peekKeyword: () => string | undefined;
  /** The next word, which must be there. */
  readonly readWord: () => CommandWord;
  /** A word without quotes and expansions that can name a variable. */
  readonly readName: () => string;
  /** Commands up to where `isEnd` holds, or to where no command can follow; undefined if there are none. */
  readonly readList: (isEnd: () => boolean) => ShellNode | undefined;
  /** Commands up to one of these keywords, which is consumed and returned. */
  readonly readUntil: (...ends: readonly string[]) => { readonly list: ShellNode; readonly end: string };
  /** A command that starts with a keyword or a parenthesis. */
  readonly readCompound: () => ShellNode;
  /** The redirections after a compound command. */
  readonly readRedirections: () => readonly WordRedirection[];
  /** The parts of a here-document that is expanded. */
  readonly readDocument: (text: string) => readonly CommandWordPart[];
}
