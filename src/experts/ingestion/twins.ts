import type { KnowledgeBase, Known } from '../../knowledge/entries/knowledgeBase.ts';
import type { IngestionCandidate } from '../../model/ingestion.ts';
import { memoryFingerprint } from '../../model/memory.ts';
import { entryPathInVault } from '../../vault/entryFile.ts';

/** The entry that says what a candidate says, word for word and under its title; undefined if there is none. */
export async function twinOf(
  knowledge: Pick<KnowledgeBase, 'load'>,
  { title, body }: Pick<IngestionCandidate, 'title' | 'body'>,
  known: Known,
): Promise<string | undefined> {
  const wanted = memoryFingerprint({ title: '', body });
  for (const head of known.heads) {
    if (head.isArchived || head.fields.title.trim() !== title.trim()) continue;
    const { body: other } = await knowledge.load(entryPathInVault(head), known);
    if (memoryFingerprint({ title: '', body: other }) === wanted) return entryPathInVault(head);
  }
  return undefined;
}

/** The entry that a candidate became already, perhaps before a crash. */
export function addedAs({ heads }: Pick<Known, 'heads'>, id: string): string | undefined {
  const head = heads.find(({ fields }) => fields['ingestion-event-id'] === id);
  return head && entryPathInVault(head);
}

/** What is told of a twin. */
export const wordForWord = 'It is what an entry says already, word for word.';
