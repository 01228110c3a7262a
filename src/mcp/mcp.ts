import type { Readable, Writable } from 'node:stream';
import type { Clock } from '../base/clock.ts';
import type { Disk } from '../base/disk.ts';
import { createUlids } from '../base/ulid.ts';
import { failure } from '../model/codes.ts';
import { ReconnectingClient } from '../server/reconnecting.ts';
import { readOwnerSocket } from './ownerSocket.ts';
import { serveSessionTools } from './sessionTools.ts';
import { type WatchdogOptions, watchSession } from './watchdog.ts';

export interface McpOptions {
  /** RAVEL_SESSION, RAVEL_TOKEN and RAVEL_VAULT must be there; RAVEL_SOCKET is the first guess where the owner is. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly input: Readable;
  readonly output: Writable;
  readonly clock: Clock;
  readonly disk: Disk;
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
  const vault = fromEnvironment(environment, 'RAVEL_VAULT');
  const identity = {
    session: fromEnvironment(environment, 'RAVEL_SESSION'),
    token: fromEnvironment(environment, 'RAVEL_TOKEN'),
  };
  const client = new ReconnectingClient({
    clock,
    locate: async () => distinct([environment['RAVEL_SOCKET'], await readOwnerSocket(disk, vault)]),
  });
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

/** A variable that every process of a session has. */
export function fromEnvironment(environment: McpOptions['environment'], name: string): string {
  const value = environment[name];
  if (value !== undefined && value !== '') return value;
  throw failure('session/unknown', 'mcp', `${name} is not set: this command is started by a session's harness.`, {
    help: 'Start a session with `ravel run`.',
  });
}

/** Without what is missing, and each once. */
export function distinct(paths: readonly (string | undefined)[]): string[] {
  return [...new Set(paths.filter((path) => path !== undefined && path !== ''))] as string[];
}
