import { isRavelError } from '../base/errors.ts';
import { createUlids } from '../base/ulid.ts';
import type { Ulid } from '../model/id.ts';
import type { Api } from '../model/protocol.ts';
import { withApi } from './access.ts';
import type { CommandContext } from './context.ts';

const triesMax = 3;

/**
 * An owner that dies may have taken the message in and not have said so: the next one is given it under the same id, and
 * takes it in once.
 */
export async function sendOnce<T>(
  { ports, globals }: CommandContext,
  send: (api: Api, id: Ulid) => Promise<T>,
): Promise<T> {
  const id = createUlids(ports.clock)();
  for (let tries = 1; ; tries++) {
    try {
      return await withApi(ports, globals.vault, 'owner', ({ api }) => send(api, id as Ulid));
    } catch (error) {
      const isLost = ['server/gone', 'actor/stopping', 'run/stopped'].some((code) => isRavelError(error, code));
      if (!isLost || tries === triesMax) throw error;
    }
  }
}
