import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyEdits } from '../../src/model/edit.ts';
import type { JsonObject } from '../../src/model/json.ts';
import { type Conflict, type Merge, mergeRecords } from '../../src/model/merge.ts';
import { recordFiles, threeSides } from '../support/records.ts';

const lists = ['tasks', 'received'];

function mergedValue(merge: Merge): JsonObject {
  if ('conflicts' in merge) throw new Error(`unexpected conflicts: ${JSON.stringify(merge.conflicts)}`);
  return merge.value;
}

describe('a three-way merge', () => {
  function check([base, session, person]: readonly JsonObject[], expected: JsonObject): void {
    const merge = mergeRecords({ base: base ?? {}, session: session ?? {}, person: person ?? {} }, lists);
    expect(mergedValue(merge)).toEqual(expected);
  }
  const tasks = (...records: JsonObject[]): JsonObject => ({ tasks: records });

  test.each<[string, [JsonObject, JsonObject, JsonObject], JsonObject]>([
    [
      'combines changes to different fields of one record, known or not',
      [tasks({ id: 'a', t: 1, u: 1 }), tasks({ id: 'a', t: 2, u: 1 }), tasks({ id: 'a', t: 1, u: 3, w: 4 })],
      tasks({ id: 'a', t: 2, u: 3, w: 4 }),
    ],
    [
      'accepts the same change on both sides',
      [tasks({ id: 'a', t: 1 }), tasks({ id: 'a', t: 2 }), tasks({ id: 'a', t: 2 })],
      tasks({ id: 'a', t: 2 }),
    ],
    [
      'keeps a removed field removed',
      [tasks({ id: 'a', t: 1 }), tasks({ id: 'a' }), tasks({ id: 'a', t: 1, u: 2 })],
      tasks({ id: 'a', u: 2 }),
    ],
    [
      'keeps the records added on both sides',
      [{}, tasks({ id: 'a' }), tasks({ id: 'b' })],
      tasks({ id: 'a' }, { id: 'b' }),
    ],
    [
      'keeps a deletion by the session',
      [tasks({ id: 'a' }, { id: 'b' }), tasks({ id: 'b' }), tasks({ id: 'a' }, { id: 'b', t: 1 })],
      tasks({ id: 'b', t: 1 }),
    ],
    ['keeps a deletion by the person', [tasks({ id: 'a' }), tasks({ id: 'a' }), tasks()], tasks()],
    ['accepts a deletion on both sides', [tasks({ id: 'a' }), tasks(), tasks()], tasks()],
    [
      'combines changes to top-level keys',
      [
        { x: 1, y: 1 },
        { x: 2, y: 1 },
        { x: 1, y: 3, z: 4 },
      ],
      { x: 2, y: 3, z: 4 },
    ],
    ['treats a list that is not a record list as one value', [{ q: [1] }, { q: [2] }, { q: [1] }], { q: [2] }],
    [
      'keeps a message that arrived in the meantime',
      [
        { tasks: [], received: [] },
        { tasks: [{ id: 'a' }], received: [] },
        { tasks: [], received: [{ id: 'm' }] },
      ],
      { tasks: [{ id: 'a' }], received: [{ id: 'm' }] },
    ],
    [
      'adds a record once if both sides added the same one',
      [{}, tasks({ id: 'a', t: 1 }), tasks({ id: 'a', t: 1 })],
      tasks({ id: 'a', t: 1 }),
    ],
  ])('%s', (_, sides, expected) => check(sides, expected));

  test('renames a record of the session if the person added one with the same id, and updates references to it', () => {
    const base = {
      tasks: [
        { id: 'old', dependencies: ['gone'] },
        { id: 'same', dependencies: ['fix'] },
      ],
    };
    const merge = mergeRecords(
      {
        base,
        session: {
          tasks: [
            { id: 'old', dependencies: ['gone', 'fix'] },
            { id: 'same', dependencies: ['fix'] },
            { id: 'fix', title: 'session' },
            { id: 'more', dependencies: ['fix', 'old'], claims: ['fix'], other: ['fix'] },
          ],
        },
        person: { tasks: [...base.tasks, { id: 'fix', title: 'person' }, { id: 'fix-2', dependencies: ['fix'] }] },
      },
      lists,
    );
    expect(mergedValue(merge)).toEqual({
      tasks: [
        { id: 'old', dependencies: ['gone', 'fix-3'] },
        { id: 'same', dependencies: ['fix'] },
        { id: 'fix-3', title: 'session' },
        { id: 'more', dependencies: ['fix-3', 'old'], claims: ['fix-3'], other: ['fix'] },
        { id: 'fix', title: 'person' },
        { id: 'fix-2', dependencies: ['fix'] },
      ],
    });
    expect('renamed' in merge && merge.renamed).toEqual(new Map([['tasks', new Map([['fix', 'fix-3']])]]));
  });
});

describe('a merge conflict arises', () => {
  function check([base, session, person]: readonly JsonObject[], expected: readonly Partial<Conflict>[]): void {
    const merge = mergeRecords({ base: base ?? {}, session: session ?? {}, person: person ?? {} }, lists);
    expect('conflicts' in merge && merge.conflicts).toMatchObject(expected);
  }
  const task = (record: JsonObject): JsonObject => ({ tasks: [{ id: 'a', ...record }] });

  test.each<[string, [JsonObject, JsonObject, JsonObject], Partial<Conflict>[]]>([
    [
      'if both sides change one field',
      [task({ t: 1 }), task({ t: 2 }), task({ t: 3 })],
      [{ list: 'tasks', record: 'a', field: 't', base: 1, session: 2, person: 3 }],
    ],
    [
      'if one side deletes a field that the other changes',
      [task({ t: 1 }), task({}), task({ t: 3 })],
      [{ field: 't', session: undefined, person: 3 }],
    ],
    [
      'if the session deletes a record that the person changed',
      [task({ t: 1 }), { tasks: [] }, task({ t: 3 })],
      [
        {
          record: 'a',
          session: undefined,
          person: { id: 'a', t: 3 },
          reason: 'The session deleted a, which a person changed.',
        },
      ],
    ],
    [
      'if the person deletes a record that the session changed',
      [task({ t: 1 }), task({ t: 2 }), { tasks: [] }],
      [{ record: 'a', person: undefined, reason: 'A person deleted a, which the session changed.' }],
    ],
    [
      'if both sides change one top-level key',
      [{ x: 1 }, { x: 2 }, { x: 3 }],
      [{ field: 'x', base: 1, session: 2, person: 3 }],
    ],
    ['if both sides change a list without ids', [{ tasks: [1] }, { tasks: [2] }, { tasks: [3] }], [{ field: 'tasks' }]],
    [
      'if a list holds an id twice',
      [task({}), { tasks: [{ id: 'a' }, { id: 'b' }] }, { tasks: [{ id: 'a' }, { id: 'a' }] }],
      [{ field: 'tasks' }],
    ],
    [
      'for each of several fields',
      [task({ t: 1, u: 1 }), task({ t: 2, u: 2 }), task({ t: 3, u: 3 })],
      [{ field: 't' }, { field: 'u' }],
    ],
  ])('%s', (_, sides, expected) => check(sides, expected));
});

describe('for any three sides', () => {
  const two = threeSides;

  test('a session that meets no other change is taken as it is', () =>
    fc.assert(
      fc.property(two, ({ base, session }) => {
        expect(mergedValue(mergeRecords({ base, session, person: base }, lists))).toEqual(session);
      }),
      { numRuns: 500 },
    ));

  test('a session without changes leaves the file of the person as it is', () =>
    fc.assert(
      fc.property(two, ({ base, person }) => {
        const merge = mergeRecords({ base, session: base, person }, lists);
        expect(mergedValue(merge)).toEqual(person);
        expect('edits' in merge && merge.edits).toEqual([]);
      }),
    ));

  test('two equal sides never conflict, whatever the base', () =>
    fc.assert(
      fc.property(recordFiles, recordFiles, (base, both) => {
        expect(mergedValue(mergeRecords({ base, session: both, person: both }, lists))).toEqual(both);
      }),
    ));

  test('ids stay unique, and the edits turn the file of the person into the result', () =>
    fc.assert(
      fc.property(two, (sides) => {
        const merge = mergeRecords(sides, lists);
        if ('conflicts' in merge) return;
        expect(applyEdits(sides.person, merge.edits)).toEqual(merge.value);
        const ids = recordsOf(merge.value).map((record) => record['id']);
        expect(new Set(ids).size).toBe(ids.length);
      }),
      { numRuns: 500 },
    ));

  test('a merge loses no change of the person or the session', () =>
    fc.assert(
      fc.property(two, (sides) => {
        const merge = mergeRecords(sides, lists);
        if ('conflicts' in merge) return;
        const merged = byId(merge.value);
        expectChanges(byId(sides.base), byId(sides.person), merged, new Map());
        expectChanges(byId(sides.base), byId(sides.session), merged, merge.renamed.get('tasks') ?? new Map());
      }),
      { numRuns: 1000 },
    ));
});

type ById = ReadonlyMap<string, JsonObject>;

function recordsOf(file: JsonObject): JsonObject[] {
  return (Array.isArray(file['tasks']) ? file['tasks'] : []) as JsonObject[];
}

function byId(file: JsonObject): ById {
  return new Map(recordsOf(file).map((record) => [String(record['id']), record]));
}

/** Every difference between `base` and `side` is in `merged`; references are skipped if ids were renamed. */
function expectChanges(base: ById, side: ById, merged: ById, renamed: ReadonlyMap<string, string>): void {
  for (const [id, before] of base)
    if (!side.has(id)) expect(merged.has(id), `${id} is back: ${JSON.stringify(before)}`).toBe(false);
  for (const [id, record] of side) {
    const before = base.get(id);
    const after = merged.get(renamed.get(id) ?? id);
    if (before === undefined) expect(after).toBeDefined();
    for (const field of new Set([...Object.keys(before ?? {}), ...Object.keys(record)])) {
      const isReference = renamed.size > 0 && (field === 'dependencies' || field === 'claims');
      if (field === 'id' || isReference || JSON.stringify(before?.[field]) === JSON.stringify(record[field])) continue;
      expect(after?.[field]).toEqual(record[field]);
    }
  }
}
