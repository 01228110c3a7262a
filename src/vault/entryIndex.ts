import { basename } from 'node:path';
import { type EntryHead, type EntryLink, entrySubject } from './entryFile.ts';
import { foldFileName } from './walk.ts';

/** A link to an entry, from another one. */
export interface Backlink {
  readonly from: EntryHead;
  readonly key: EntryLink['key'];
}

/** From where a name is looked up: of two entries with one title, the one of the same project is meant. */
export type LookupPlace = Pick<EntryHead, 'project'>;

/**
 * Entries by what names them. A name is an id, a path below `knowledge/` (also with `knowledge/`, or the project and
 * `knowledge/`, before it), a title, an alias, or the name of a file without its ending. Case and Unicode form do not
 * matter, as in Obsidian. Archived entries are found where no other entry has the name.
 */
export class EntryIndex {
  readonly heads: readonly EntryHead[];
  readonly #byName: readonly ReadonlyMap<string, readonly EntryHead[]>[];
  #backlinks: ReadonlyMap<EntryHead, readonly Backlink[]> | undefined;

  constructor(heads: readonly EntryHead[]) {
    this.heads = heads;
    // In this order: an id is one of a kind, and the name of a file is only what is left.
    const kinds = [idsOf, pathsOf, titlesOf, aliasesOf, fileNamesOf];
    const archived = heads.filter(({ isArchived }) => isArchived);
    const live = archived.length === 0 ? heads : heads.filter(({ isArchived }) => !isArchived);
    this.#byName = [live, archived].flatMap((some) => kinds.map((namesOf) => groupByName(some, namesOf)));
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
    this.#backlinks ??= this.#collectBacklinks();
    return this.#backlinks.get(head) ?? [];
  }

  #collectBacklinks(): ReadonlyMap<EntryHead, readonly Backlink[]> {
    const found = new Map<EntryHead, Backlink[]>();
    for (const from of this.heads) {
      for (const { key, target } of from.links) {
        for (const to of this.find(target, from)) {
          const links = found.get(to);
          if (to === from) continue;
          if (links === undefined) found.set(to, [{ from, key }]);
          else links.push({ from, key });
        }
      }
    }
    return found;
  }
}

/** The form in which names are compared. */
export function foldName(name: string): string {
  return foldFileName(name.trim().replace(/\.md$/i, ''));
}

function groupByName(
  heads: readonly EntryHead[],
  namesOf: (head: EntryHead) => readonly string[],
): ReadonlyMap<string, readonly EntryHead[]> {
  const groups = new Map<string, EntryHead[]>();
  for (const head of heads) {
    for (const name of new Set(namesOf(head).map(foldName))) {
      const group = groups.get(name);
      if (group === undefined) groups.set(name, [head]);
      else group.push(head);
    }
  }
  return groups;
}

function idsOf({ fields }: EntryHead): readonly string[] {
  return fields.id === undefined ? [] : [fields.id];
}

function pathsOf(head: EntryHead): readonly string[] {
  const inVault = head.project === '' ? [] : [`projects/${entrySubject(head)}`];
  return [head.path, entrySubject(head), ...inVault];
}

function titlesOf({ fields }: EntryHead): readonly string[] {
  return [fields.title];
}

function aliasesOf({ fields }: EntryHead): readonly string[] {
  return fields.aliases;
}

function fileNamesOf({ path }: EntryHead): readonly string[] {
  return [basename(path)];
}
