import { basename } from 'node:path';
import { runInSlices, runToEnd } from '../base/async.ts';
import { type EntryHead, type EntryLink, type EntryPlace, entryPathInVault, entrySubject } from './entryFile.ts';
import { foldFileName } from './walk.ts';

/** A link to an entry, from another one. */
export interface Backlink {
  readonly from: EntryHead;
  readonly key: EntryLink['key'];
}

/** From where a name is looked up: of two entries with one title, the one of the same project is meant. */
export type LookupPlace = Pick<EntryHead, 'project'>;

interface LinkByName {
  /** Its place among all links. */
  readonly at: number;
  readonly target: string;
  readonly link: Backlink;
}

/**
 * Entries by what names them. A name is an id, a path below `knowledge/` (also with `knowledge/`, or the project and
 * `knowledge/`, before it), a title, an alias, or the name of a file without its ending. Case and Unicode form do not
 * matter, as in Obsidian. Archived entries are found where no other entry has the name.
 */
export class EntryIndex {
  readonly heads: readonly EntryHead[];
  readonly #byName: NameGroups;
  #linksByName: ReadonlyMap<string, readonly LinkByName[]> | undefined;

  constructor(heads: readonly EntryHead[], byName = runToEnd(groupNames(heads))) {
    this.heads = heads;
    this.#byName = byName;
  }

  /** The same; others have their turn meanwhile, since a hundred thousand entries take a second. */
  static async build(heads: readonly EntryHead[], signal?: AbortSignal): Promise<EntryIndex> {
    return new EntryIndex(heads, await runInSlices(groupNames(heads), signal));
  }

  /** The entries that a name stands for, the best kind of name only; empty for a name that stands for none. */
  find(name: string, from?: LookupPlace): readonly EntryHead[] {
    const folded = foldName(name);
    const found = this.#byName.find((names) => names.has(folded))?.get(folded) ?? [];
    if (from === undefined || found.length < 2) return found;
    const near = found.filter(({ project }) => project === from.project);
    return near.length > 0 ? near : found;
  }

  /** All links to an entry, in the order of the entries that have them. */
  backlinks(head: EntryHead): readonly Backlink[] {
    this.#linksByName ??= this.#collectLinks();
    const names = new Set(namesOfEntry(head).map(foldName));
    const found: LinkByName[] = [];
    for (const name of names) {
      // From one project, a name leads to the same entries in every link.
      const leads = new Map<string, boolean>();
      for (const one of this.#linksByName.get(name) ?? []) {
        const { link, target } = one;
        const { project } = link.from;
        const isMeant = leads.get(project) ?? this.find(target, link.from).includes(head);
        leads.set(project, isMeant);
        if (isMeant && link.from !== head) found.push(one);
      }
    }
    return found.sort((one, other) => one.at - other.at).map(({ link }) => link);
  }

  /** Each link once, by the name that it has: of a name that many entries have, all pairs would be too many. */
  #collectLinks(): ReadonlyMap<string, readonly LinkByName[]> {
    const links = new Map<string, LinkByName[]>();
    let at = 0;
    for (const from of this.heads) {
      for (const { key, target } of from.links) {
        const name = foldName(target);
        const same = links.get(name);
        const one = { at, target, link: { from, key } };
        at += 1;
        if (same === undefined) links.set(name, [one]);
        else same.push(one);
      }
    }
    return links;
  }
}

/** What the names of an entry are made of. */
export type EntryNaming = Omit<EntryPlace, 'file'> & {
  readonly fields: Pick<EntryHead['fields'], 'id' | 'title' | 'aliases'>;
};

/** All names by which an entry is found, some of them several times. */
export function namesOfEntry(head: EntryNaming): readonly string[] {
  return kindsOfNames.flatMap((namesOf) => namesOf(head));
}

/** The form in which names are compared. */
export function foldName(name: string): string {
  return foldFileName(name.trim().replace(/\.md$/i, ''));
}

type NameGroups = readonly ReadonlyMap<string, readonly EntryHead[]>[];

/** Entries that are grouped between two pauses. */
const sliceLength = 2000;

/** One map for each kind of name: those of live entries, then those of archived ones. */
function* groupNames(heads: readonly EntryHead[]): Generator<undefined, NameGroups> {
  const [live, archived] = [0, 1].map(() => kindsOfNames.map(() => new Map<string, EntryHead[]>()));
  for (const [at, head] of heads.entries()) {
    for (const [kind, groups] of ((head.isArchived ? archived : live) ?? []).entries()) {
      for (const name of new Set(kindsOfNames[kind]?.(head).map(foldName))) {
        const group = groups.get(name);
        if (group === undefined) groups.set(name, [head]);
        else group.push(head);
      }
    }
    if (at % sliceLength === sliceLength - 1) yield undefined;
  }
  return [...(live ?? []), ...(archived ?? [])];
}

function idsOf({ fields }: EntryNaming): readonly string[] {
  return fields.id === undefined ? [] : [fields.id];
}

function pathsOf(head: EntryNaming): readonly string[] {
  return [head.path, entrySubject(head), entryPathInVault(head)];
}

function titlesOf({ fields }: EntryNaming): readonly string[] {
  return [fields.title];
}

function aliasesOf({ fields }: EntryNaming): readonly string[] {
  return fields.aliases;
}

function fileNamesOf({ path }: EntryNaming): readonly string[] {
  return [basename(path)];
}

/** In this order: an id is one of a kind, and the name of a file is only what is left. */
const kindsOfNames = [idsOf, pathsOf, titlesOf, aliasesOf, fileNamesOf];
