import type { Position, Range } from '../../base/errors.ts';

/** A rule that is written alone stands, in `routing.yaml`, this far to the right and below this many lines. */
const indent = 4;
const linesAbove = 1;

/**
 * A rule in a document of its own, as the text of a `routing.yaml` with nothing else in it: so it is checked and completed
 * as it would be there. It may be written as the item of a list, too, as it is printed in that file.
 */
export function asRuleFile(text: string): string {
  const lines = text.split('\n');
  const first = lines.findIndex((line) => line.trim() !== '' && !line.trimStart().startsWith('#'));
  if (first >= 0 && /^\s*- /.test(lines[first] ?? '')) return `rules:\n${text}`;
  const pad = ' '.repeat(indent);
  return `rules:\n${lines.map((line, at) => (at === Math.max(0, first) ? `  - ${line}` : `${pad}${line}`)).join('\n')}`;
}

/** How much further right a place in the file is than in the document. */
function shiftOf(text: string): number {
  return asRuleFile(text).startsWith(`rules:\n${text}`) ? 0 : indent;
}

export function toRuleFile(text: string, { line, character }: Position): Position {
  return { line: line + linesAbove, character: character + shiftOf(text) };
}

/** A range of the file as one of the document. */
export function fromRuleFile(text: string, { start, end }: Range): Range {
  const shift = shiftOf(text);
  const back = ({ line, character }: Position): Position =>
    line < linesAbove
      ? { line: 0, character: 0 }
      : { line: line - linesAbove, character: Math.max(0, character - shift) };
  return { start: back(start), end: back(end) };
}
