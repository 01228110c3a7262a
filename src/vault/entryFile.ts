import type { Diagnostic } from '../base/errors.ts';
import { sha256 } from '../base/files.ts';
import { isRecord } from '../base/json.ts';
import { diagnostic } from '../model/codes.ts';
import { type EntryFields, type EntryLinkKey, entryLinkKeys, entrySchema, isEntryFrontmatter } from '../model/entry.ts';
import { targetOfLink } from '../model/entryLink.ts';
import { numbersAsWritten, type YamlPlace } from '../yaml/yamlDocument.ts';
import { type EntrySection, sectionsOf, withoutMark } from './entryText.ts';
import { frontmatterFences, keyRange, parseFrontmatter } from './frontmatter.ts';

/** Where an entry is kept. */
export interface EntryPlace {
  /** Absolute path, through the vault. */
  readonly file: string;
  /** The project whose `knowledge/` it is in; empty for an entry of the vault itself. */
  readonly project: string;
  /** Path below that `knowledge/`, with `/`; of an archived entry, the path below the archive. */
  readonly path: string;
  /** Whether it is in the archive instead. */
  readonly isArchived: boolean;
}

/** A link of an entry to another one. */
export interface EntryLink {
  /** `body` for a link in the text. */
  readonly key: EntryLinkKey | 'body';
  /** What it names: a title, an alias, an id or a path. */
  readonly target: string;
}

/** An entry without its text: what lists and checks need. */
export interface EntryHead extends EntryPlace {
  readonly fields: EntryFields;
  readonly links: readonly EntryLink[];
  /** SHA-256 of the whole file. */
  readonly hash: string;
  /** Of the whole file, in UTF-8. */
  readonly bytes: number;
}

export interface KnowledgeEntry extends EntryHead {
  /** The whole file, with a byte order mark if it has one. */
  readonly text: string;
  readonly body: string;
  readonly sections: readonly EntrySection[];
}

/** What a file in `knowledge/` is. A plain note is found by a search, and has no place among entries. */
export type ParsedEntry =
  | { readonly kind: 'entry'; readonly entry: KnowledgeEntry; readonly diagnostics: readonly Diagnostic[] }
  | { readonly kind: 'note'; readonly diagnostics: readonly Diagnostic[] }
  | { readonly kind: 'broken'; readonly diagnostics: readonly Diagnostic[] };

/** An entry from the text of its file; never throws. */
export function parseEntry(text: string, place: EntryPlace): ParsedEntry {
  const { file } = place;
  const subject = entrySubject(place);
  if (text.includes('\0')) {
    const message = `${file} is not a text: it holds a zero byte.`;
    return { kind: 'broken', diagnostics: [diagnostic('entry/binary', subject, message, { file })] };
  }
  if (!withoutMark(text).startsWith('---')) return { kind: 'note', diagnostics: [] };
  const { data, body, diagnostics } = parseFrontmatter(text, { file, subject });
  if (diagnostics.some(({ severity }) => severity === 'error')) return { kind: 'broken', diagnostics };
  if (!isEntryFrontmatter(data)) return { kind: 'note', diagnostics };
  const parsed = entrySchema.safeParse(namesAsWritten(data, text, { file, subject }));
  if (!parsed.success) {
    const faults = parsed.error.issues.map(({ path, message }) => badKey(place, text, { path, message, data }));
    return { kind: 'broken', diagnostics: [...diagnostics, ...faults] };
  }
  const bytes = Buffer.byteLength(text);
  const entry: KnowledgeEntry = {
    ...place,
    ...{ fields: parsed.data, links: linksOf(parsed.data, body), hash: sha256(text), bytes },
    ...{ text, body, sections: sectionsOf(body) },
  };
  return { kind: 'entry', entry, diagnostics: [...diagnostics, ...markProblem(text, place)] };
}

/** Whom a diagnostic about a file of knowledge names: its path in the vault. */
export function entrySubject({ project, path, isArchived }: Omit<EntryPlace, 'file'>): string {
  const folder = isArchived ? 'archive/knowledge' : 'knowledge';
  return project === '' ? `${folder}/${path}` : `${project}/${folder}/${path}`;
}

/** Its path from the vault on, with `/`, by which it is found whatever its title. */
export function entryPathInVault(place: Omit<EntryPlace, 'file'>): string {
  return place.project === '' ? entrySubject(place) : `projects/${entrySubject(place)}`;
}

/** The folder of the vault's knowledge that an entry is in; empty for one of a project, or one right in `knowledge/`. */
export function axisOf({ project, path }: Pick<EntryPlace, 'project' | 'path'>): string {
  return project === '' && path.includes('/') ? path.slice(0, path.indexOf('/')) : '';
}

/** Links in the text of an entry, each target once; a text with more links is not written by hand. */
export function linksInBody(body: string): readonly string[] {
  const targets = new Set<string>();
  for (const [link] of body.matchAll(/\[\[[^[\]\n\r]{1,500}\]\]/g)) {
    const target = targetOfLink(link);
    if (target !== '') targets.add(target);
    if (targets.size >= linksMax) break;
  }
  return [...targets];
}

const linksMax = 500;

function linksOf(fields: EntryFields, body: string): EntryLink[] {
  const own = entryLinkKeys.flatMap((key) =>
    fields[key].map((link): EntryLink => ({ key, target: targetOfLink(link) })),
  );
  return [...own, ...linksInBody(body).map((target): EntryLink => ({ key: 'body', target }))];
}

/** Keys whose values are names: links lead there as they are written. */
const nameKeys = ['title', 'aliases'];

/** Names that YAML reads as numbers, such as `007` and `1.10`, as they are written. */
function namesAsWritten(data: unknown, text: string, place: YamlPlace): unknown {
  if (!isRecord(data)) return data;
  const odd = nameKeys.filter((key) => [data[key]].flat().some((value) => typeof value === 'number'));
  if (odd.length === 0) return data;
  const { yamlStart, yamlEnd } = frontmatterFences(text, place);
  return { ...data, ...numbersAsWritten(text.slice(yamlStart, yamlEnd), place, odd) };
}

function badKey(
  place: EntryPlace,
  text: string,
  { path, message, data }: { readonly path: readonly PropertyKey[]; readonly message: string; readonly data: unknown },
): Diagnostic {
  const [key] = path;
  const isMissing = path.length === 1 && isRecord(data) && (data[String(key)] ?? null) === null;
  const said = isMissing ? `The entry has no "${String(key)}".` : `${path.map(String).join('.')}: ${message}.`;
  return diagnostic('entry/badKey', entrySubject(place), said, { file: place.file, range: keyRange(text, key) });
}

function markProblem(text: string, place: EntryPlace): Diagnostic[] {
  if (withoutMark(text) === text) return [];
  const message = `${place.file} begins with a byte order mark, which some programs take for text.`;
  return [diagnostic('entry/byteOrderMark', entrySubject(place), message, { severity: 'warning', file: place.file })];
}
