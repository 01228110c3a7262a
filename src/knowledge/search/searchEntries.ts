import type { Diagnostic } from '../../base/errors.ts';
import type { EntryHead } from '../../vault/entryFile.ts';
import type { KnowledgeBase, Known } from '../entries/knowledgeBase.ts';
import type { SearchOrder } from './searchVault.ts';
import type { VaultSearch } from './vaultSearch.ts';

export interface EntrySearchParts {
  readonly base: () => Promise<Pick<KnowledgeBase, 'survey'>>;
  readonly search: Pick<VaultSearch, 'search'>;
}

export interface FoundEntry {
  readonly head: EntryHead;
  /** The line of it that fits best, without what looks like a secret; empty if it has none besides its title. */
  readonly line: string;
  readonly score: number;
}

/** What is looked for is ranked before it is known which of it are entries. */
const foundPerEntry = 3;

/** The entries that fit best, archived ones left out, and all that are known at that moment. More than `limit` can come. */
export async function searchEntries(
  { base, search }: EntrySearchParts,
  { limit, ...order }: Pick<SearchOrder, 'query' | 'within' | 'also' | 'tags' | 'kinds'> & { readonly limit: number },
  signal: AbortSignal,
): Promise<{
  readonly found: readonly FoundEntry[];
  readonly known: Known;
  readonly diagnostics: readonly Diagnostic[];
}> {
  const { hits, diagnostics } = await search.search(
    { ...order, in: ['knowledge'], limit: limit * foundPerEntry, fresh: true },
    signal,
  );
  const known = await (await base()).survey(signal);
  const heads = new Map(known.heads.map((head) => [head.file, head]));
  const found = hits.flatMap(({ file, line, score }) => {
    const head = heads.get(file);
    const isGone = head === undefined || head.isArchived || head.fields.status === 'archived';
    return isGone ? [] : [{ head, line, score }];
  });
  return { found, known, diagnostics };
}
