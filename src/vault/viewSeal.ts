import { sha256 } from '../base/files.ts';

/** A generated note without the line that seals it. */
export interface ViewText {
  /** File name of what it was generated from. */
  readonly source: string;
  /** YAML lines between the fences. */
  readonly frontmatter: readonly string[];
  readonly body: string;
  /** What a reader should do instead of changing the note; without it, change its source. */
  readonly advice?: string;
}

/**
 * The text of a generated note. The first line of its body names the source and carries the hash of everything else, so
 * that a later run can tell its own text from one that a person has changed.
 */
export function sealView(view: ViewText): string {
  const head = `---\n${view.frontmatter.join('\n')}\n---\n`;
  const advice = view.advice ?? 'change that file instead';
  const line = `*Ravel makes this view from ${view.source}; ${advice}.* %%sha256:${sha256(head + view.body)}%%\n`;
  return head + line + view.body;
}

/** `generated`: as it was written. `edited`: generated once, then changed. `foreign`: never generated. */
export type SealState = 'generated' | 'edited' | 'foreign';

export function checkSeal(text: string): SealState {
  const match = /^\*Ravel makes this view from .+ %%sha256:([0-9a-f]+)%%\r?\n/m.exec(text);
  if (match === null) return 'foreign';
  const rest = text.slice(0, match.index) + text.slice(match.index + match[0].length);
  return sha256(rest) === match[1] ? 'generated' : 'edited';
}
