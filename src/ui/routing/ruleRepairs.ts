import type { Position } from '../../base/errors.ts';
import type { TextEdit } from '../../model/document.ts';
import type { RuleLines } from './suggestionPlaces.ts';

/** The edit that switches a rule off, and leaves the rest of it as it is; undefined for one that is written in one line. */
export function switchOff(text: string, { first, last }: RuleLines): TextEdit | undefined {
  const lines = text.split('\n').slice(first, last + 1);
  const indent = /^(\s*(?:-\s+)?)id:/.exec(lines.find((line) => /^\s*(?:-\s+)?id:/.test(line)) ?? '')?.[1]?.length;
  if (indent === undefined) return undefined;
  const at = lines.findIndex(
    (line) => line.slice(indent).startsWith('enabled:') && line.slice(0, indent).trim() === '',
  );
  const written = `${' '.repeat(indent)}enabled: false`;
  if (at >= 0) {
    const [content = ''] = (lines[at] ?? '').split('#', 1);
    const length = content.trimEnd().length;
    return { range: { start: place(first + at, 0), end: place(first + at, length) }, text: written };
  }
  const behind = first + lines.findIndex((line) => /^\s*(?:-\s+)?id:/.test(line)) + 1;
  return { range: { start: place(behind, 0), end: place(behind, 0) }, text: `${written}\n` };
}

function place(line: number, character: number): Position {
  return { line, character };
}
