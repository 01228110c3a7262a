import { defined } from '../../base/defined.ts';
import { maskSecrets } from '../../gates/secrets/maskSecrets.ts';
import type { QualifiedId } from '../../model/id.ts';
import type { SearchHit, SearchPlace, SearchScorePart } from '../../model/requests/search.ts';
import type { VaultLayout } from '../../vault/layout.ts';
import { BadImage } from '../retrieval/image.ts';
import { queryTerms } from '../retrieval/queryTerms.ts';
import { type Hit, search } from '../retrieval/search.ts';
import type { SearchIndex } from '../retrieval/searchIndex.ts';
import { bestLine } from './bestLine.ts';
import { placeOfEntry } from './entryDocument.ts';
import { inKnowledgeScopes, type KnowledgeScope } from './knowledgeScope.ts';
import type { RecentEntries } from './recentEntries.ts';
import { entryName, type SearchSource, sourceOfKey } from './searchSource.ts';
import { typedQuery } from './typedQuery.ts';

/** What is searched for; labels that are absent leave out nothing. */
export interface SearchOrder {
  readonly query: string;
  readonly in?: readonly SearchPlace[] | undefined;
  readonly plan?: QualifiedId | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly kinds?: readonly string[] | undefined;
  readonly statuses?: readonly string[] | undefined;
  /** Of the notes of knowledge only those in one of these places; without it all. */
  readonly within?: readonly KnowledgeScope[] | undefined;
  /** Of these in turn only those in one of these places. */
  readonly also?: readonly KnowledgeScope[] | undefined;
  readonly limit?: number | undefined;
  readonly bytes?: number | undefined;
  readonly explain?: boolean | undefined;
  readonly typing?: boolean | undefined;
  /** Whether the answer holds what the entries say. */
  readonly withTexts?: boolean | undefined;
}

export interface FoundEntries {
  readonly hits: readonly SearchHit[];
  /** Of each hit, cut if it is long; empty unless it was asked for. */
  readonly texts: readonly string[];
  readonly skipped: number;
  /** Whether a file is no longer as it was indexed: what was found there is left out. */
  readonly isBehind: boolean;
}

/** Results, if the caller asks for no other number. */
export const limitUsual = 20;
/** Characters of a text that are looked at for its best line. */
const lookedAtMax = 2 ** 16;
/** Characters of a text in an answer. */
const textLengthMax = 4000;

/** Ranks by the index, and shows what the files say now: programs and agents ask as well, so what looks like a secret is left out. */
export async function searchVault(
  {
    index,
    recent,
    layout,
  }: { readonly index: SearchIndex; readonly recent: RecentEntries; readonly layout: VaultLayout },
  order: SearchOrder,
): Promise<FoundEntries> {
  const query = order.typing === true ? typedQuery(index, order.query) : order.query;
  const { hits, skipped } = search(index, query, {
    ...{ scopes: order.in, tags: order.tags, kinds: order.kinds, statuses: order.statuses },
    plans: order.plan === undefined ? undefined : [order.plan],
    includes: includedBy(order),
    ...{ limit: order.limit ?? limitUsual, bytesMax: order.bytes, explain: order.explain },
  });
  const words = queryTerms(index, query);
  const found: SearchHit[] = [];
  const texts: string[] = [];
  for (const hit of hits) {
    // No documents add up to this: only numbers that were saved, and are wrong.
    if (!Number.isFinite(hit.score)) throw new BadImage('a score is not a number');
    const { key, entry: id } = placeOfEntry(hit.id);
    const source = sourceOfKey(layout, key);
    const entry = source && (await recent.of(source)).get(id);
    if (source === undefined || entry === undefined) continue;
    const { kind, status, tags } = entry;
    const title = maskSecrets(entry.title);
    const text = maskSecrets(entry.text.slice(0, lookedAtMax));
    if (order.withTexts === true) texts.push(text.slice(0, textLengthMax));
    found.push({
      ...{ in: source.in, ...defined({ plan: source.plan }) },
      ...{ id, title, line: bestLine(index, text, words), score: hit.score, file: source.file },
      ...{ ...(kind !== '' && { kind }), ...(status !== '' && { status }) },
      ...{ tags, bytes: hit.bytes, parts: partsOf(hit, layout) },
    });
  }
  return { hits: found, texts, skipped, isBehind: found.length < hits.length };
}

function includedBy({ within, also }: SearchOrder): ((id: string) => boolean) | undefined {
  const tests = [within, also].flatMap((scopes) => (scopes === undefined ? [] : [inKnowledgeScopes(scopes)]));
  return tests.length === 0 ? undefined : (id) => tests.every((includes) => includes(id));
}

/** Neighbours by names that a person can read. */
function partsOf({ parts }: Hit, layout: VaultLayout): readonly SearchScorePart[] {
  return parts.map((part) => (part.kind === 'neighbour' ? { ...part, name: nameOf(part.name, layout) } : part));
}

function nameOf(id: string, layout: VaultLayout): string {
  const { key, entry } = placeOfEntry(id);
  const source: SearchSource | undefined = sourceOfKey(layout, key);
  return source === undefined ? entry : entryName(source, entry);
}
