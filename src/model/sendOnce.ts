import { isRavelError } from '../base/errors.ts';

/** Owners in turn that may die while they accept a message. */
const triesMax = 3;
/** What a request rejects with whose owner went away, or was just leaving: it may have taken it in or not. */
const lostCodes = ['server/gone', 'actor/stopping', 'run/stopped'] as const;

/**
 * Sends a message for a caller that keeps no record of it: an owner that dies can have accepted the message without
 * saying so. The next owner gets it again, and since `send` uses the same id, it is accepted only once. Rejects as the
 * third try does, and at once with any error that another owner would give as well.
 */
export async function sendOnce<T>(send: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await send();
    } catch (error) {
      const isLost = lostCodes.some((code) => isRavelError(error, code));
      if (!isLost || tries === triesMax) throw error;
    }
  }
}
