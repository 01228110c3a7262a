import { eventRowOf, type RavelEvent } from '../model/event.ts';
import type { VaultPart } from '../model/eventRow.ts';
import type { QualifiedId } from '../model/id.ts';

/** What an event made out of date: the row of one plan, and parts of the whole. */
export interface Invalidation {
  readonly plan?: QualifiedId;
  readonly parts: readonly VaultPart[];
}

/** What must be looked at again after an event. */
export function invalidatedBy(event: RavelEvent): Invalidation {
  const { outdates } = eventRowOf(event.type);
  if (outdates === 'nothing') return { parts: [] };
  const parts = typeof outdates === 'function' ? outdates(event) : outdates;
  // The whole structure is read again, with every plan that there is now.
  if (event.actor === 'vault' || parts.includes('structure')) return { parts };
  return event.actor.startsWith('expert:') ? { parts: [...parts, 'experts'] } : { plan: event.actor, parts };
}
