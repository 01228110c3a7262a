import type { IndexedDocument } from '../retrieval/document.ts';
import type { SearchableEntry } from './entries.ts';
import { partsOfProse } from './proseParts.ts';
import type { SearchSource } from './searchSource.ts';

/** The id of an entry among all of a vault. A key has no line end, so the first one ends it. */
export function entryId(source: Pick<SearchSource, 'key'>, entry: Pick<SearchableEntry, 'id'>): string {
  return `${source.key}\n${entry.id}`;
}

export function placeOfEntry(id: string): { readonly key: string; readonly entry: string } {
  const end = id.indexOf('\n');
  return { key: id.slice(0, end), entry: id.slice(end + 1) };
}

/** An entry as it is found. */
export function documentOf(source: SearchSource, entry: SearchableEntry): IndexedDocument {
  const { title, text, kind, status, tags, aliases } = entry;
  return {
    ...{ id: entryId(source, entry), scope: source.in, plan: source.plan ?? '' },
    ...{ title, kind, status, tags, aliases },
    ...partsOfProse(text),
  };
}
