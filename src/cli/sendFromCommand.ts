import { type OpenApi, withApi } from '../access/openApi.ts';
import { createUlids } from '../base/ulid.ts';
import type { Ulid } from '../model/id.ts';
import { sendOnce } from '../model/sendOnce.ts';
import type { CommandContext } from './context.ts';

/** Sends a person's message, even if owners die meanwhile: this process may be the next one, and `open` is called again. */
export function sendFromCommand<T>(
  { ports, globals }: CommandContext,
  send: (open: OpenApi, id: Ulid) => Promise<T>,
): Promise<T> {
  const id = createUlids(ports.clock)() as Ulid;
  return sendOnce(() => withApi(ports, globals.vault, 'owner', (open) => send(open, id)));
}
