import { t } from '@vscode/l10n';
import type { Position, Range } from '../../base/errors.ts';
import type { DocumentReference, InspectedDocument, TextEdit } from '../../model/document.ts';

/** What is at a position under an id of its own: a task, or one that others depend on. */
export interface NamedThing {
  readonly kind: 'task' | 'plan';
  readonly id: string;
  readonly range: Range;
}

/** What can be renamed at a position. */
export function renamableAt(inspected: InspectedDocument, position: Position): NamedThing | undefined {
  const task = inspected.records.find(
    ({ kind, id, idRange }) => kind === 'task' && id !== undefined && contains(idRange, position),
  );
  if (task?.id !== undefined) return { kind: 'task', id: task.id, range: task.idRange };
  const reference = referenceAt(inspected, position);
  if (reference === undefined || (reference.kind !== 'task' && reference.kind !== 'plan')) return undefined;
  return { kind: reference.kind, id: reference.id, range: reference.range };
}

export function referenceAt(inspected: InspectedDocument, position: Position): DocumentReference | undefined {
  return inspected.references.find(({ range }) => contains(range, position));
}

/** Every place where the id stands: the record's own, and what names it. */
export function placesOf(inspected: InspectedDocument, { kind, id }: Pick<NamedThing, 'kind' | 'id'>): Range[] {
  const own = inspected.records.filter((record) => record.kind === kind && record.id === id);
  const named = inspected.references.filter((reference) => reference.kind === kind && reference.id === id);
  return [...own.map(({ idRange }) => idRange), ...named.map(({ range }) => range)];
}

/** Why a task cannot get that id, as a sentence. */
export function taskIdProblem(inspected: InspectedDocument, from: string, to: string): string | undefined {
  if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(to)) {
    return t('A task ID consists of lower-case letters and digits, with hyphens between words.');
  }
  const isTaken = to !== from && inspected.records.some(({ kind, id }) => kind === 'task' && id === to);
  return isTaken ? t`A task "${to}" already exists.` : undefined;
}

/** The edits that give a task another id, wherever its backlog names it. */
export function renameEdits(inspected: InspectedDocument, from: string, to: string): TextEdit[] {
  const text = isPlainWord(to) ? to : `"${to}"`;
  return placesOf(inspected, { kind: 'task', id: from }).map((range) => ({ range, text }));
}

/** What YAML takes for text without quotes. */
function isPlainWord(text: string): boolean {
  return /^[a-z]/.test(text) && !['null', 'true', 'false'].includes(text);
}

function contains({ start, end }: Range, { line, character }: Position): boolean {
  const isAfter = line > start.line || (line === start.line && character >= start.character);
  return isAfter && (line < end.line || (line === end.line && character <= end.character));
}
