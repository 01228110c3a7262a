import { failure } from '../../model/codes.ts';
import { entrySubject, type KnowledgeEntry } from '../../vault/entryFile.ts';
import type { EntryIndex } from '../../vault/entryIndex.ts';
import { type ChangeContext, type EntryChange, identified, revised, withLink } from './entryChange.ts';
import { hasLinkTo } from './supersede.ts';

/** Links two entries that say different things; both stand. Throws `entry/alreadyLinked`. */
export function contradictEntry(
  index: EntryIndex,
  [one, other]: readonly [KnowledgeEntry, KnowledgeEntry],
  reason: string,
  context: ChangeContext,
): EntryChange {
  if (one.file === other.file) {
    throw failure('entry/alreadyLinked', entrySubject(one), 'An entry cannot contradict itself.');
  }
  const [left, right] = [identified(one, context), identified(other, context)];
  const sides = [
    [left, right],
    [right, left],
  ] as const;
  const missing = sides.filter(([from, to]) => !hasLinkTo(index, from, 'contradicts', to));
  if (missing.length === 0) {
    throw failure(
      'entry/alreadyLinked',
      entrySubject(one),
      `${entrySubject(one)} and ${entrySubject(other)} are linked already.`,
    );
  }
  return {
    title: `Link ${one.fields.title} and ${other.fields.title}, which contradict each other`,
    reason,
    files: missing.map(([from, to]) => revised(from, { fields: [withLink(index, 'contradicts', from, to)] }, context)),
  };
}
