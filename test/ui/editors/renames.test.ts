import { describe, expect, test } from 'vitest';
import type { DocumentRecord, DocumentReference, InspectedDocument } from '../../../src/model/document.ts';
import { referenceAt, renamableAt, renameEdits, taskIdProblem } from '../../../src/ui/editors/renames.ts';

const at = (line: number, start: number, end: number) => ({
  start: { line, character: start },
  end: { line, character: end },
});

const task = (id: string, line: number): DocumentRecord => ({
  ...{ kind: 'task', list: 'tasks', id, title: id, range: at(line, 2, 90), idRange: at(line, 6, 6 + id.length) },
});

const names = (kind: DocumentReference['kind'], id: string, line: number): DocumentReference => ({
  ...{ kind, id, range: at(line, 10, 10 + id.length) },
});

const inspected: InspectedDocument = {
  kind: 'backlog',
  file: '/vault/backlog.yaml',
  findings: [],
  records: [task('one', 1), task('two', 5)],
  references: [names('task', 'one', 6), names('plan', 'shop/project-root', 8), names('expert', 'expert:rust', 9)],
};

describe('a name at a place', () => {
  test.each([
    ['a task at its id', 1, 7, { kind: 'task', id: 'one' }],
    ['a task at the end of its id', 1, 9, { kind: 'task', id: 'one' }],
    ['a task in the dependencies of another', 6, 12, { kind: 'task', id: 'one' }],
    ['a plan', 8, 20, { kind: 'plan', id: 'shop/project-root' }],
    ['no name on an expert', 9, 12, undefined],
    ['no name beside an id', 1, 20, undefined],
  ])('is found by namedAt: %s', (_name, line, character, expected) => {
    const named = renamableAt(inspected, { line, character });
    expect(named === undefined ? undefined : { kind: named.kind, id: named.id }).toEqual(expected);
  });

  test('is found by referenceAt if it is an expert, which cannot be renamed', () => {
    expect(referenceAt(inspected, { line: 9, character: 12 })?.id).toBe('expert:rust');
  });
});

describe('renaming a task', () => {
  test('changes every place of its id', () => {
    expect(renameEdits(inspected, 'one', 'three')).toEqual([
      { range: at(1, 6, 9), text: 'three' },
      { range: at(6, 10, 13), text: 'three' },
    ]);
  });

  test.each(['12', '1e3', 'true', 'null'])('to %s quotes the id, which YAML would read as another type', (id) => {
    expect(renameEdits(inspected, 'two', id)).toEqual([{ range: at(5, 6, 9), text: `"${id}"` }]);
  });

  test.each([
    ['Two words', 'lower-case letters'],
    ['', 'lower-case letters'],
    ['a--b', 'lower-case letters'],
    ['a: b', 'lower-case letters'],
    ['two', 'A task "two" already exists.'],
  ])('to "%s" is refused: %s', (id, problem) => expect(taskIdProblem(inspected, 'one', id)).toContain(problem));

  test('to its own id is allowed', () => expect(taskIdProblem(inspected, 'one', 'one')).toBeUndefined());
});
