import { fenced, inlined } from '../base/fence.ts';

/**
 * What stands in a prompt in the place of a token: Ravel's own words, and data that others wrote. Data is fenced where a
 * prompt is put together, and nowhere else, so that none of it can pass for a section of the prompt.
 */
export type PromptText = readonly PromptPiece[];

export type PromptPiece = { readonly own: string } | { readonly data: string; readonly label: string };

/** Words of this program's, or a number; never what is read from a file or a message. */
export function ownWords(text: string): PromptText {
  return [{ own: text }];
}

/** A name of a plan, a project or a folder, for the middle of a sentence. */
export function ownName(name: string): PromptText {
  return [{ own: inlined(name) }];
}

/** What others wrote; the label is one word that says what it is. Without a text, own words that say so. */
export function foreign(label: string, text: string | undefined, otherwise = '(nothing)'): PromptText {
  return text === undefined || text.trim() === '' ? ownWords(otherwise) : [{ data: text, label }];
}

/** The pieces as blocks with an empty line between them. */
export function formatPromptText(text: PromptText): string {
  return text.map((piece) => ('own' in piece ? piece.own : fenced(piece.data, piece.label))).join('\n\n');
}

export function holdsData(text: PromptText): boolean {
  return text.some((piece) => 'data' in piece);
}
