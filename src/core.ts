// Opens a vault, for its owner or for a reader, and makes new ones. `coreParts.ts` builds what both have.

import { join } from 'node:path';
import { settleAll } from './base/async.ts';
import type { Clock } from './base/clock.ts';
import { defined } from './base/defined.ts';
import type { Disk } from './base/disk.ts';
import type { RavelError } from './base/errors.ts';
import { ensureDirectory } from './base/files.ts';
import { createDividedJournal } from './base/journalParts.ts';
import { OwnWrites } from './base/ownWrites.ts';
import { createMeaningRanker } from './coreMeaning.ts';
import { OwnerWork } from './coreOwner.ts';
import { type CoreParts, createParts, type PartsOptions } from './coreParts.ts';
import { sessionSocketOf } from './coreServices.ts';
import { stopInOrder } from './coreStop.ts';
import { createGit } from './git/git.ts';
import { commitOwnPaths, initRepository } from './git/vaultRepository.ts';
import { failure } from './model/codes.ts';
import type { OwnerOptions } from './model/ownerOptions.ts';
import type { Api } from './model/protocol.ts';
import { createApi } from './requests.ts';
import { initVault } from './vault/bootstrap.ts';
import { isOfHere } from './vault/claim.ts';
import { loadIdentity } from './vault/identity.ts';
import { VaultLayout } from './vault/layout.ts';
import { LiveSettings } from './vault/liveSettings.ts';
import { acquireLock, type HeldLock } from './vault/lock.ts';
import { tidyLockFolder } from './vault/lockFolder.ts';
import { Ownership } from './vault/ownership.ts';
import { assertNoLinks } from './vault/ownPlaces.ts';
import { loadSettings, overrideSettings } from './vault/settings.ts';
import type { WatchTree } from './vault/watcher.ts';

export interface CoreOptions extends OwnerOptions, PartsOptions {
  /** Absolute path of the vault. */
  readonly vault: string;
  /** `owner` takes the vault and may run phases; `local` takes nothing and serves single requests. */
  readonly role: 'owner' | 'local';
  readonly disk: Disk;
  /** Whether a process listens at a socket; without it, only the lock tells of an owner in another container. */
  readonly answers?: (socketPath: string) => Promise<boolean>;
  /** How the owner watches folders; without it, changes by others are noticed only at the next request. */
  readonly watchTree?: WatchTree;
}

export interface Core {
  readonly api: Api;
  readonly socketPath: string;
  /** Where sessions find their tools; the process that serves `socketPath` serves this one as well. */
  readonly sessionSocketPath: string;
  /**
   * Resolves once what an earlier owner left is settled; rejects if that cannot be found out, and then all requests that
   * need it are refused. The server of the socket need not wait: each request waits for what it needs.
   */
  readonly recovered: Promise<void>;
  /** Resolves with `vault/lost` when another process has taken the vault; the caller then stops the core. */
  readonly lost?: Promise<RavelError>;
  /** Releases the vault. Sessions that run are let go, not ended: the next owner re-adopts them. */
  stop(): Promise<void>;
}

/** Builds everything that has no screen, in the order of its dependencies. */
export async function createCore(options: CoreOptions): Promise<Core> {
  const { disk, log } = options;
  const layout = new VaultLayout(options.vault);
  await loadIdentity(disk, layout);
  // Before the first write: another user can have made this vault.
  await assertNoLinks(disk, layout);
  const loaded = await loadSettings(disk, layout);
  const { diagnostics } = overrideSettings(loaded.settings, options.overrides ?? {});
  for (const problem of [...loaded.diagnostics, ...diagnostics]) log.warn(problem.message, { code: problem.code });
  await ensureDirectory(disk, layout.runtime, 0o700);
  await ensureDirectory(disk, layout.plans);
  const liveSettings = new LiveSettings({ disk, layout, loaded, overrides: options.overrides ?? {} });
  if (options.role === 'local') return createReader(options, { layout, liveSettings });
  const lock = await takeVault(options, layout);
  const ownership = new Ownership({ lock, disk, clock: options.clock, vault: layout.root });
  try {
    await tidyLockFolder({ ...options, layout });
    return await createOwner(options, { layout, liveSettings }, { lock, ownership });
  } catch (error) {
    ownership.stop();
    await lock.release();
    throw error;
  }
}

/** A vault whose places and settings are known. */
interface OpenVault {
  readonly layout: VaultLayout;
  readonly liveSettings: LiveSettings;
}

/** What its owner holds it with. */
interface TakenVault {
  readonly lock: HeldLock;
  readonly ownership: Ownership;
}

function createReader(options: CoreOptions, vault: OpenVault): Core {
  const parts = createParts(options, { ...vault, disk: options.disk });
  const api = createApi({ ...parts, isOwner: false });
  return {
    ...{ api, ...socketsOf(parts), recovered: Promise.resolve() },
    stop: once(() => stopParts(options, parts)),
  };
}

async function createOwner(options: CoreOptions, vault: OpenVault, taken: TakenVault): Promise<Core> {
  const { clock, environment, watchTree, backgroundAfter, verifiesItself } = options;
  const { layout, liveSettings } = vault;
  const { ownership } = taken;
  const { settings } = liveSettings;
  const own = settings.watch.enabled && watchTree !== undefined ? new OwnWrites(ownership.disk) : undefined;
  const disk = own?.disk ?? ownership.disk;
  const parts = createParts(options, {
    ...{ ...vault, disk },
    rights: {
      ledger: createDividedJournal(disk, layout.ledger),
      meaning: createMeaningRanker({ clock, settings, environment }),
      assertOwned: () => ownership.assertOwned(),
    },
  });
  const watching = own === undefined || watchTree === undefined ? undefined : { own, watchTree };
  const { spawn, isWatched, rehearsal } = options;
  const world = { environment, spawn, isWatched };
  const work = await OwnerWork.begin({
    ...{ parts, ownership, watching, backgroundAfter, verifiesItself },
    // A person who rehearses is not to take it for what really happened.
    ...(rehearsal === undefined && { world }),
  });
  const { start, watch, claims } = work;
  const api = createApi({ ...parts, start, claims, ...defined({ watch }), isOwner: true });
  return {
    ...{ api, ...socketsOf(parts), recovered: start.done, lost: ownership.lost },
    stop: once(() => stopParts(options, parts, { taken, work })),
  };
}

function socketsOf({ services: { socketPath, sessionSocketPath } }: CoreParts) {
  return { socketPath, sessionSocketPath };
}

/** Two signals are one stop: nothing is closed twice. */
function once(stop: () => Promise<void>): () => Promise<void> {
  let stopped: Promise<void> | undefined;
  return () => {
    stopped ??= stop();
    return stopped;
  };
}

/** An editor gives five seconds in all, and one is left for the rest of the stop. */
const usualDrainMs = 4000;

function stopParts(
  { clock, drainMs = usualDrainMs }: CoreOptions,
  parts: CoreParts,
  owner?: { readonly taken: TakenVault; readonly work: OwnerWork },
): Promise<void> {
  const { record, followed, catalog, recovery, locks, live, routing, answers, actors, consultations } = parts;
  const { scanner, vaultSearch, entryThread, knowledge, ingestion, history, spending, services, events } = parts;
  const nothing = Promise.resolve();
  return stopInOrder(
    { clock, drainMs, ...owner?.taken },
    {
      outside: () => settleAll([owner?.work.stopWatching() ?? nothing, followed.stop(), catalog.stop()]),
      background: [() => owner?.work.stopHousekeeping(), () => owner?.work.start.stop()],
      phases: () => settleAll([recovery.stop(), locks.detach(), live.stop()]),
      messages: () => settleAll([routing.stop(), owner?.work.start.sent() ?? nothing]),
      actors: [() => ingestion.stop(), () => answers.stop(), () => actors.stop(), () => consultations.stop()],
      // Threads that only write their caches; without them nothing is lost.
      cache: () => settleAll([scanner.stop(), vaultSearch.stop(), entryThread.stop(), services.memories.stop()]),
      records: [
        () => record.stop(),
        () => history.stop(),
        () => knowledge.uses.stop(),
        () => spending.stop(),
        () => services.ledger?.close(),
      ],
      sessions: () => services.host.release(),
    },
  ).finally(() => events.dispose());
}

async function takeVault(options: CoreOptions, layout: VaultLayout): Promise<HeldLock> {
  const { disk, processes, clock, socketPath, answers } = options;
  const ports = { disk, processes, clock, ...defined({ answers }) };
  const info = { socket: socketPath, 'session-socket': sessionSocketOf(options, layout) };
  const taken = await acquireLock({ ...ports, path: layout.ownerLock, info });
  if (taken.held) return taken.lock;
  const place = isOfHere(await processes.self(), taken.holder) ? '' : ' of another container or machine';
  const message = `The vault ${layout.root} is owned by process ${taken.holder.pid}${place}.`;
  throw failure('vault/owned', layout.root, message);
}

/** Throws `expert/unknown` unless an expert of each of these ids comes with Ravel. */
export async function checkShippedExperts(disk: Disk, packageRoot: string, ids: readonly string[]): Promise<void> {
  const { findShipped, readShippedExperts } = await import('./experts/shippedExperts.ts');
  const shipped = await readShippedExperts(disk, join(packageRoot, 'shipped'));
  for (const id of ids) findShipped(shipped, id);
}

/** Makes a vault, a repository of it, and its first commit. */
export async function createVault(options: {
  readonly root: string;
  readonly name: string;
  readonly disk: Disk;
  readonly clock: Clock;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly version: string;
}): Promise<void> {
  const { root, name, disk, clock, environment, version } = options;
  const git = createGit({ environment, clock, disk });
  const makeRepository = (folder: string) => initRepository(git, folder);
  const paths = await initVault({ disk, clock, root, name, version, makeRepository });
  await commitOwnPaths(git, root, paths, `Create the vault ${name}`);
}
