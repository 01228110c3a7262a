import type { RavelEvent } from '../../model/event.ts';
import type { QualifiedId } from '../../model/id.ts';
import { planFiles } from '../../model/plan.ts';

/** The plan whose backlog this event may have changed, whether a phase, a person or an editor did it. */
export function changedBacklog(event: RavelEvent): QualifiedId | undefined {
  if (event.actor === 'vault' || event.actor.startsWith('expert:')) return undefined;
  if (event.type === 'state.merged') return event.files.includes(planFiles.backlog) ? event.actor : undefined;
  if (event.type !== 'plan.changed' || event.change === 'removed') return undefined;
  const isOther = event.change === 'edited' && event.files?.includes(planFiles.backlog) !== true;
  return isOther ? undefined : event.actor;
}
