import type { MemoryEntry } from '../../model/memory.ts';
import { emptyDocument, type IndexedDocument } from '../retrieval/document.ts';
import type { QueryText } from '../retrieval/queryTerms.ts';
import type { Ranking } from '../retrieval/ranking.ts';
import { type SearchOptions, search } from '../retrieval/search.ts';
import { SearchIndex } from '../retrieval/searchIndex.ts';
import { codeIn } from './codeIn.ts';

/** The texts of a task that say what it is about. */
export interface TaskTexts {
  readonly title: string;
  readonly description?: string | null | undefined;
}

export type Remembered = Pick<MemoryEntry, 'id' | 'title' | 'body'>;

/** An entry that has words of the task. */
export interface RankedEntry<Entry> {
  readonly entry: Entry;
  /** Its place among the entries. */
  readonly at: number;
  readonly score: number;
  /** The words that gave most of the score, the best first; of the first entries only. */
  readonly words: readonly string[];
}

/** Entries are short, so that a second mention adds little, and length tells less than in a collection of pages. */
export const memoryRanking: Ranking = {
  ...{ k1: 0.5, b: 0.5, questionTermsMax: Number.POSITIVE_INFINITY },
  smoothing: { documents: 50, neighbours: 5, weight: 0.1 },
};

/** How much more a word counts if the task writes it as code. */
const codeWeight = 2;

/** Of as many of the first it is told which words they were found by, and by how many each. */
const explainedMax = 200;
const wordsTold = 4;

/**
 * The entries of a memory that matter most for a task, the best first. Names that are written as code count most, in the
 * task as well as in the entries: two texts about the same function are rarely about something else. Those without a word
 * of the task are left out.
 */
export function rankMemory<Entry extends Remembered>(
  task: TaskTexts,
  entries: readonly Entry[],
  { limit = entries.length, bytesMax, tokensMax }: Pick<SearchOptions, 'limit' | 'bytesMax' | 'tokensMax'> = {},
): readonly Entry[] {
  const options = { limit, bytesMax, tokensMax, ranking: memoryRanking };
  const { hits } = search(indexOf(entries), memoryQuery(task), options);
  return hits.flatMap(({ id }) => entries[Number(id)] ?? []);
}

/** The same with what each entry was found by. */
export function rankAndExplain<Entry extends Remembered>(
  task: TaskTexts,
  entries: readonly Entry[],
): readonly RankedEntry<Entry>[] {
  const index = indexOf(entries);
  const query = memoryQuery(task);
  const all = search(index, query, { limit: entries.length, ranking: memoryRanking });
  const explained = search(index, query, { limit: explainedMax, ranking: memoryRanking, explain: true });
  const words = new Map(
    explained.hits.map(({ id, parts }) => {
      const found = parts.filter(({ kind }) => kind === 'word').map(({ name }) => name);
      return [id, found.slice(0, wordsTold)];
    }),
  );
  return all.hits.flatMap(({ id, score }) => {
    const at = Number(id);
    const entry = entries[at];
    return entry === undefined ? [] : [{ entry, at, score, words: words.get(id) ?? [] }];
  });
}

function indexOf(entries: readonly Remembered[]): SearchIndex {
  const index = new SearchIndex();
  for (const [at, entry] of entries.entries()) index.put({ ...memoryDocument(entry), id: idOf(at) });
  return index;
}

/** An entry as it is ranked. */
export function memoryDocument({ id, title, body }: Remembered): IndexedDocument {
  return { ...emptyDocument, id, title, body, tags: codeIn(`${title}\n${body}`) };
}

export function memoryQuery({ title, description }: TaskTexts): readonly QueryText[] {
  const texts = `${title}\n${description ?? ''}`;
  return [
    { text: codeIn(texts).join('\n'), weight: codeWeight },
    { text: texts, weight: 1 },
  ];
}

/** Two entries can have the same id; of equal scores the one that stands first is first. */
function idOf(at: number): string {
  return String(at).padStart(9, '0');
}
