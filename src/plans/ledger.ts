import type { EventActor } from '../model/event.ts';
import { emitFor, type PlanServices, timestamp } from './services.ts';

export type RecoveryOutcome = 'finished' | 'undone' | 'reattached' | 'interrupted';

/** Records in the ledger how work that a crash interrupted was settled, and emits it as an event. */
export async function recordRecovery(
  services: Pick<PlanServices, 'ledger' | 'clock' | 'emit'>,
  plan: EventActor,
  what: string,
  outcome: RecoveryOutcome,
): Promise<void> {
  await services.ledger?.append({ at: timestamp(services), plan, what, outcome });
  emitFor(services, plan, { type: 'recovered', what, outcome });
}
