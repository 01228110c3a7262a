import { assert } from '../base/assert.ts';
import type { Diagnostic } from '../base/errors.ts';

/**
 * Where an actor stands. Dormant costs no object. Queued: it has something to do, but as many actors as may be are
 * active, the system refused something, or it crashed a moment ago, and is tried again later. Faulted: it crashed too often, or its mailbox is damaged, and a
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
  assert(to.kind !== 'queued' || to.reason !== '', 'who waits is told why');
  return to;
}
