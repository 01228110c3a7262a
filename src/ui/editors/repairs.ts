import type { Position } from '../../base/errors.ts';
import type { Repair, TextEdit } from '../../model/document.ts';

/** The edits of all repairs that are surely meant, but for those that would touch what another one does. */
export function editsOfAll(repairs: readonly Repair[]): TextEdit[] {
  const edits: TextEdit[] = [];
  for (const repair of repairs) {
    if (!repair.isPreferred || repair.edits.some((one) => edits.some((other) => touch(one, other)))) continue;
    edits.push(...repair.edits);
  }
  return edits;
}

function touch({ range: one }: TextEdit, { range: other }: TextEdit): boolean {
  return !isBefore(one.end, other.start) && !isBefore(other.end, one.start);
}

function isBefore(one: Position, other: Position): boolean {
  return one.line < other.line || (one.line === other.line && one.character < other.character);
}
