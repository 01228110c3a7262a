import type { ReadingDisk } from '../base/disk.ts';
import type { Diagnostic } from '../base/errors.ts';
import { entryFaults } from './entryFaults.ts';
import type { KnowledgeFolder } from './entryFiles.ts';
import { EntryIndex } from './entryIndex.ts';
import { entriesInCache, surveyEntries } from './entrySurvey.ts';
import { type FoundBefore, StampedCache } from './stampedCache.ts';

/**
 * What is wrong with the entries in these folders, each by itself and between them. A note needs no frontmatter, and one
 * without a title is not an entry. What is wrong is left out, and everything else is checked. A file that is as it was
 * before is not read again.
 */
export async function verifyKnowledge(
  disk: ReadingDisk,
  folders: readonly KnowledgeFolder[],
  before: FoundBefore = { cache: StampedCache.empty(), startMs: Number.NEGATIVE_INFINITY },
): Promise<Diagnostic[]> {
  const cache = entriesInCache(before.cache);
  const { heads, diagnostics } = await surveyEntries({ disk, cache, nowMs: before.startMs }, folders);
  const between = entryFaults(new EntryIndex(heads)).map((fault) => fault.diagnostic);
  return [...diagnostics, ...between].sort(compareFiles);
}

function compareFiles({ file: one = '' }: Diagnostic, { file: other = '' }: Diagnostic): number {
  return one < other ? -1 : Number(one > other);
}
