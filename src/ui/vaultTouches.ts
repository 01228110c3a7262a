import type { RavelEvent } from '../model/event.ts';
import type { QualifiedId } from '../model/id.ts';

/** What of a vault's picture beside its plans can be out of date. */
export type VaultFacet = 'structure' | 'experts' | 'approvals' | 'letters' | 'messages' | 'sessions' | 'spending';

/** What an event made out of date: the row of one plan, and facets of the whole. */
export interface Touch {
  readonly plan?: QualifiedId;
  readonly facets: readonly VaultFacet[];
}

const nothing: Touch = { facets: [] };

/**
 * What must be looked at again after an event. What a session says while it runs touches nothing: a tree does not show
 * it, and there may be thousands a second.
 */
export function touchOf(event: RavelEvent): Touch {
  switch (event.type) {
    case 'phase.started':
    case 'session.started':
      return touched(event, 'sessions');
    case 'phase.ended':
    case 'session.ended':
      return touched(event, 'sessions', 'spending');
    case 'approval.opened':
    case 'approval.decided':
      return touched(event, 'approvals');
    case 'message.dead':
    case 'message.handled':
      return touched(event, 'letters');
    case 'message.routing':
    case 'message.routed':
      return touched(event, 'messages');
    case 'state.merged':
    case 'run.queued':
    case 'run.ended':
    case 'run.paused':
    case 'message.accepted':
    case 'query.answered':
    case 'recovered':
      return touched(event);
    // A dead letter that is delivered again or dropped is told by nothing but its actor's change.
    case 'actor.changed':
      return touched(event, 'letters');
    case 'plan.changed':
      return event.change === 'edited' ? touched(event) : { facets: ['structure', 'approvals', 'letters', 'sessions'] };
    case 'vault.changed':
      return { facets: ['structure', 'experts'] };
    case 'budget.reached':
      return touched(event, 'spending');
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

function touched({ actor }: RavelEvent, ...facets: readonly VaultFacet[]): Touch {
  if (actor === 'vault') return { facets };
  return actor.startsWith('expert:') ? { facets: [...facets, 'experts'] } : { plan: actor, facets };
}
