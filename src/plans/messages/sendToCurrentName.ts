import type { Supervisor } from '../../actors/supervisor.ts';
import { delay } from '../../base/clock.ts';
import { isRavelError } from '../../base/errors.ts';
import { failure } from '../../model/codes.ts';
import type { Message } from '../../model/message.ts';
import { presentName } from '../../vault/planRenames.ts';
import { emitFor, type PlanServices } from '../services.ts';

/** A rename takes as long as a few files do; who is not free after two seconds is waited for no longer. */
const busyMs = 100;
const triesMax = 20;

/**
 * Sends to where the receiver is now: the sender may not know that the plan was renamed or is being moved at this
 * moment. Rejects with `message/unknownPlan` for a plan that was removed, because its messages would never be handled,
 * and with the error of a mailbox that refuses.
 */
export function sendToCurrentName(
  services: Pick<PlanServices, 'disk' | 'clock' | 'layout' | 'emit'>,
  supervisor: Pick<Supervisor, 'send'>,
): Supervisor['send'] {
  return async (message, options) => {
    for (let tries = 1; ; tries++) {
      const to = await presentName(services, message.to);
      if (to === undefined) {
        throw failure('message/unknownPlan', message.to, `The plan ${message.to} does not exist any more.`);
      }
      try {
        const receipt = await supervisor.send({ ...message, to }, options);
        emitFor(services, to, { type: 'message.accepted', ...aboutMessage(message) });
        return receipt;
      } catch (error) {
        if (!isRavelError(error, 'actor/busy') || tries === triesMax) throw error;
        await delay(services.clock, busyMs);
      }
    }
  };
}

export function aboutMessage({ id, type, from }: Pick<Message, 'id' | 'type' | 'from'>) {
  return { message: id, messageType: type, from };
}
