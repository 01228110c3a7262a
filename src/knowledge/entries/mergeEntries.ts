import { failure } from '../../model/codes.ts';
import { supersededHeading } from '../../model/entry.ts';
import { targetOfLink } from '../../model/entryLink.ts';
import { entrySubject, type KnowledgeEntry } from '../../vault/entryFile.ts';
import type { EntryIndex } from '../../vault/entryIndex.ts';
import { type EntrySection, sectionsOf, withClosedFence } from '../../vault/entryText.ts';
import type { VaultLayout } from '../../vault/layout.ts';
import { archiveEntry, type TakenPaths } from './archiveEntry.ts';
import {
  boundedOrigins,
  type ChangeContext,
  type EntryChange,
  identified,
  jsonOf,
  revised,
  set,
  withLink,
  withoutLinksTo,
} from './entryChange.ts';

/**
 * Merges an entry into another one: its sections come before the superseded statements of that entry, and its superseded
 * ones after them. A section that is there already is not repeated. Its title and aliases become aliases, so that links by
 * them lead to the merged entry. The merged one goes to the archive.
 */
export function mergeEntries(
  layout: VaultLayout,
  index: EntryIndex,
  entries: { readonly from: KnowledgeEntry; readonly into: KnowledgeEntry },
  context: ChangeContext & { readonly taken: TakenPaths },
): EntryChange {
  const { from } = entries;
  const into = identified(entries.into, context);
  if (from.file === into.file)
    throw failure('entry/alreadyLinked', entrySubject(from), 'An entry cannot be merged into itself.');
  if (into.isArchived) {
    const message = `${entrySubject(into)} is in the archive, so what is merged into it would be as well.`;
    throw failure('entry/archived', entrySubject(into), message);
  }
  const aliases = [...into.fields.aliases, from.fields.title, ...from.fields.aliases];
  const related = [...new Set([...into.fields.related, ...from.fields.related])].filter((link) => !leadsTo(link));
  const lists = {
    aliases: [...new Set(aliases)].filter((alias) => alias !== into.fields.title),
    tags: [...new Set([...into.fields.tags, ...from.fields.tags])],
    related,
    origins: boundedOrigins([...into.fields.origins, ...from.fields.origins]).map(jsonOf),
  };
  const fields = Object.entries(lists).flatMap(([key, value]) => (value.length === 0 ? [] : [set(key, value)]));
  // It would contradict itself.
  fields.push(...withoutLinksTo(index, 'contradicts', into, [from, into]));
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
  const sections = sectionsOf(body);
  // The same words below another heading are another statement.
  const own = new Set(sections.map(({ heading, text }) => nameOf(heading, text)));
  const added = from.sections.filter(({ heading, text }) => text.trim() !== '' && !own.has(nameOf(heading, text)));
  if (added.length === 0) return body;
  const textOf = (statement: string) => statement.trim().replace(/\r?\n/g, lineEnd);
  const isOld = ({ heading }: EntrySection) => heading === supersededHeading;
  const statements = added
    .filter((section) => !isOld(section))
    .map(({ heading, text }) => textOf(`## ${heading === '' ? from.fields.title : heading}\n\n${text.trim()}`));
  const superseded = added.filter(isOld).map(({ text }) => textOf(text));
  const last = sections.find(isOld) ?? { start: body.length, end: body.length };
  if (last.start === body.length && superseded.length > 0) superseded.unshift(`## ${supersededHeading}`);
  const before = body.slice(0, last.start).trimEnd();
  const old = body.slice(last.start, last.end);
  const parts = [...statements, superseded.length === 0 ? old : old.trimEnd(), ...superseded, body.slice(last.end)];
  const all = [before, ...parts.filter((part) => part !== '')];
  const text = all
    .map((part, n) => (n === all.length - 1 ? part : withClosedFence(part, lineEnd)))
    .join(lineEnd + lineEnd);
  return text.endsWith('\n') ? text : text + lineEnd;
}

function nameOf(heading: string, text: string): string {
  return JSON.stringify([heading.toLowerCase(), text.trim().replace(/\r\n/g, '\n')]);
}
