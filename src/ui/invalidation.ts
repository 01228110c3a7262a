import type { RavelEvent } from '../model/event.ts';
import type { QualifiedId } from '../model/id.ts';

/** What of a vault's picture beside its plans can be out of date. */
export type VaultPart = 'structure' | 'experts' | 'approvals' | 'deadLetters' | 'messages' | 'sessions' | 'spending';

/** What an event made out of date: the row of one plan, and facets of the whole. */
export interface Invalidation {
  readonly plan?: QualifiedId;
  readonly parts: readonly VaultPart[];
}

const nothing: Invalidation = { parts: [] };

/**
 * What must be looked at again after an event. What a session says while it runs touches nothing: a tree does not show
 * it, and there may be thousands a second.
 */
export function invalidatedBy(event: RavelEvent): Invalidation {
  switch (event.type) {
    case 'phase.started':
    case 'session.started':
      return invalidation(event, 'sessions');
    case 'phase.ended':
    case 'session.ended':
      return invalidation(event, 'sessions', 'spending');
    case 'approval.opened':
    case 'approval.decided':
      return invalidation(event, 'approvals');
    case 'message.dead':
    case 'message.handled':
      return invalidation(event, 'deadLetters');
    case 'message.routing':
    case 'message.routed':
      return invalidation(event, 'messages');
    case 'state.merged':
    case 'run.queued':
    case 'run.ended':
    case 'run.paused':
    case 'message.accepted':
    case 'query.answered':
    case 'recovered':
      return invalidation(event);
    // A dead letter that is delivered again or dropped is told by nothing but its actor's change.
    case 'actor.changed':
      return invalidation(event, 'deadLetters');
    case 'plan.changed':
      return event.change === 'edited'
        ? invalidation(event)
        : { parts: ['structure', 'approvals', 'deadLetters', 'sessions'] };
    case 'vault.changed':
      return { parts: ['structure', 'experts'] };
    case 'budget.reached':
      return invalidation(event, 'spending');
    case 'session.output':
    case 'session.verb':
    case 'session.noted':
    case 'spawn.measured':
    case 'gate.judged':
    case 'commit.made':
    case 'commit.skipped':
    case 'vault.verifying':
    case 'diagnostic':
      return nothing;
  }
}

function invalidation({ actor }: RavelEvent, ...facets: readonly VaultPart[]): Invalidation {
  if (actor === 'vault') return { parts: facets };
  return actor.startsWith('expert:') ? { parts: [...facets, 'experts'] } : { plan: actor, parts: facets };
}
