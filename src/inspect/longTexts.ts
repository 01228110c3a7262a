/** A page is sent whole, and more than this of one text is not readable there. */
const charactersMax = 1_000_000;

export interface CutText {
  readonly text: string;
  readonly isCut: boolean;
}

/** The beginning of a very long text, at whole characters. */
export function cutText(text: string, most = charactersMax): CutText {
  if (text.length <= most) return { text, isCut: false };
  return { text: text.slice(0, most).replace(/[\uD800-\uDBFF]$/, ''), isCut: true };
}
