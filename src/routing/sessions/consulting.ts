import { defined } from '../../base/defined.ts';
import type { ConsultationReport, ConsultationRequest } from '../../harness/consultation.ts';
import type { Ulid } from '../../model/id.ts';
import type { Consulted, RoutedMessage } from '../../model/routing.ts';
import { fromActor, projectOfSender } from '../../model/senders.ts';

/** What every session that is asked about a message has in common; its sender's plan pays, else the vault. */
export function askedBy(
  { from }: Pick<RoutedMessage, 'from'>,
  given: { readonly session: Ulid; readonly model: string; readonly timeMs: number },
): Pick<ConsultationRequest, 'session' | 'actor' | 'plan' | 'system' | 'timeMs' | 'model'> {
  const { session, model, timeMs } = given;
  const sender = fromActor(from);
  return {
    // The actor is the vault, not the sender: a user who watches that plan must not take this for one of its phases.
    ...{ session, timeMs, actor: 'vault', system: { file: 'consultation.md', values: {} } },
    ...(sender !== undefined && projectOfSender(from) !== undefined && { plan: sender }),
    ...(model !== '' && { model }),
  };
}

export function consultationCost({
  session,
  model,
  usage,
  durationMs,
}: ConsultationReport): Pick<Consulted, 'session' | 'model' | 'usd' | 'durationMs'> {
  return {
    ...{ session, durationMs: Math.round(durationMs) },
    ...defined({ model, usd: usage?.costUsd }),
  };
}
