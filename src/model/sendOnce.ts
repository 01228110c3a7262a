import { isRavelError } from '../base/errors.ts';

const triesMax = 3;
/** What a request rejects with whose owner went away, or was just leaving: it may have taken it in or not. */
const lostCodes = ['server/gone', 'actor/stopping', 'run/stopped'] as const;

/**
 * Sends a message for whoever has no record of it: an owner that dies may have taken the message in and not have said so.
 * The next one is given it again; `send` does so under the same id, so that it is taken in once. Rejects as the third try
 * does, and at once with everything that another owner would say as well.
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
