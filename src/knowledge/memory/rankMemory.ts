import type { MemoryEntry } from '../../model/memory.ts';
import { emptyDocument } from '../retrieval/document.ts';
import type { Ranking } from '../retrieval/ranking.ts';
import { type SearchOptions, search } from '../retrieval/search.ts';
import { SearchIndex } from '../retrieval/searchIndex.ts';

/** The texts of a task that say what it is about. */
export interface TaskTexts {
  readonly title: string;
  readonly description?: string | null | undefined;
}

type Remembered = Pick<MemoryEntry, 'id' | 'title' | 'body'>;

/** Entries are short, so that a second mention adds little, and length tells less than in a collection of pages. */
const memoryRanking: Ranking = {
  ...{ k1: 0.5, b: 0.5, questionTermsMax: Number.POSITIVE_INFINITY },
  smoothing: { documents: 50, neighbours: 5, weight: 0.1 },
};

/** How much more a word counts where the task writes it as code. */
const codeWeight = 2;

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
  const index = new SearchIndex();
  for (const [at, { title, body }] of entries.entries()) {
    index.put({ ...emptyDocument, id: idOf(at), title, body, tags: codeIn(`${title}\n${body}`) });
  }
  const texts = `${task.title}\n${task.description ?? ''}`;
  const query = [
    { text: codeIn(texts).join('\n'), weight: codeWeight },
    { text: texts, weight: 1 },
  ];
  const { hits } = search(index, query, { limit, bytesMax, tokensMax, ranking: memoryRanking });
  return hits.flatMap(({ id }) => entries[Number(id)] ?? []);
}

/** Two entries can have the same id; of equal scores the one that stands first is first. */
function idOf(at: number): string {
  return String(at).padStart(9, '0');
}

function codeIn(text: string): string[] {
  return [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
}
