import { failure } from '../../model/codes.ts';
import { entryTitleProblem } from '../../model/entry.ts';
import { entrySubject, type KnowledgeEntry } from '../../vault/entryFile.ts';
import { type EntryIndex, foldName } from '../../vault/entryIndex.ts';
import { type ChangeContext, type EntryChange, revised, set } from './entryChange.ts';

/** Gives an entry another title. The old one becomes an alias, so links by it still lead here; the file stays where it is. */
export function renameEntry(
  index: EntryIndex,
  entry: KnowledgeEntry,
  title: string,
  context: ChangeContext,
): EntryChange {
  const problem = entryTitleProblem(title);
  if (problem !== undefined)
    throw failure('entry/badFolder', entrySubject(entry), `The entry cannot be renamed: ${problem}.`);
  const other = index.find(title, entry).find((head) => head.project === entry.project && head.file !== entry.file);
  if (other !== undefined)
    throw failure('entry/exists', entrySubject(other), `${entrySubject(other)} has this name already.`);
  const aliases = [...entry.fields.aliases, entry.fields.title].filter((alias) => foldName(alias) !== foldName(title));
  const fields = [set('title', title.trim()), set('aliases', [...new Set(aliases)])];
  return { title: `Rename ${entry.fields.title} to ${title.trim()}`, files: [revised(entry, { fields }, context)] };
}
