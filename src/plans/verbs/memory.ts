import { defined } from '../../base/defined.ts';
import { plural } from '../../base/text.ts';
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
  'memory/show': showEntry,
  'memory/add': addEntry,
  'memory/set-title': setTitle,
  'memory/set-body': setBody,
  'memory/delete': deleteEntry,
  'memory/merge': mergeEntries,
  'memory/init': ({ body }, context) =>
    fillFile({ file, list: 'entries', schema: memorySchema, noun: 'entries' }, body, context),
};

function listEntries({ bodies }: VerbArgs<'memory/list'>, context: VerbContext): VerbEffect {
  const { entries } = readMemory(context);
  const rows = bodies === true ? entries : entries.map(({ id, title }) => ({ id, title }));
  return readEffect({ entries: rows }, plural(rows.length, 'entry', 'entries'));
}

function showEntry({ id }: VerbArgs<'memory/show'>, context: VerbContext): VerbEffect {
  return readEffect(findEntry(id, context).record, `entry ${id}`);
}

function addEntry(args: VerbArgs<'memory/add'>, context: VerbContext): VerbEffect {
  const { entries } = readMemory(context);
  const id = allocateSlug(args.title, new Set(entries.map((entry) => entry.id)), 'entry');
  const claims = [...new Set(args.claims ?? [])];
  const value = {
    id,
    title: args.title,
    body: bodyText(args.body, 'body', context),
    ...defined({ source: args.source, 'source-session': context.session }),
    ...(claims.length > 0 && { claims }),
  };
  const edit: YamlEdit = { op: 'insert', path: ['entries'], index: entries.length, value };
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

/** In a dream an entry may go only where another says the same; the map then names that one. */
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

function findEntry(id: string, context: VerbContext) {
  return findRecord(readMemory(context).entries, id, 'entry', context);
}
