import type { KnowledgeEntry } from '../../vault/entryFile.ts';
import { type ChangeContext, type EntryChange, revised, set } from './entryChange.ts';
import { scorePromotion } from './promotion.ts';

/** Whether a person can be asked if it holds in general: it is new, not `high` yet, and enough speaks for it. */
export function canGraduate(entry: Pick<KnowledgeEntry, 'fields'>, contradicting: number): boolean {
  const { status, confidence } = entry.fields;
  return status === 'staged' && confidence === 'medium' && scorePromotion(entry, contradicting).isReached;
}

/** What a person accepted: it holds in general, so it is placed, and as sure as an entry can be. */
export function graduateEntry(entry: KnowledgeEntry, context: ChangeContext): EntryChange {
  const { fields } = entry;
  if (fields.status === 'consolidated' && fields.confidence === 'high')
    return { title: `Graduate ${fields.title}`, files: [] };
  const edits = [set('status', 'consolidated'), set('confidence', 'high')];
  return { title: `Graduate ${fields.title}`, files: [revised(entry, { fields: edits }, context)] };
}
