import * as fc from 'fast-check';
import type { Json, JsonObject } from '../../src/model/json.ts';

/** Files of record lists and how two people change them. */
const ids = ['a', 'b', 'c', 'd', 'e', 'a-2'];
const fieldValues: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom('x', 'y', 'two\nlines\n', 'no', ''),
  fc.constant(null),
  fc.integer({ min: 0, max: 3 }),
  fc.subarray(ids).map((list): Json => list),
);

const records: fc.Arbitrary<JsonObject> = fc.dictionary(
  fc.constantFrom('title', 'body', 'dependencies', 'claims', 'unknown'),
  fieldValues,
  { noNullPrototype: true },
) as fc.Arbitrary<JsonObject>;

const lists: fc.Arbitrary<Json> = fc
  .tuple(fc.shuffledSubarray(ids), fc.array(records, { minLength: ids.length, maxLength: ids.length }))
  .map(([chosen, contents]): Json => chosen.map((id, index) => ({ id, ...contents[index] })));

export const recordFiles: fc.Arbitrary<JsonObject> = fc
  .tuple(
    fc.oneof({ weight: 8, arbitrary: lists }, { weight: 1, arbitrary: fc.constantFrom<Json>(null, []) }),
    fc.boolean(),
    fieldValues,
  )
  .map(([tasks, hasNote, note]) => ({ tasks, ...(hasNote && { note }) }));

/** A file that is near `base`: some records dropped, moved, changed or added. */
export function changesOf(base: JsonObject): fc.Arbitrary<JsonObject> {
  const before = (Array.isArray(base['tasks']) ? base['tasks'] : []) as JsonObject[];
  return fc
    .record({
      kept: fc.oneof(fc.constant(before), fc.subarray(before), fc.shuffledSubarray(before)),
      changed: fc.array(fc.option(fc.tuple(fc.constantFrom('title', 'body', 'dependencies'), fieldValues)), {
        maxLength: 6,
      }),
      added: fc.uniqueArray(fc.tuple(fc.constantFrom(...ids, 'new'), records, fc.nat(6)), {
        selector: ([id]) => id,
        maxLength: 2,
      }),
      note: fc.option(fieldValues, { nil: undefined }),
    })
    .map(({ kept, changed, added, note }) => {
      const tasks = kept.map((record, index): JsonObject => {
        const change = changed[index];
        return change ? { ...record, [change[0]]: change[1] } : record;
      });
      const taken = new Set(before.map((record) => record['id']));
      for (const [id, record, at] of added) if (!taken.has(id)) tasks.splice(at, 0, { id, ...record });
      return { ...base, tasks, ...(note !== undefined && { note }) };
    });
}

export const threeSides = recordFiles.chain((base) =>
  fc.record({ base: fc.constant(base), session: changesOf(base), person: changesOf(base) }),
);
