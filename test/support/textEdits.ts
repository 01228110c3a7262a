import type { TextEdit } from '../../src/model/document.ts';

/** A text after edits that do not overlap, as an editor applies them. */
export function applyTextEdits(text: string, edits: readonly TextEdit[]): string {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const offset = ({ line, character }: TextEdit['range']['start']) => (starts[line] ?? text.length) + character;
  const last = edits.toSorted((one, other) => offset(other.range.start) - offset(one.range.start));
  return last.reduce(
    (result, { range, text: by }) => result.slice(0, offset(range.start)) + by + result.slice(offset(range.end)),
    text,
  );
}
