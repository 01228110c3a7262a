// Builds what answers questions: the experts, and the queue of all questions to them and to plans.

import { createExpertAnswerer, declaredExpert } from './experts/expertAnswerer.ts';
import { ExpertRegistry } from './experts/expertRegistry.ts';
import { situationNow } from './experts/expertSituation.ts';
import { PromptHashes } from './experts/promptHashes.ts';
import type { ReceiptSituation } from './experts/receiptKey.ts';
import { Receipts } from './experts/receipts.ts';
import type { VaultSearch } from './knowledge/search/vaultSearch.ts';
import type { UseJournal } from './knowledge/uses/useJournal.ts';
import type { MessageSender } from './model/message.ts';
import type { AnswerReceipt } from './model/receipt.ts';
import { createPlanAnswerer } from './plans/messages/askPlan.ts';
import type { PlanDirectory } from './plans/planDirectory.ts';
import { emitFor, type PlanServices } from './plans/services.ts';
import { AnswerQueue } from './questions/answerQueue.ts';

/** What answers questions: experts, and the queue of all questions to them and to plans. */
export interface Answering {
  readonly registry: ExpertRegistry;
  readonly receipts: Receipts;
  readonly answers: AnswerQueue;
  /** What the question of a receipt would be asked with now. */
  readonly situationOf: (receipt: AnswerReceipt, signal: AbortSignal) => Promise<ReceiptSituation>;
}

/** An expert that goes away answers what it was asked before; what waits for a reply then is refused. */
export function createAnswering(
  services: PlanServices,
  {
    directory,
    vaultSearch: search,
    actors,
    uses,
  }: {
    readonly directory: PlanDirectory;
    readonly vaultSearch: VaultSearch;
    readonly actors: MessageSender;
    readonly uses: UseJournal;
  },
): Answering {
  const { disk, layout, promptsDirectory, onEvent } = services;
  const prompts = new PromptHashes({ disk, promptsDirectory });
  const registry = new ExpertRegistry({ disk, layout }, ({ removed, diagnostics }) => {
    for (const diagnostic of diagnostics) emitFor(services, 'vault', { type: 'diagnostic', diagnostic });
    for (const expert of removed) answers.look(expert);
  });
  const receipts = new Receipts({ disk, layout });
  const expertAnswerer = createExpertAnswerer({ ports: services, prompts, registry, receipts, search, uses });
  const planAnswerer = createPlanAnswerer({ services, directory });
  const answers: AnswerQueue = new AnswerQueue({
    ...{ ports: services, actors },
    answererOf: (actor) => (actor.startsWith('expert:') ? expertAnswerer : planAnswerer),
    actorIds: async () => (await directory.all()).plans.map(({ id }) => id),
  });
  // The events end with the vault's owner.
  onEvent((event) => {
    if (event.type !== 'vault.changed' || !event.files.some((file) => file.startsWith('experts/'))) return;
    registry.current().catch((error: unknown) => {
      // The next question looks again.
      services.log.warn('the experts could not be looked at', { error: String(error) });
    });
  });
  const situationOf: Answering['situationOf'] = async (receipt, signal) => {
    const { actor, expert } = await declaredExpert(registry, receipt.expert);
    const { question, dialogue } = receipt;
    return (await situationNow({ ...services, prompts, search }, { actor, expert, question, dialogue }, signal))
      .situation;
  };
  return { registry, receipts, answers, situationOf };
}
