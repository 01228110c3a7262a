import { createDeferred } from '../base/async.ts';
import { CachedPromise } from '../base/cachedPromise.ts';
import { delay } from '../base/clock.ts';
import { isRavelError } from '../base/errors.ts';
import { failure } from '../model/codes.ts';
import type { QualifiedId } from '../model/id.ts';
import { isForPerson, ownedByPersons, personOnly } from '../model/personOnly.ts';
import type { Api } from '../model/protocol.ts';
import { connect } from '../server/client.ts';
import type { CloseNotice } from '../server/connection.ts';
import { startServer } from '../server/server.ts';
import type { AccessPorts, RunningCore } from './ports.ts';

/** Of the outside world, what it takes to open a vault. */

/**
 * What a command needs: `runner` for what starts sessions and `owner` for what only the owner carries out (in both this
 * process becomes the owner when there is none), `local` for single requests (without an owner they are served here),
 * `client` for what makes sense only beside a running owner, `reader` for who talks to no owner and only looks.
 */
export type OpenMode = 'runner' | 'owner' | 'local' | 'client' | 'reader';

export interface OpenApi {
  readonly api: Api;
  readonly vault: string;
  /** How the Api was come by. */
  readonly role: 'client' | 'owner' | 'local';
  readonly socketPath: string;
  /** The owner went away, or the vault was taken from the one that this process is. */
  readonly onDidClose: (listener: () => void) => void;
  /** A client that was too slow lost events; the transcripts hold them. */
  readonly onDidDrop: (listener: () => void) => void;
  /** Resolves when the owner is asked to shut down; never for a client. */
  readonly shutdown: Promise<void>;
  /** Rejects with `vault/lost` once another process has taken the vault from this owner; it is closed by then. */
  readonly lost: Promise<never>;
  /** An owner says goodbye to its clients, unless told otherwise. */
  stop(notice?: CloseNotice): Promise<void>;
}

/** Four seconds in all: as long as an owner that leaves can take for what it is at (`usualDrainMs` in `core.ts`). */
const attemptsMax = 40;
const pauseMs = 100;
/** Owners that one after the other leave what they were asked. */
const leftMax = 10;
const never = new Promise<never>(() => undefined);

/** Opens the Api of a vault; use `withApi` unless the lifetime is another one. */
export async function openApi(ports: AccessPorts, vaultFlag: string | undefined, mode: OpenMode): Promise<OpenApi> {
  const vault = await ports.core.findVault(vaultFlag);
  for (let attempt = 1; ; attempt++) {
    try {
      return await openApiOnce(ports, vault, mode);
    } catch (error) {
      // An owner that is just starting or just leaving: look again who it is.
      const passing = isRavelError(error, 'server/gone') || isRavelError(error, 'vault/owned');
      if (!passing || attempt === attemptsMax) throw error;
      await delay(ports.clock, pauseMs);
    }
  }
}

/** Uses the Api and closes it. An owner who is asked to shut down meanwhile leaves what it is at, as `run/stopped`. */
export async function withApi<T>(
  ports: AccessPorts,
  vaultFlag: string | undefined,
  mode: OpenMode,
  use: (open: OpenApi) => Promise<T>,
): Promise<T> {
  const open = await openApi(ports, vaultFlag, mode);
  try {
    return await Promise.race([use(open), open.shutdown.then(() => leave(open.vault)), open.lost]);
  } finally {
    // An owner that only passed by leaves the sessions that it took over as much time as they had before it.
    await open.stop(mode === 'owner' ? 'nothing' : 'goodbye');
  }
}

/**
 * As `withApi` for what only the owner carries out. If another process owned the vault for a moment and left meanwhile, it
 * is used again, by the next owner or by this process: so only for what is harmless when repeated.
 */
export async function withOwner<T>(
  ports: AccessPorts,
  vaultFlag: string | undefined,
  use: (open: OpenApi) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await withApi(ports, vaultFlag, 'owner', use);
    } catch (error) {
      if (!isRavelError(error, 'server/gone') || attempt === leftMax) throw error;
    }
  }
}

/** Becomes the owner and serves the vault to other processes. Rejects with `vault/owned` when there is an owner. */
export async function openAsOwner(ports: AccessPorts, vault: string): Promise<OpenApi> {
  const session = await ports.core.sessionAround(vault);
  if (session !== undefined) throw ownedByPersons(vault, session);
  const core = await ports.core.open(vault, 'owner');
  const shutdown = createDeferred<void>();
  const api = withShutdown(core.api, () => shutdown.resolve());
  try {
    const { clock, disk, log } = ports;
    const { socketPath, sessionSocketPath } = core;
    const identify = (descriptor: number | undefined) => ports.core.identify(vault, descriptor);
    const server = await startServer({ api, socketPath, sessionSocketPath, identify, disk, clock, log });
    let stops: Promise<void> | undefined;
    const stop = (notice?: CloseNotice): Promise<void> => {
      stops ??= server.stop(notice).then(() => core.stop());
      return stops;
    };
    const lost = (core.lost ?? never).then(async (error): Promise<never> => {
      // Its clients look for the owner that there is now.
      await stop();
      throw error;
    });
    // A caller that does not wait for it learns of it from the log.
    lost.catch(() => undefined);
    return {
      api,
      vault,
      role: 'owner',
      socketPath: core.socketPath,
      shutdown: shutdown.promise,
      lost,
      onDidClose: (listener) => void lost.catch(listener),
      onDidDrop: () => undefined,
      stop,
    };
  } catch (error) {
    await core.stop();
    throw error;
  }
}

/** The plan that a person named, by its whole id or by its project; without a name the only one there is. */
export async function resolvePlan(api: Api, named: string | undefined): Promise<QualifiedId> {
  if (named !== undefined) return (await api.request('status', { plan: named })).plan;
  const { plans } = await api.request('list', {});
  const [first, ...others] = plans;
  if (first !== undefined && others.length === 0) return first.plan;
  if (first === undefined) {
    throw failure('plan/unknown', 'plan', 'The vault has no plans yet.', {
      help: 'Adopt a project first: `ravel adopt DIR --description TEXT`.',
    });
  }
  const names = plans.map((row) => row.plan).join(', ');
  throw failure('cli/usage', 'plan', `The vault has ${plans.length} plans; name one of ${names}.`);
}

function leave(vault: string): never {
  const message = 'The owner of the vault was asked to shut down.';
  throw failure('run/stopped', vault, message, {
    help: 'Running sessions continue for a while; `ravel run` takes them over, `ravel stop` ends them.',
  });
}

/** A process that serves its own requests loses neither an owner nor events. */
const neverLost = { lost: never, onDidClose: () => undefined, onDidDrop: () => undefined };

/**
 * As `openApi` for the path of a vault, but looks once: rejects with `server/gone` or `vault/owned` if an owner is just
 * leaving or starting.
 */
export async function openApiOnce(ports: AccessPorts, vault: string, mode: OpenMode): Promise<OpenApi> {
  const owner = mode === 'reader' ? undefined : await ports.core.findOwner(vault);
  if (owner !== undefined) {
    const client = await connect({ socketPath: owner.socketPath, clock: ports.clock });
    const stop = async () => client.close();
    return {
      api: forCaller(ports, vault, client),
      vault,
      role: 'client',
      socketPath: owner.socketPath,
      shutdown: never,
      lost: never,
      onDidClose(listener) {
        client.onDidClose((reason) => {
          if (reason !== 'closed') listener();
        });
      },
      onDidDrop: (listener) => void client.onDidDrop(listener),
      stop,
    };
  }
  switch (mode) {
    case 'runner':
    case 'owner':
      return openAsOwner(ports, vault);
    case 'local':
    case 'reader':
      return localApi(ports, vault, await ports.core.open(vault, 'local'));
    case 'client':
      throw failure('cli/noOwner', vault, 'Nothing is running in this vault.');
  }
}

function localApi(ports: AccessPorts, vault: string, core: RunningCore): OpenApi {
  const { socketPath } = core;
  return {
    api: forCaller(ports, vault, core.api),
    vault,
    role: 'local',
    socketPath,
    shutdown: never,
    ...neverLost,
    stop: () => core.stop(),
  };
}

/** Refuses what is for a person if a session started this process, also if no owner is there to say so. */
function forCaller({ core }: AccessPorts, vault: string, api: Api): Api {
  const around = new CachedPromise<string | undefined>();
  return {
    onEvent: (listener) => api.onEvent(listener),
    async request(name, params, signal) {
      if (isForPerson(name, params)) {
        const session = await around.get(() => core.sessionAround(vault));
        if (session !== undefined) throw personOnly(name, params, session);
      }
      return api.request(name, params, signal);
    },
  };
}

/** The process ends with the core, so the request to shut down is handled here, where both are known. */
function withShutdown(api: Api, onShutdown: () => void): Api {
  return {
    onEvent: (listener) => api.onEvent(listener),
    async request(name, params, signal) {
      const result = await api.request(name, params, signal);
      // In the next turn, so that the answer leaves before the server closes.
      if (name === 'shutdown') setImmediate(onShutdown);
      return result;
    },
  };
}
