/** What can be found. The texts are data of others: they may hold anything, and be of any length. */
export interface IndexedDocument {
  /** One document for each id; a second one with the same id takes the place of the first. */
  readonly id: string;
  readonly scope: string;
  /** The plan that it is of; empty if it is of none. */
  readonly plan: string;
  readonly kind: string;
  readonly status: string;
  readonly tags: readonly string[];
  readonly title: string;
  readonly aliases: readonly string[];
  readonly headings: readonly string[];
  readonly firstParagraph: string;
  /** What neither of the other fields holds. */
  readonly body: string;
  /** What was true once. It can be found, and does not make the document longer. */
  readonly superseded: string;
}

/** What a document without anything says; for those that lack some fields. */
export const emptyDocument: Omit<IndexedDocument, 'id'> = {
  ...{ scope: '', plan: '', kind: '', status: '', tags: [], title: '', aliases: [], headings: [] },
  ...{ firstParagraph: '', body: '', superseded: '' },
};

/** A field and how much one word in it counts, in tenths. */
export interface WeightedText {
  readonly text: string;
  readonly tenths: number;
  readonly isCurrent: boolean;
}

/** The texts of a document with their weights. */
export function weightedTexts(document: IndexedDocument): readonly WeightedText[] {
  const { tags, title, aliases, headings, firstParagraph, body, superseded } = document;
  const current = (texts: readonly string[], tenths: number) =>
    texts.map((text) => ({ text, tenths, isCurrent: true }));
  return [
    ...current(tags, 30),
    ...current([title, ...aliases], 25),
    ...current(headings, 18),
    ...current([firstParagraph], 14),
    ...current([body], 10),
    { text: superseded, tenths: 5, isCurrent: false },
  ];
}

/** Bytes of what a reader of the document is given: everything but its tags and aliases. */
export function bytesOf({ title, headings, firstParagraph, body, superseded }: IndexedDocument): number {
  return [title, ...headings, firstParagraph, body, superseded].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}

/** The tokens of a text, from its length in bytes, for a budget: a model's tokens have about four bytes of English. */
export function tokensOf(bytes: number): number {
  return Math.ceil(bytes / 4);
}
