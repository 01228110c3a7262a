import type { OpenApi } from '../access/openApi.ts';
import { createDeferred, type Deferred } from '../base/async.ts';
import { failure } from '../model/codes.ts';
import type { RavelEvent } from '../model/event.ts';
import type { Ulid } from '../model/id.ts';
import type { RouteOutcome } from '../model/routing.ts';
import type { CommandContext } from './context.ts';
import type { DeliveryOutcome } from './render/messages.ts';

/** A plan takes a message in at once unless its inbox is full or its backlog is locked, which is not worth a long wait. */
const deliveryMs = 5_000;

/** Hears of the receiver that is found for a message and of what becomes of it there, from before it is sent. */
export function whenRouted(
  { ports, event }: CommandContext,
  { api, vault, onDidClose }: OpenApi,
  id: Ulid,
  waitMs: number,
) {
  let found: RouteOutcome | undefined;
  let delivered: DeliveryOutcome | undefined;
  const over = createDeferred<void>();
  const read = createDeferred<void>();
  // The caller does not always wait for them.
  over.promise.catch(() => undefined);
  read.promise.catch(() => undefined);
  const subscription = api.onEvent((one) => {
    if ((one.type === 'message.handled' || one.type === 'message.dead') && one.message === id) {
      delivered = deliveryOf(one);
      read.resolve();
    }
    if ((one.type !== 'message.routing' && one.type !== 'message.routed') || one.message !== id) return;
    event(one);
    if (one.type !== 'message.routed') return;
    found = one.outcome;
    over.resolve();
  });
  onDidClose(() => {
    over.reject(failure('server/gone', vault, 'The owner of the vault ended meanwhile.'));
    // The message is in the mailbox, whose next owner reads it.
    read.resolve();
  });
  const within = async (ms: number, done: Deferred<void>) => {
    const timer = ports.clock.schedule(ms, () => done.resolve());
    try {
      await done.promise;
    } finally {
      timer.dispose();
    }
  };
  return {
    /** Rejects with `server/gone` if the owner left before it told the outcome. */
    async outcome(): Promise<RouteOutcome | undefined> {
      if (found !== undefined || waitMs === 0) return found;
      await within(waitMs, over);
      return found;
    },
    /** What its receiver did with it; undefined for one that has not read it yet. */
    async delivery(): Promise<DeliveryOutcome | undefined> {
      if (delivered === undefined && waitMs > 0) await within(Math.min(waitMs, deliveryMs), read);
      return delivered;
    },
    dispose: () => subscription.dispose(),
  };
}

function deliveryOf(event: Extract<RavelEvent, { type: 'message.handled' | 'message.dead' }>): DeliveryOutcome {
  const { actor: to } = event;
  if (event.type === 'message.dead') return { kind: 'dead', to, reason: event.reason };
  const { outcome } = event;
  return outcome.kind === 'done' ? { kind: 'read', to } : { kind: 'declined', to, reason: outcome.reason };
}
