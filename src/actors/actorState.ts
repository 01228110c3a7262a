import { assert } from '../base/assert.ts';
import type { Diagnostic } from '../base/errors.ts';

/**
 * The state of an actor. Dormant costs no object. Queued: it has something to do, but the limit of active actors is
 * reached, the system refused something, or it crashed a moment ago; it is tried again later. Faulted: it crashed too often, or its mailbox is damaged, and a
 * person must act.
 */
export type ActorState =
  | { readonly kind: 'dormant' }
  | { readonly kind: 'queued'; readonly reason: string }
  | { readonly kind: 'spawning' }
  | { readonly kind: 'active' }
  | { readonly kind: 'faulted'; readonly fault: Diagnostic }
  | { readonly kind: 'shuttingDown' };

type Kind = ActorState['kind'];

const transitions: Readonly<Record<Kind, readonly Kind[]>> = {
  dormant: ['queued', 'spawning', 'active', 'faulted', 'shuttingDown'],
  queued: ['dormant', 'queued', 'spawning', 'active', 'faulted', 'shuttingDown'],
  spawning: ['dormant', 'queued', 'spawning', 'active', 'faulted', 'shuttingDown'],
  active: ['dormant', 'queued', 'spawning', 'faulted', 'shuttingDown'],
  faulted: ['dormant', 'faulted', 'shuttingDown'],
  shuttingDown: ['dormant', 'faulted'],
};

/** The state that follows; a step that the table does not have is a defect. */
export function advance(from: ActorState, to: ActorState): ActorState {
  assert(transitions[from.kind].includes(to.kind), `an actor does not go from ${from.kind} to ${to.kind}`);
  assert(to.kind !== 'queued' || to.reason !== '', 'a wait has a reason');
  return to;
}
