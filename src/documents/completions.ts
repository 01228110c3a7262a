import { defined } from '../base/defined.ts';
import type { Position, Range } from '../base/errors.ts';
import {
  type Completion,
  type DocumentRecord,
  isFrontmatterKind,
  isYamlKind,
  type YamlKind,
} from '../model/document.ts';
import { entryLinkKeys } from '../model/entry.ts';
import { formatEntryLink } from '../model/entryLink.ts';
import { allowedWords, type JsonSchema, jsonSchemaOf, schemaAt } from '../model/jsonSchemas.ts';
import { keyMeanings } from '../model/keyMeanings.ts';
import { phases } from '../model/phase.ts';
import { settingAt, settingPaths, settingRows } from '../model/settingRows.ts';
import { defaultSettings } from '../model/settings.ts';
import type { EntryIndex } from '../vault/entryIndex.ts';
import { parseSource } from '../yaml/yamlDocument.ts';
import type { DocumentPlace } from './documentPlace.ts';
import { frontmatterPart } from './frontmatterFindings.ts';
import { type Names, namesFor } from './lookUp.ts';
import { policyValues } from './policyCompletions.ts';
import { ruleMeaningAt } from './policyMeaning.ts';
import { type NamedBy, namedAt } from './recordShapes.ts';
import { documentRecords } from './records.ts';
import { type YamlCursor, yamlCursorAt } from './yamlCursor.ts';

/** What is known where a text is completed. */
export interface CompletionWorld {
  readonly place: DocumentPlace;
  readonly names: Names;
  /** Each plan with what it is for, as far as that is known. */
  readonly descriptions: ReadonlyMap<string, string>;
  /** All entries, where one is completed. */
  readonly entries?: EntryIndex;
}

/** What can stand at a position, the nearest first. */
export function completionsAt(text: string, position: Position, world: CompletionWorld): Completion[] {
  const lines = text.split(/\r?\n/);
  const note = noteAt(lines, position, world);
  if (note !== undefined) return note;
  const { kind } = world.place;
  if (kind === 'phase') return position.line === 0 ? words(phases, wholeLine(lines, position), 'word') : [];
  if (kind === 'settings') return settingsAt(lines, position);
  if (!isYamlKind(kind)) return [];
  const own = yamlLines(kind, text, lines, position);
  const cursor = own === undefined ? undefined : yamlCursorAt(own.lines, position.line - own.above, position.character);
  return cursor === undefined ? [] : yamlAt(kind, text, cursor, { ...world, line: position.line });
}

/** What the key at a position means, in Markdown. */
export function meaningAt(
  text: string,
  position: Position,
  place: DocumentPlace,
): { readonly range: Range; readonly meaning: string } | undefined {
  const { kind } = place;
  const rule = kind === 'policy' ? ruleMeaningAt(text, position, place) : undefined;
  if (rule !== undefined) return rule;
  const lines = text.split(/\r?\n/);
  const line = lines[position.line] ?? '';
  const key = /^(\s*(?:-\s+)*)([\w.-]+)(?=\s*[:=])/.exec(line);
  if (key === null) return undefined;
  const [start, name] = [(key[1] ?? '').length, key[2] ?? ''];
  const end = start + name.length;
  if (position.character < start || position.character > end) return undefined;
  const range = { start: { line: position.line, character: start }, end: { line: position.line, character: end } };
  const meaning = kind === 'settings' ? settingMeaning(lines, position.line, name) : undefined;
  if (meaning !== undefined) return { range, meaning };
  if (!isYamlKind(kind)) return undefined;
  const own = yamlLines(kind, text, lines, position);
  const cursor = own === undefined ? undefined : yamlCursorAt(own.lines, position.line - own.above, start);
  if (cursor === undefined) return undefined;
  const path = [...cursor.path, name].join('.');
  const found = keyMeanings[kind][path];
  return found === undefined ? undefined : { range, meaning: found };
}

/** The lines that are YAML, when the position is in one of them. */
function yamlLines(kind: YamlKind, text: string, lines: readonly string[], { line }: Position) {
  if (!isFrontmatterKind(kind)) return { lines, above: 0 };
  const part = frontmatterPart(text);
  const end = part === undefined ? lines.length : part.text.split('\n').length;
  return lines[0]?.trimEnd() === '---' && line > 0 && line < end ? { lines: lines.slice(1, end), above: 1 } : undefined;
}

function yamlAt(
  kind: YamlKind,
  text: string,
  { path, slot, start, end }: YamlCursor,
  world: CompletionWorld & { readonly line: number },
): Completion[] {
  const { line } = world;
  const range = { start: { line, character: start }, end: { line, character: end } };
  const schema = jsonSchemaOf(kind);
  if (slot.kind === 'key') return keysOf(schemaAt(schema, path), slot.present, range);
  const isQuoted = /["']/.test((text.split(/\r?\n/)[line] ?? '').charAt(start - 1));
  const plans = world.names.plans.map(({ id }) => id);
  const ofPolicy = kind === 'policy' ? policyValues({ path, slot }, plans, { range, isQuoted }) : undefined;
  if (ofPolicy !== undefined) return ofPolicy;
  const ofEntries = kind === 'entry' ? entryValues(slot.key, range, world) : [];
  if (ofEntries.length > 0) return ofEntries;
  const named = namedAt(kind, path, slot.key);
  if (named !== undefined) return names(named, { kind, text, taken: new Set(slot.siblings), range }, world);
  const at = schemaAt(schema, [...path, slot.key]);
  if (slot.kind === 'item') {
    const keys = keysOf(schemaAt(at, ['*']), slot.present, range);
    if (keys.length > 0) return keys;
  }
  return words(allowedWords(at ?? undefined).concat(allowedWords(schemaAt(at, ['*']))), range, 'word');
}

function keysOf(schema: JsonSchema | undefined, present: ReadonlySet<string>, range: Range): Completion[] {
  if (schema === undefined) return [];
  const all = [schema, ...(schema.anyOf ?? [])].flatMap((one) =>
    Object.entries(one.properties ?? {}).map(([key, value]) => ({
      key,
      value,
      isRequired: one.required?.includes(key) === true,
    })),
  );
  return all
    .filter(({ key }) => !present.has(key))
    .map(({ key, value, isRequired }) => ({
      label: key,
      kind: 'key',
      insert: `${key}: `,
      range,
      ...(isRequired && { detail: 'required' }),
      ...defined({ documentation: value.description }),
    }));
}

interface NamePlace {
  readonly kind: YamlKind;
  readonly text: string;
  readonly taken: ReadonlySet<string>;
  readonly range: Range;
}

function names(by: NamedBy, { kind, text, taken, range }: NamePlace, world: CompletionWorld): Completion[] {
  if (by === 'task' || by === 'claim') {
    const records = by === 'claim' ? world.names.claims : tasksOf(kind, text, world);
    const owner = by === 'task' ? records.find((one) => holds(one.range, range)) : undefined;
    return records
      .filter(({ id }) => id !== undefined && id !== owner?.id && !taken.has(id))
      .map(({ id = '', title, state }) => ({
        ...{ label: id, kind: 'reference', insert: id, range, documentation: title, filter: `${id} ${title}` },
        ...defined({ detail: state }),
      }));
  }
  const own = String(world.place.plan?.id ?? '');
  return namesFor(by, world.names)
    .filter((name) => name !== own && !taken.has(name))
    .toSorted((one, other) => shared(other, own) - shared(one, own) || (one < other ? -1 : 1))
    .map((name) => named(name, range, world));
}

function named(name: string, range: Range, { names: { experts }, descriptions }: CompletionWorld): Completion {
  const expert = experts.find(({ id }) => name === id || name === `expert:${id}`);
  const documentation = expert?.description ?? descriptions.get(name);
  return {
    ...{ label: name, kind: 'reference', insert: name, range },
    ...(documentation !== undefined && { documentation, filter: `${name} ${documentation}` }),
  };
}

function tasksOf(kind: YamlKind, text: string, { place }: CompletionWorld): readonly DocumentRecord[] {
  return documentRecords(kind, parseSource(text, place)).records.filter((one) => one.kind === 'task');
}

/** Entries where a link stands, and the tags that other entries have. */
function entryValues(key: string, range: Range, { entries, place }: CompletionWorld): Completion[] {
  const heads = (entries?.heads ?? []).filter(({ file }) => file !== place.file);
  if (key === 'tags') return words([...new Set(heads.flatMap(({ fields }) => fields.tags))].sort(), range, 'word');
  if (!entryLinkKeys.some((one) => one === key)) return [];
  return heads.flatMap(({ fields }) => {
    const link = formatEntryLink(fields.title);
    return link === undefined ? [] : [entryCompletion(fields.title, `"${link}"`, range, fields.confidence)];
  });
}

function entryCompletion(title: string, insert: string, range: Range, detail: string): Completion {
  return { label: title, kind: 'reference', insert, range, detail, filter: `${insert} ${title}` };
}

/** Right behind `[[`: entries, and the notes of plans. */
function noteAt(lines: readonly string[], { line, character }: Position, world: CompletionWorld) {
  const source = lines[line] ?? '';
  const start = source.lastIndexOf('[[', character - 1);
  if (start < 0 || source.slice(start, character).includes(']]')) return undefined;
  const tail = /^[^[\]]*(\]\])?/.exec(source.slice(character));
  const isClosed = tail?.[1] !== undefined;
  const end = isClosed ? character + (tail?.[0].length ?? 0) - 2 : character;
  const range = { start: { line, character: start + 2 }, end: { line, character: end } };
  const own = String(world.place.plan?.id ?? '');
  const ending = isClosed ? '' : ']]';
  const entries = (world.entries?.heads ?? [])
    .filter(({ file, fields }) => file !== world.place.file && formatEntryLink(fields.title) !== undefined)
    .map(({ fields }) => entryCompletion(fields.title, `${fields.title}${ending}`, range, fields.confidence));
  const plans = world.names.plans
    .map(({ id }) => String(id))
    .toSorted((one, other) => shared(other, own) - shared(one, own) || (one < other ? -1 : 1))
    .map((id): Completion => {
      const link = `projects/${id}/plan-state|${id}${ending}`;
      return { ...named(id, range, world), kind: 'file', insert: link, filter: `${link} ${id}` };
    });
  return [...entries, ...plans];
}

/** Keys and tables of `daemon.toml`. */
function settingsAt(lines: readonly string[], { line, character }: Position): Completion[] {
  const source = lines[line] ?? '';
  const before = source.slice(0, character);
  const end = character + (/^[\w.-]*/.exec(source.slice(character))?.[0].length ?? 0);
  const header = /^\s*\[\s*([\w.-]*)$/.exec(before);
  if (header !== null) {
    const tables = [...new Set(settingPaths.map((path) => path.slice(0, path.lastIndexOf('.'))))];
    const start = character - (header[1] ?? '').length;
    return words(tables, { start: { line, character: start }, end: { line, character: end } }, 'key');
  }
  const key = /^\s*([\w-]*)$/.exec(before);
  if (key === null) return [];
  const table = tableAt(lines, line);
  const range = { start: { line, character: character - (key[1] ?? '').length }, end: { line, character: end } };
  return settingPaths
    .filter((path) => path.slice(0, path.lastIndexOf('.')) === table)
    .map((path) => {
      const name = path.slice(path.lastIndexOf('.') + 1);
      const value = settingAt(defaultSettings, path);
      const insert = `${name} = ${JSON.stringify(value) ?? ''}`;
      const detail = value === undefined ? {} : { detail: JSON.stringify(value) };
      return { label: name, kind: 'key', insert, range, documentation: settingRows[path].meaning, ...detail };
    });
}

function settingMeaning(lines: readonly string[], line: number, key: string): string | undefined {
  const wanted = `${tableAt(lines, line)}.${key}`;
  const path = settingPaths.find((one) => one === wanted);
  return path === undefined ? undefined : settingRows[path].meaning;
}

function tableAt(lines: readonly string[], line: number): string {
  for (let n = line; n >= 0; n--) {
    const header = /^\s*\[([^\]]+)\]/.exec(lines[n] ?? '')?.[1]?.trim();
    if (header !== undefined) return header;
  }
  return '';
}

function words(all: readonly string[], range: Range, kind: Completion['kind']): Completion[] {
  return [...new Set(all)].map((label) => ({ label, kind, insert: label, range }));
}

function wholeLine(lines: readonly string[], { line }: Position): Range {
  return { start: { line, character: 0 }, end: { line, character: (lines[line] ?? '').length } };
}

/** How many parts two ids have in common from their beginning. */
function shared(one: string, other: string): number {
  const parts = other.split('/');
  const split = one.split('/').findIndex((part, at) => part !== parts[at]);
  return split < 0 ? parts.length : split;
}

function holds(outer: Range, inner: Range): boolean {
  return outer.start.line <= inner.start.line && inner.start.line <= outer.end.line;
}
