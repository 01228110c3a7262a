import type { Clock } from '../base/clock.ts';
import { defined } from '../base/defined.ts';
import type { Disk } from '../base/disk.ts';
import { failure } from '../model/codes.ts';
import { ReconnectingClient, type ReconnectingOptions } from '../server/reconnecting.ts';
import { readOwnerSocket } from './ownerSocket.ts';

export interface OwnerClientPorts {
  /** RAVEL_SESSION, RAVEL_TOKEN and RAVEL_VAULT must be there; RAVEL_SOCKET is the first guess where the owner is. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly disk: Disk;
  /** How to connect; another one only in tests. */
  readonly connect?: NonNullable<ReconnectingOptions['connect']>;
}

/** A process of a session, as the owner of the vault knows it, and its connection to that owner. */
export function createOwnerClient({ environment, clock, disk, connect }: OwnerClientPorts) {
  const vault = fromEnvironment(environment, 'RAVEL_VAULT');
  const identity = {
    session: fromEnvironment(environment, 'RAVEL_SESSION'),
    token: fromEnvironment(environment, 'RAVEL_TOKEN'),
  };
  const client = new ReconnectingClient({
    clock,
    ...defined({ connect }),
    locate: async () => distinct([environment['RAVEL_SOCKET'], await readOwnerSocket(disk, vault)]),
  });
  return { client, identity };
}

/** A variable that every process of a session has. */
export function fromEnvironment(environment: OwnerClientPorts['environment'], name: string): string {
  const value = environment[name];
  if (value !== undefined && value !== '') return value;
  throw failure('session/unknown', 'mcp', `${name} is not set: this command is started by a session's harness.`, {
    help: 'Start a session with `ravel run`.',
  });
}

/** Without what is missing, and each once. */
function distinct(paths: readonly (string | undefined)[]): string[] {
  return [...new Set(paths.flatMap((path) => (path === undefined || path === '' ? [] : path)))];
}
