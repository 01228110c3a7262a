import { failure } from '../../model/codes.ts';
import { supersededHeading } from '../../model/entry.ts';
import { targetOfLink } from '../../model/entryLink.ts';
import type { Json } from '../../model/json.ts';
import { entrySubject, type KnowledgeEntry } from '../../vault/entryFile.ts';
import type { EntryIndex } from '../../vault/entryIndex.ts';
import { sectionsOf } from '../../vault/entryText.ts';
import type { VaultLayout } from '../../vault/layout.ts';
import { archiveEntry, type TakenPaths } from './archiveEntry.ts';
import { type ChangeContext, type EntryChange, revised, set, withLink } from './entryChange.ts';

/**
 * Merges an entry into another one: its sections come before the superseded ones of that entry, a section that is there
 * already is not repeated, and its title and aliases become aliases, so that links by them lead to the merged entry. The
 * merged one goes to the archive.
 */
export function mergeEntries(
  layout: VaultLayout,
  index: EntryIndex,
  { from, into }: { readonly from: KnowledgeEntry; readonly into: KnowledgeEntry },
  context: ChangeContext & { readonly taken: TakenPaths },
): EntryChange {
  if (from.file === into.file)
    throw failure('entry/alreadyLinked', entrySubject(from), 'An entry cannot be merged into itself.');
  const aliases = [...into.fields.aliases, from.fields.title, ...from.fields.aliases];
  const related = [...new Set([...into.fields.related, ...from.fields.related])].filter((link) => !leadsTo(link));
  const lists = {
    aliases: [...new Set(aliases)].filter((alias) => alias !== into.fields.title),
    tags: [...new Set([...into.fields.tags, ...from.fields.tags])],
    related,
    origins: jsonOf([...into.fields.origins, ...from.fields.origins]),
  };
  const fields = Object.entries(lists).flatMap(([key, value]) => (value.length === 0 ? [] : [set(key, value)]));
  const merged = revised(into, { fields, body: (body, lineEnd) => bodyWith(body, from, lineEnd) }, context);
  const archived = archiveEntry(layout, from, `It is merged into ${into.fields.title}.`, context, [
    withLink(index, 'superseded-by', from, into),
  ]);
  return { title: `Merge ${from.fields.title} into ${into.fields.title}`, files: [merged, ...archived.files] };

  function leadsTo(link: string): boolean {
    return index.find(targetOfLink(link), into).some(({ file }) => file === from.file || file === into.file);
  }
}

function bodyWith(body: string, from: KnowledgeEntry, lineEnd: string): string {
  const own = new Set(sectionsOf(body).map(({ text }) => text.trim()));
  const added = from.sections
    .filter(({ text }) => text.trim() !== '' && !own.has(text.trim()))
    .map(({ heading, text }) =>
      `## ${heading === '' ? from.fields.title : heading}\n\n${text.trim()}`.replace(/\r?\n/g, lineEnd),
    );
  if (added.length === 0) return body;
  const end = sectionsOf(body).find(({ heading }) => heading === supersededHeading)?.start ?? body.length;
  const before = body.slice(0, end).trimEnd();
  const rest = body.slice(end);
  const gap = lineEnd + lineEnd;
  return `${[before, ...added].join(gap)}${lineEnd}${rest === '' ? '' : lineEnd}${rest}`;
}

function jsonOf(value: unknown): Json[] {
  return JSON.parse(JSON.stringify(value)) as Json[];
}
