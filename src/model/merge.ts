import { applyEdits, type Edit } from './edit.ts';
import { allocateSlug } from './id.ts';
import { equalJson, isJsonArray, isJsonObject, type Json, type JsonObject, objectFrom, ownValue } from './json.ts';
import { mergeOrder, orderSteps } from './mergeOrder.ts';

/** A place where both sides changed the same thing in different ways; a side that has nothing there is undefined. */
export interface Conflict {
  /** Key of the list that the record stands in. */
  readonly list?: string;
  /** Id of the record; absent for a key of the file itself, and for the file as a whole. */
  readonly record?: string;
  readonly field?: string;
  readonly base?: Json | undefined;
  readonly session?: Json | undefined;
  readonly person?: Json | undefined;
  /** A whole sentence. */
  readonly reason: string;
}

export interface MergeSides {
  readonly base: JsonObject;
  readonly session: JsonObject;
  readonly person: JsonObject;
}

/** Either what to do to the person's value, and what comes of it, or every conflict there is. */
export type Merge =
  | {
      readonly edits: readonly Edit[];
      readonly value: JsonObject;
      /** New ids of session records whose own were taken meanwhile: list key to old id to new id. */
      readonly renamed: ReadonlyMap<string, ReadonlyMap<string, string>>;
    }
  | { readonly conflicts: readonly Conflict[] };

/** Fields that name other records by id. */
const referenceFields = ['dependencies', 'claims'];

type Records = ReadonlyMap<string, JsonObject>;

interface ListSides {
  readonly base: Records;
  readonly session: Records;
  readonly person: Records;
}

/**
 * Three-way merge, as a replay of the session's changes on what the person has now. The lists under `listKeys` merge
 * record by record, told apart by `id`, and their fields singly; every other key is one value. A list whose items are
 * not records with ids of their own is one value too.
 */
export function mergeRecords(sides: MergeSides, listKeys: readonly string[]): Merge {
  const edits: Edit[] = [];
  const conflicts: Conflict[] = [];
  const renamed = new Map<string, ReadonlyMap<string, string>>();
  for (const key of keysOf(sides.base, sides.session, sides.person)) {
    const lists = listKeys.includes(key) ? listSides(sides, key) : undefined;
    if (lists === undefined) {
      const field = mergeField(sides, key);
      if (field === 'conflict') conflicts.push(fieldConflict(sides, key, { field: key }));
      else if (field !== undefined) edits.push(withPath(field, []));
      continue;
    }
    const merge = mergeList(key, lists);
    conflicts.push(...merge.conflicts);
    edits.push(...merge.edits, ...exactForm(sides, key, merge.edits));
    if (merge.renamed.size > 0) renamed.set(key, merge.renamed);
  }
  if (conflicts.length > 0) return { conflicts };
  const value = applyEdits(sides.person, edits);
  return { edits, value: isJsonObject(value) ? value : {}, renamed };
}

/** The records of one list on all three sides; undefined if one of them is not a list of records. */
function listSides({ base, session, person }: MergeSides, key: string): ListSides | undefined {
  const [b, s, p] = [base, session, person].map((side) => recordsOf(ownValue(side, key)));
  return b && s && p ? { base: b, session: s, person: p } : undefined;
}

function recordsOf(value: Json | undefined): Records | undefined {
  if (value === undefined || value === null) return new Map();
  if (!isJsonArray(value)) return undefined;
  const records = new Map<string, JsonObject>();
  for (const item of value) {
    const id = isJsonObject(item) ? ownValue(item, 'id') : undefined;
    if (!isJsonObject(item) || typeof id !== 'string' || records.has(id)) return undefined;
    records.set(id, item);
  }
  return records;
}

interface ListMerge {
  readonly edits: Edit[];
  readonly conflicts: Conflict[];
  readonly renamed: ReadonlyMap<string, string>;
}

function mergeList(list: string, given: ListSides): ListMerge {
  const renamed = renameClashes(given);
  const sides = { ...given, session: withNewIds(given, renamed) };
  const { base, session, person } = sides;
  const conflicts: Conflict[] = [];
  const changes = new Map<string, Edit[]>();
  const gone = new Set<string>();
  for (const id of new Set([...base.keys(), ...session.keys(), ...person.keys()])) {
    const [b, s, p] = [base.get(id), session.get(id), person.get(id)];
    if (s !== undefined && p !== undefined) {
      const record = mergeRecord({ base: b ?? {}, session: s, person: p }, { list, record: id });
      conflicts.push(...record.conflicts);
      changes.set(id, record.edits);
    } else if (b !== undefined) {
      if (p !== undefined && equalJson(b, p)) gone.add(id);
      else if (p !== undefined || (s !== undefined && !equalJson(b, s)))
        conflicts.push(deleteConflict(list, id, [b, s, p]));
    }
  }
  if (conflicts.length > 0) return { edits: [], conflicts, renamed };
  return { edits: listEdits(list, sides, { changes, gone }), conflicts, renamed };
}

/** The edits of one list, in an order in which each one's positions are those that the ones before it leave. */
function listEdits(
  list: string,
  { base, session, person }: ListSides,
  { changes, gone }: { changes: ReadonlyMap<string, Edit[]>; gone: ReadonlySet<string> },
): Edit[] {
  const edits: Edit[] = [];
  const before = [...person.keys()];
  for (const [index, id] of before.entries()) {
    for (const edit of changes.get(id) ?? []) edits.push(withPath(edit, [list, index]));
  }
  for (const [index, id] of [...before.entries()].reverse()) {
    if (gone.has(id)) edits.push({ op: 'delete', path: [list, index] });
  }
  const kept = before.filter((id) => !gone.has(id));
  const isKept = (id: string) => (person.has(id) ? !gone.has(id) : session.has(id) && !base.has(id));
  const order = mergeOrder({ base: [...base.keys()], session: [...session.keys()], person: before }, isKept);
  for (const step of orderSteps(kept, order)) {
    if (step.op === 'move') edits.push({ op: 'move', path: [list], from: step.from, to: step.to });
    else edits.push({ op: 'insert', path: [list], index: step.index, value: session.get(step.id) ?? {} });
  }
  return edits;
}

/** Both sides added a record under one id, of different content: the session's gets another. */
function renameClashes({ base, session, person }: ListSides): ReadonlyMap<string, string> {
  const taken = new Set([...base.keys(), ...session.keys(), ...person.keys()]);
  const renamed = new Map<string, string>();
  for (const [id, record] of session) {
    const other = person.get(id);
    if (base.has(id) || other === undefined || equalJson(record, other)) continue;
    const name = allocateSlug(id, taken, 'record');
    taken.add(name);
    renamed.set(id, name);
  }
  return renamed;
}

/** The session's records under their new ids, with the references that the session itself made following them. */
function withNewIds({ base, session }: ListSides, renamed: ReadonlyMap<string, string>): Records {
  if (renamed.size === 0) return session;
  const records = [...session].map(([id, record]) => {
    const name = renamed.get(id) ?? id;
    const before = base.get(id);
    const entries = Object.entries(record).map(([field, value]): [string, Json] => {
      if (field === 'id') return [field, name];
      return [
        field,
        referenceFields.includes(field) ? follow(value, before && ownValue(before, field), renamed) : value,
      ];
    });
    return [name, objectFrom(entries)] as const;
  });
  return new Map(records);
}

function follow(value: Json, before: Json | undefined, renamed: ReadonlyMap<string, string>): Json {
  if (!isJsonArray(value)) return value;
  const old = isJsonArray(before) ? before : [];
  return value.map((item) => (typeof item === 'string' && !old.includes(item) ? (renamed.get(item) ?? item) : item));
}

function mergeRecord(
  sides: MergeSides,
  where: { list: string; record: string },
): { edits: Edit[]; conflicts: Conflict[] } {
  const edits: Edit[] = [];
  const conflicts: Conflict[] = [];
  for (const field of keysOf(sides.base, sides.session, sides.person)) {
    const merged = mergeField(sides, field);
    if (merged === 'conflict') conflicts.push(fieldConflict(sides, field, { ...where, field }));
    else if (merged !== undefined) edits.push(merged);
  }
  return { edits, conflicts };
}

/** What to do to the person's field; undefined for nothing. */
function mergeField({ base, session, person }: MergeSides, key: string): Edit | 'conflict' | undefined {
  const [b, s, p] = [ownValue(base, key), ownValue(session, key), ownValue(person, key)];
  if (equalJson(b, s) || equalJson(s, p)) return undefined;
  if (!equalJson(b, p)) return 'conflict';
  return s === undefined ? { op: 'delete', path: [key] } : { op: 'set', path: [key], value: s };
}

/**
 * An empty list, null and no key at all hold the same records. If the person left the key alone, the session's form
 * of it stands.
 */
function exactForm({ base, session, person }: MergeSides, key: string, edits: readonly Edit[]): Edit[] {
  const [b, s, p] = [ownValue(base, key), ownValue(session, key), ownValue(person, key)];
  if (!equalJson(b, p) || equalJson(b, s)) return [];
  if (edits.length > 0 && isJsonArray(s)) return [];
  if (s === undefined) return [{ op: 'delete', path: [key] }];
  return isJsonArray(s) && s.length > 0 ? [] : [{ op: 'set', path: [key], value: s }];
}

function fieldConflict(
  { base, session, person }: MergeSides,
  key: string,
  where: { list?: string; record?: string; field: string },
): Conflict {
  const of = where.record === undefined ? '' : ` of ${where.record}`;
  const reason = `The session and a person changed "${key}"${of} in different ways.`;
  const [b, s, p] = [ownValue(base, key), ownValue(session, key), ownValue(person, key)];
  return { ...where, base: b, session: s, person: p, reason };
}

function deleteConflict(
  list: string,
  record: string,
  [base, session, person]: readonly [JsonObject, JsonObject | undefined, JsonObject | undefined],
): Conflict {
  const [deleter, editor] = session === undefined ? ['The session', 'a person'] : ['A person', 'the session'];
  return { list, record, base, session, person, reason: `${deleter} deleted ${record}, which ${editor} changed.` };
}

function withPath(edit: Edit, path: readonly (string | number)[]): Edit {
  return { ...edit, path: [...path, ...edit.path] };
}

function keysOf(...objects: readonly JsonObject[]): Set<string> {
  return new Set(objects.flatMap((object) => Object.keys(object)));
}
