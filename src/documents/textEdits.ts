import { isRavelError, type Position, type Range } from '../base/errors.ts';
import type { TextEdit } from '../model/document.ts';
import { editYaml, type YamlEdit } from '../yaml/yaml.ts';
import type { YamlPlace } from '../yaml/yamlDocument.ts';

/** A part of a text that is YAML: all of it, or what stands between the fences of its frontmatter. */
export interface YamlPart {
  readonly text: string;
  /** Lines of the whole text before it. */
  readonly lines: number;
}

/** The changes of the text that make these edits, each seen by itself; undefined if a form cannot be edited in place. */
export function editsOfYaml(part: YamlPart, edits: readonly YamlEdit[], place: YamlPlace): TextEdit[] | undefined {
  try {
    return edits.flatMap((edit) => shifted(editBetween(part.text, editYaml(part.text, [edit], place)), part.lines));
  } catch (error) {
    if (isRavelError(error, 'yaml/editRefused')) return undefined;
    throw error;
  }
}

/** The smallest single change from one text to another; none if they are the same. */
export function editBetween(before: string, after: string): TextEdit[] {
  if (before === after) return [];
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  // An edit must not begin or end inside a line end or a character.
  while (head > 0 && isInside(before, head)) head--;
  while (tail > 0 && isInside(before, before.length - tail)) tail--;
  const range = { start: positionOf(before, head), end: positionOf(before, before.length - tail) };
  return [{ range, text: after.slice(head, after.length - tail) }];
}

/** Moves edits down by whole lines. */
export function shifted(edits: readonly TextEdit[], lines: number): TextEdit[] {
  return edits.map(({ range, text }) => ({ range: movedDown(range, lines), text }));
}

function movedDown({ start, end }: Range, lines: number): Range {
  return { start: { ...start, line: start.line + lines }, end: { ...end, line: end.line + lines } };
}

function isInside(text: string, offset: number): boolean {
  const [left, right] = [text[offset - 1] ?? '', text[offset] ?? ''];
  return (left === '\r' && right === '\n') || /[\ud800-\udbff]/.test(left);
}

function positionOf(text: string, offset: number): Position {
  const lineStart = offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
  let line = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line++;
  return { line, character: offset - lineStart };
}
