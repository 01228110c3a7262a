import { defined } from '../../base/defined.ts';
import { oneLine, plural } from '../../base/text.ts';
import { rankMemory } from '../../knowledge/memory/rankMemory.ts';
import { type DamagedEntry, formatDamaged } from '../../model/damagedEntry.ts';
import { allocateSlug } from '../../model/id.ts';
import { type DreamMap, type MemoryEntry, memoryFingerprint, memorySchema } from '../../model/memory.ts';
import { planFiles } from '../../model/plan.ts';
import type { VerbArgs } from '../../model/verbs.ts';
import type { YamlEdit } from '../../yaml/yaml.ts';
import { fillFile } from './fillFile.ts';
import { bodyText, editEffect, findRecord, readEffect, readMemory, refusal } from './planRecords.ts';
import type { VerbContext, VerbEffect } from './verbContext.ts';
import type { VerbHandlers, VerbsOf } from './verbHandlers.ts';

const file = planFiles.memory;

export const memoryVerbs: VerbHandlers<VerbsOf<'memory'>> = {
  'memory/list': listEntries,
  'memory/search': searchEntries,
  'memory/show': showEntries,
  'memory/add': addEntry,
  'memory/set-title': setTitle,
  'memory/set-body': setBody,
  'memory/delete': deleteEntry,
  'memory/merge': mergeEntries,
  'memory/init': ({ body }, context) =>
    fillFile({ file, list: 'entries', schema: memorySchema, noun: 'entries' }, body, context),
};

function listEntries({ bodies }: VerbArgs<'memory/list'>, context: VerbContext): VerbEffect {
  const { entries, damaged } = readMemory(context);
  return rowsOf(entries, damaged, bodies);
}

/** Entries that are found unless told. */
const foundUsually = 10;
const damagedShown = 20;

function searchEntries({ text, limit = foundUsually, bodies }: VerbArgs<'memory/search'>, context: VerbContext) {
  const { entries, damaged } = readMemory(context);
  return rowsOf(rankMemory({ title: text }, entries, { limit }), damaged, bodies);
}

/** Damaged entries are told of each time: whatever is asked may be in one of them. */
function rowsOf(
  entries: readonly MemoryEntry[],
  damaged: readonly DamagedEntry[],
  bodies: boolean | undefined,
): VerbEffect {
  const rows = bodies === true ? entries : entries.map(({ id, title }) => ({ id, title }));
  const told = damaged.length === 0 ? {} : { damaged: damaged.slice(0, damagedShown).map(formatDamaged) };
  const effect = readEffect({ entries: rows, ...told }, plural(rows.length, 'entry', 'entries'));
  return bodies === true ? { ...effect, readWhole: entries.map(({ id }) => id) } : effect;
}

/** One by its id as it stands; of a list each, once. The command line names several with commas between them. */
function showEntries({ id: named }: VerbArgs<'memory/show'>, context: VerbContext): VerbEffect {
  const isList = typeof named === 'string' && named.includes(',') && !isNamed(named, context);
  const asked = isList ? named.split(',').map((one) => one.trim()) : named;
  if (typeof asked === 'string') {
    const { record } = findNamed(asked, context);
    return { ...readEffect(record, `entry ${record.id}`), readWhole: [record.id] };
  }
  const found = new Map(asked.map((one) => findNamed(one, context)).map(({ record }) => [record.id, record]));
  const entries = [...found.values()];
  const effect = readEffect({ entries }, plural(entries.length, 'entry', 'entries'));
  return { ...effect, readWhole: entries.map(({ id }) => id) };
}

/** Prompts list entries by their titles, on one line each. */
function findNamed(name: string, context: VerbContext) {
  const { entries } = readMemory(context);
  if (entries.some(({ id }) => id === name)) return findEntry(name, context);
  const [titled, ...others] = entries.filter(({ title }) => oneLine(title) === oneLine(name));
  return findEntry(others.length === 0 ? (titled?.id ?? name) : name, context);
}

function isNamed(name: string, context: VerbContext): boolean {
  return readMemory(context).entries.some(({ id, title }) => id === name || oneLine(title) === oneLine(name));
}

function addEntry(args: VerbArgs<'memory/add'>, context: VerbContext): VerbEffect {
  const { entries, damaged, count } = readMemory(context);
  const taken = new Set([...entries, ...damaged].flatMap((entry) => entry.id ?? []));
  const id = allocateSlug(args.title, taken, 'entry');
  const claims = [...new Set(args.claims ?? [])];
  const value = {
    id,
    title: args.title,
    body: bodyText(args.body, 'body', context),
    ...defined({ source: args.source, 'source-session': context.session }),
    ...(claims.length > 0 && { claims }),
  };
  const edit: YamlEdit = { op: 'insert', path: ['entries'], index: count, value };
  return editEffect(file, [edit], context, { result: { id }, summary: `added entry ${id}` });
}

function setTitle({ id, title }: VerbArgs<'memory/set-title'>, context: VerbContext): VerbEffect {
  const { index } = findEntry(id, context);
  const edit: YamlEdit = { op: 'set', path: ['entries', index, 'title'], value: title };
  return editEffect(file, [edit], context, { result: { id, title }, summary: `${id} is now titled "${title}"` });
}

function setBody({ id, body }: VerbArgs<'memory/set-body'>, context: VerbContext): VerbEffect {
  const { index } = findEntry(id, context);
  const edit: YamlEdit = { op: 'set', path: ['entries', index, 'body'], value: bodyText(body, 'body', context) };
  return editEffect(file, [edit], context, { result: { id }, summary: `set the body of ${id}` });
}

/** In a dream an entry may go only if another says the same; the map then names that one. */
function deleteEntry({ id }: VerbArgs<'memory/delete'>, context: VerbContext): VerbEffect {
  const { index, record } = findEntry(id, context);
  const twin = context.phase === 'dream' ? duplicateOf(record, context) : undefined;
  const edit: YamlEdit = { op: 'delete', path: ['entries', index] };
  const effect = editEffect(file, [edit], context, { result: { id }, summary: `deleted entry ${id}` });
  return twin === undefined ? effect : { ...effect, dreamMap: redirect(context.dreamMap, [id], twin.id) };
}

function duplicateOf(entry: MemoryEntry, context: VerbContext): MemoryEntry {
  const fingerprint = memoryFingerprint(entry);
  const { entries } = readMemory(context);
  const twin = entries.find((other) => other.id !== entry.id && memoryFingerprint(other) === fingerprint);
  if (twin !== undefined) return twin;
  const message = `The entry "${entry.id}" is not an exact duplicate of another, and a dream loses nothing.`;
  throw refusal('state/notAllowed', message, context, 'Use memory_merge to put what it says into another entry.');
}

function mergeEntries(args: VerbArgs<'memory/merge'>, context: VerbContext): VerbEffect {
  const { into, title } = args;
  const target = findEntry(into, context);
  const from = [...new Set(args.from)].filter((id) => id !== into);
  if (from.length === 0)
    throw refusal('state/badArguments', `An entry cannot be merged into itself: "${into}".`, context);
  const gone = from.map((id) => findEntry(id, context).index).sort((a, b) => b - a);
  const body = bodyText(args.body, 'body', context);
  const edits: YamlEdit[] = [{ op: 'set', path: ['entries', target.index, 'body'], value: body }];
  if (title !== undefined) edits.push({ op: 'set', path: ['entries', target.index, 'title'], value: title });
  // From last to first, so that earlier indexes stay valid.
  for (const index of gone) edits.push({ op: 'delete', path: ['entries', index] });
  const effect = editEffect(file, edits, context, {
    result: { into, from },
    summary: `merged ${from.join(', ')} into ${into}`,
  });
  return { ...effect, dreamMap: redirect(context.dreamMap, from, into) };
}

/** The map with `gone` pointing at `into`, and so everything that pointed at one of them before. */
function redirect(map: DreamMap, gone: readonly string[], into: string): DreamMap {
  const next = new Map<string, readonly string[]>();
  for (const [old, homes] of Object.entries(map)) {
    next.set(old, [...new Set(homes.map((home) => (gone.includes(home) ? into : home)))]);
  }
  for (const id of gone) next.set(id, [...new Set([...(next.get(id) ?? []), into])]);
  return Object.fromEntries(next);
}

/** The entry, and where it stands in the list of the file. */
function findEntry(id: string, context: VerbContext) {
  const { entries, places } = readMemory(context);
  const { index, record } = findRecord(entries, id, 'entry', context);
  return { index: places[index] ?? index, record };
}
