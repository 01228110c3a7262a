import type { Approval, Decision } from '../../model/approval.ts';
import { failure } from '../../model/codes.ts';
import { type EntryDeletion, entryDeletionSchema } from './deletion.ts';
import type { KnowledgeBase } from './knowledgeBase.ts';

/**
 * What a decision about the deletion of an entry does. It holds for the text that the person saw, and its file is the one
 * use that it has: carried out again after a crash, it finds the entry gone.
 */
export function createDeletionHandler(knowledge: () => Promise<Pick<KnowledgeBase, 'checkDeletion' | 'delete'>>) {
  return {
    async describe(approval: Approval): Promise<{ readonly shown: string }> {
      const { reason, text } = deletionOf(approval);
      return { shown: `${reason}\n\n${text}` };
    },

    async check(approval: Approval, answer: { readonly decision: string }): Promise<void> {
      if (answer.decision !== 'reject') await (await knowledge()).checkDeletion(deletionOf(approval));
    },

    async carryOut(decision: Decision): Promise<{ readonly did: string }> {
      const asked = deletionOf(decision);
      if (decision.decision === 'reject') return { did: `${asked.title} stays.` };
      const { places } = await (await knowledge()).delete(asked);
      return { did: places.length === 0 ? `${asked.title} was gone already.` : `${asked.title} is deleted.` };
    },
  };
}

function deletionOf({ id, details }: Pick<Approval, 'id' | 'details'>): EntryDeletion {
  const { data } = entryDeletionSchema.safeParse(details);
  if (data !== undefined) return data;
  throw failure('approval/badDecision', id, 'The question does not say which entry is to be deleted.');
}
