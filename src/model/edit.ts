import { assert } from '../base/assert.ts';
import { isJsonArray, isJsonObject, type Json, objectFrom, ownValue } from './json.ts';

/** Keys and zero-based positions from the root of a value to a place inside it. */
export type JsonPath = readonly (string | number)[];

/**
 * A change of a value, whatever text carries it.
 * - `set` replaces what is at `path`, or adds the key there; parents that are missing or null become objects.
 * - `delete` removes a key or an item; nothing there is no error.
 * - `insert` puts `value` into the list at `path`, before the item at `index` (0 to the list's length); a list that is
 *   missing or null counts as empty.
 * - `move` takes the item at `from` out of the list at `path` and puts it back so that it stands at `to`.
 */
export type Edit =
  | { readonly op: 'set'; readonly path: JsonPath; readonly value: Json }
  | { readonly op: 'delete'; readonly path: JsonPath }
  | { readonly op: 'insert'; readonly path: JsonPath; readonly index: number; readonly value: Json }
  | { readonly op: 'move'; readonly path: JsonPath; readonly from: number; readonly to: number };

/** The value after all edits, one after the other; throws `AssertionError` if one does not fit. */
export function applyEdits(value: Json, edits: readonly Edit[]): Json {
  let result = value;
  for (const edit of edits) result = applyEdit(result, edit) ?? null;
  return result;
}

/** What is at `path`, or undefined. */
export function valueAt(value: Json, path: JsonPath): Json | undefined {
  let at: Json | undefined = value;
  for (const step of path) {
    if (at === undefined) return undefined;
    at = child(at, step);
  }
  return at;
}

function applyEdit(value: Json, edit: Edit): Json | undefined {
  switch (edit.op) {
    case 'set':
      return changeAt(value, edit.path, () => edit.value);
    case 'delete':
      return valueAt(value, edit.path) === undefined ? value : changeAt(value, edit.path, () => undefined);
    case 'insert':
      return changeAt(value, edit.path, (old) => insertItem(old, edit.index, edit.value));
    case 'move':
      return changeAt(value, edit.path, (old) => moveItem(old, edit.from, edit.to));
  }
}

/** Rebuilds the value along `path`; `change` answers undefined to remove what it was given. */
function changeAt(
  value: Json | undefined,
  path: JsonPath,
  change: (old: Json | undefined) => Json | undefined,
): Json | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return change(value);
  if (typeof step === 'number') {
    assert(isJsonArray(value) && step >= 0 && step < value.length, `there is no item ${step}`);
    const item = changeAt(value[step], rest, change);
    return item === undefined ? value.toSpliced(step, 1) : value.with(step, item);
  }
  const object = value ?? {};
  assert(isJsonObject(object), `there is no key ${JSON.stringify(step)}`);
  const item = changeAt(ownValue(object, step), rest, change);
  const entries = Object.entries(object);
  const at = entries.findIndex(([key]) => key === step);
  if (item === undefined) return objectFrom(entries.filter(([key]) => key !== step));
  return objectFrom(at < 0 ? [...entries, [step, item]] : entries.with(at, [step, item]));
}

function insertItem(old: Json | undefined, index: number, value: Json): Json {
  const list = old ?? [];
  assert(isJsonArray(list), 'only a list takes items');
  assert(
    Number.isInteger(index) && index >= 0 && index <= list.length,
    `a list of ${list.length} has no place ${index}`,
  );
  return list.toSpliced(index, 0, value);
}

function moveItem(old: Json | undefined, from: number, to: number): Json {
  assert(isJsonArray(old), 'only the items of a list move');
  const item = old[from];
  assert(item !== undefined, `there is no item ${from}`);
  assert(Number.isInteger(to) && to >= 0 && to < old.length, `a list of ${old.length} has no item ${to}`);
  return old.toSpliced(from, 1).toSpliced(to, 0, item);
}

function child(value: Json, step: string | number): Json | undefined {
  if (typeof step === 'number') return isJsonArray(value) ? value[step] : undefined;
  return isJsonObject(value) ? ownValue(value, step) : undefined;
}
