import type { Edit } from '../../model/edit.ts';
import type { EntryLinkKey } from '../../model/entry.ts';
import { formatEntryLink, targetOfLink } from '../../model/entryLink.ts';
import type { Ulid } from '../../model/id.ts';
import type { Json } from '../../model/json.ts';
import { type EntryHead, type EntryPlace, entrySubject, type KnowledgeEntry } from '../../vault/entryFile.ts';
import type { EntryIndex } from '../../vault/entryIndex.ts';
import { type EntryEdit, editEntry } from '../../vault/entryText.ts';

/** What happens to one file: it is written where `before` is absent, removed where `after` is, and else replaced. */
export interface EntryFileChange {
  readonly place: EntryPlace;
  /** Its whole text as it was seen. */
  readonly before?: string;
  readonly after?: string;
}

/** Changes that belong together. The first one decides: where it cannot be made, none is. */
export interface EntryChange {
  /** One line, for the commit: what was done to which entry. */
  readonly title: string;
  /** Why, in the words of the person or session. */
  readonly reason?: string;
  readonly files: readonly EntryFileChange[];
}

/** The day of a change, and new ids. */
export interface ChangeContext {
  /** As `2026-11-20`. */
  readonly today: string;
  readonly newUlid: () => Ulid;
}

/** The id that an entry without one gets with the change, so that a link of the same change can name it. */
interface ComingId {
  readonly comingId?: Ulid;
}

/** The entry with the id that this change gives it if it has none. Both ends of a link need it before either is written. */
export function identified(entry: KnowledgeEntry, { newUlid }: ChangeContext): KnowledgeEntry & ComingId {
  return entry.fields.id === undefined ? { ...entry, comingId: newUlid() } : entry;
}

/** An entry after a change of its text: its version is one higher, and it has an id from now on. */
export function revised(
  entry: KnowledgeEntry & ComingId,
  edit: EntryEdit,
  { newUlid }: ChangeContext,
): EntryFileChange {
  const { fields, text } = entry;
  const own: Edit[] = [
    ...(fields.id === undefined ? [set('id', entry.comingId ?? newUlid())] : []),
    ...(edit.fields ?? []),
    set('version', fields.version + 1),
  ];
  const place = { file: entry.file, subject: entrySubject(entry) };
  const after = editEntry(text, { ...edit, fields: own }, place);
  return { place: placeOf(entry), before: text, after };
}

export function placeOf({ file, project, path, isArchived }: EntryPlace): EntryPlace {
  return { file, project, path, isArchived };
}

/** Origins of one project that an entry keeps. Without a bound, an entry that is validated each day has no end. */
const originsOfProjectMax = 10;

/** Of each project, the earliest origin and the newest ones stay, by their dates. */
export function boundedOrigins<Origin extends { readonly project: string; readonly date: string }>(
  all: readonly Origin[],
): Origin[] {
  const most = Math.max(0, ...countsOf(all).values());
  // Their order is a person's where nothing goes.
  if (most <= originsOfProjectMax) return [...all];
  const origins = all.toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));
  const left = countsOf(origins);
  const begun = new Set<string>();
  return origins.filter(({ project }) => {
    const isFirst = !begun.has(project);
    begun.add(project);
    const others = left.get(project) ?? 0;
    left.set(project, others - 1);
    return isFirst || others < originsOfProjectMax;
  });
}

function countsOf(origins: readonly { readonly project: string }[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { project } of origins) counts.set(project, (counts.get(project) ?? 0) + 1);
  return counts;
}

/** What a frontmatter holds under a key as it is written again, with the keys that Ravel does not know. */
export function jsonOf(value: unknown): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}

export function set(key: string, value: Extract<Edit, { op: 'set' }>['value']): Edit {
  return { op: 'set', path: [key], value };
}

/**
 * A link that leads from one entry to another one and to no other: its title where that will do, else a path, else its
 * id, which it has or gets with the same change.
 */
export function linkTo(index: EntryIndex, from: EntryHead, to: EntryHead & ComingId): string {
  const { fields, path, project } = to;
  const inVault = `${project === '' ? '' : `projects/${project}/`}knowledge/${path}`;
  for (const name of [fields.title, path, inVault].map((one) => one.replace(/\.md$/, ''))) {
    const link = formatEntryLink(name);
    const found = link === undefined ? [] : index.find(name, from);
    if (link !== undefined && found.length === 1 && found[0]?.file === to.file) return link;
  }
  return `[[${fields.id ?? to.comingId ?? path}]]`;
}

/** The edit that takes the links of an entry to some others away; none if it has none of them. */
export function withoutLinksTo(
  index: EntryIndex,
  key: Exclude<EntryLinkKey, 'superseded-by'>,
  from: EntryHead,
  others: readonly EntryHead[],
): Edit[] {
  const files = new Set(others.map(({ file }) => file));
  const left = from.fields[key].filter(
    (link) => !index.find(targetOfLink(link), from).some(({ file }) => files.has(file)),
  );
  return left.length === from.fields[key].length ? [] : [set(key, left)];
}

/** The links of an entry under a key, with one more. */
export function withLink(index: EntryIndex, key: EntryLinkKey, from: EntryHead, to: EntryHead & ComingId): Edit {
  return set(key, [...from.fields[key], linkTo(index, from, to)]);
}
