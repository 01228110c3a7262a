import type { Readable, Writable } from 'node:stream';
import { createUlids } from '../base/ulid.ts';
import { createOwnerClient, type OwnerClientPorts } from './ownerClient.ts';
import { serveSessionTools } from './sessionTools.ts';
import { type WatchdogOptions, watchSession } from './watchdog.ts';

export interface McpOptions extends OwnerClientPorts {
  readonly input: Readable;
  readonly output: Writable;
  readonly version: string;
  /** Ends the process group of the session. A process outside of a session directory watches over nothing. */
  readonly endGroup: WatchdogOptions['endGroup'];
}

/**
 * The session tools of one session, and its watchdog: resolves when the harness closes the input, or when the watchdog
 * has ended the session. Rejects with `session/unknown` outside of a session.
 */
export async function runMcp(options: McpOptions): Promise<void> {
  const { environment, clock, disk, input, output, version } = options;
  const { client, identity } = createOwnerClient(options);
  const stopping = new AbortController();
  const serving = serveSessionTools({
    identity,
    request: (name, params) => client.request(name, params),
    newCallId: createUlids(clock),
    version,
    input,
    output,
  });
  const sessionDirectory = environment['RAVEL_SESSION_DIRECTORY'];
  const ends: Promise<unknown>[] = [serving];
  if (sessionDirectory !== undefined) {
    const { endGroup } = options;
    ends.push(watchSession({ sessionDirectory, disk, clock, owner: () => client.owner, endGroup }, stopping.signal));
  }
  try {
    await Promise.race(ends);
  } finally {
    stopping.abort(new Error('the session is over'));
    client.stop();
    await Promise.allSettled(ends.slice(1));
  }
}
