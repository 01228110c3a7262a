import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { assert } from './base/assert.ts';
import { SerialQueue, settleAll } from './base/async.ts';
import { type Clock, formatTimestamp } from './base/clock.ts';
import { defined } from './base/defined.ts';
import type { Disk } from './base/disk.ts';
import { Emitter } from './base/emitter.ts';
import { messageOf, type RavelError } from './base/errors.ts';
import { ensureDirectory } from './base/files.ts';
import { createDividedJournal } from './base/journalParts.ts';
import type { Logger } from './base/log.ts';
import { OwnWrites } from './base/ownWrites.ts';
import type { Processes, ProcessTable, Spawn } from './base/processes.ts';
import { createUlids } from './base/ulid.ts';
import { createSupervisor } from './coreActors.ts';
import { MessageBus } from './coreMessages.ts';
import { createRouting, createVaultApprovalHandlers } from './coreRouting.ts';
import { createMeaningRanker } from './coreSearch.ts';
import { OwnerStart } from './coreStart.ts';
import { stopInOrder } from './coreStop.ts';
import { ApprovalService } from './decisions/approvalService.ts';
import { createGit } from './git/git.ts';
import { commitOwnPaths, initRepository } from './git/vaultRepository.ts';
import { createAdapters } from './harness/adapters.ts';
import type { Confiner } from './harness/confinement/confinement.ts';
import { createConfiner } from './harness/confinement/confiner.ts';
import { createSessionHost } from './harness/host.ts';
import { createScriptRunner } from './harness/scripts.ts';
import { TerminalLauncher } from './harness/terminalLauncher.ts';
import { CatalogWriter } from './housekeeping/catalogWriter.ts';
import { createChores } from './housekeeping/chores.ts';
import { FirstVerification } from './housekeeping/firstVerification.ts';
import { followSettings } from './housekeeping/followSettings.ts';
import { Housekeeper } from './housekeeping/housekeeper.ts';
import { logLineOf } from './housekeeping/logEvents.ts';
import { OutsideChanges } from './housekeeping/outsideChanges.ts';
import { Relocations } from './housekeeping/relocations.ts';
import { makeSearchable } from './housekeeping/searchable.ts';
import { VaultSearch } from './knowledge/search/vaultSearch.ts';
import { failure } from './model/codes.ts';
import type { RavelEvent } from './model/event.ts';
import { isUlid, type Ulid } from './model/id.ts';
import type { OwnerOptions } from './model/ownerOptions.ts';
import type { ProgramStart } from './model/programStart.ts';
import type { Api } from './model/protocol.ts';
import { confineHooks } from './plans/commits/confineHooks.ts';
import { askQuestion } from './plans/messages/askQuestion.ts';
import { PlanAnswers } from './plans/messages/planAnswers.ts';
import { sendToCurrentName } from './plans/messages/sendToCurrentName.ts';
import { BusyPlans } from './plans/phases/busyPlans.ts';
import { createConsultations } from './plans/phases/consultationsOfPlans.ts';
import { ManualRuns } from './plans/phases/manualRuns.ts';
import { PhaseHistory } from './plans/phases/phaseHistory.ts';
import { PhaseRunner } from './plans/phases/phaseRunner.ts';
import { Recovery } from './plans/phases/recovery.ts';
import { Spending } from './plans/phases/spending.ts';
import { WorkTreeQueue } from './plans/phases/workTreeQueue.ts';
import { WorkTrees } from './plans/phases/workTrees.ts';
import { PlanDirectory } from './plans/planDirectory.ts';
import { acceptedBy } from './plans/programBaselines.ts';
import type { PlanServices } from './plans/services.ts';
import { LiveSessions } from './plans/sessions/liveSessions.ts';
import { Transcripts } from './plans/transcripts.ts';
import { createApi } from './requests.ts';
import { initVault } from './vault/bootstrap.ts';
import { isOfHere } from './vault/claim.ts';
import { loadIdentity } from './vault/identity.ts';
import { VaultLayout } from './vault/layout.ts';
import { LiveSettings } from './vault/liveSettings.ts';
import { acquireLock, type HeldLock, readHolder } from './vault/lock.ts';
import { tidyLockFolder } from './vault/lockFolder.ts';
import { LockQueues } from './vault/lockQueues.ts';
import { Ownership } from './vault/ownership.ts';
import { assertNoLinks } from './vault/ownPlaces.ts';
import { loadSettings, overrideSettings } from './vault/settings.ts';
import { VaultScanner } from './vault/vaultScanner.ts';
import { VaultWatch } from './vault/vaultWatch.ts';
import type { WatchTree } from './vault/watcher.ts';

export interface CoreOptions extends OwnerOptions {
  /** Absolute path of the vault. */
  readonly vault: string;
  /** `owner` takes the vault and may run phases; `local` takes nothing and serves single requests. */
  readonly role: 'owner' | 'local';
  readonly disk: Disk;
  readonly clock: Clock;
  readonly processes: ProcessTable;
  /** How sessions, git, scripts and terminals are started; without it as the operating system starts programs. */
  readonly spawn?: Spawn;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly log: Logger;
  readonly version: string;
  /** How to start this program's command line again, for the session tools. */
  readonly entry: ProgramStart;
  /** The folder that holds `prompts/`. */
  readonly packageRoot: string;
  /** The socket of something below the vault: what is preferred, unless its path is too long for the system. */
  readonly chooseSocketPath?: (preferred: string) => string;
  /** Whether a process listens at a socket; without it, only the lock tells of an owner in another container. */
  readonly answers?: (socketPath: string) => Promise<boolean>;
  /** Where the owner will listen; others read it from the lock. */
  readonly socketPath: string;
  readonly random?: (count: number) => Uint8Array;
  /** The name of the person who decides here; by default the user that the environment names. */
  readonly person?: string;
  /** What builds sandboxes around what sessions run; without it the system's. */
  readonly confiner?: Confiner;
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
  const live = new LiveSettings({ disk, layout, loaded, overrides: options.overrides ?? {} });
  if (options.role === 'local') return buildCore(options, { layout, liveSettings: live });
  const lock = await takeVault(options, layout);
  const ownership = new Ownership({ lock, disk, clock: options.clock, vault: layout.root });
  try {
    await tidyLockFolder({ ...options, layout });
    return await buildCore(options, { layout, liveSettings: live, lock, ownership });
  } catch (error) {
    ownership.stop();
    await lock.release();
    throw error;
  }
}

/** What the parts are made of: a vault that can be read and, for its owner, the right to change it. */
interface OpenVault {
  readonly layout: VaultLayout;
  readonly liveSettings: LiveSettings;
  readonly lock?: HeldLock;
  readonly ownership?: Ownership;
}

async function buildCore(options: CoreOptions, { layout, liveSettings, lock, ownership }: OpenVault): Promise<Core> {
  const { settings } = liveSettings;
  const { clock, processes, environment, log, watchTree, drainMs = usualDrainMs } = options;
  const starting = defined({ spawn: options.spawn });
  const watches = lock !== undefined && settings.watch.enabled && watchTree !== undefined;
  const permitted = ownership?.disk ?? options.disk;
  const own = watches ? new OwnWrites(permitted) : undefined;
  const disk = own?.disk ?? permitted;
  const events = new Emitter<RavelEvent>((error) => log.error('a listener threw', { error: messageOf(error) }));
  const transcripts = new Transcripts(disk, layout, (error) => {
    log.error('a transcript could not be written', { error: messageOf(error) });
  });
  const history = new PhaseHistory({ disk, layout, settings }, (error) => {
    log.error('the history of a plan could not be written', { error: messageOf(error) });
  });
  let stopped = false;
  const emit = (event: RavelEvent): void => {
    if (stopped) return;
    transcripts.append(event);
    if (lock !== undefined) history.record(event);
    events.emit(event);
  };
  const random = options.random ?? randomBytes;
  const nextUlid = createUlids(clock, random);
  const sessionSocketPath = sessionSocketOf(options, layout);
  const ledger = lock === undefined ? undefined : createDividedJournal(disk, layout.ledger);
  const newToken = () => Buffer.from(random(32)).toString('hex');
  const runScript = createScriptRunner({ clock, environment, settings, ...starting });
  const services: PlanServices = {
    disk,
    clock,
    processes,
    layout,
    settings,
    environment,
    log,
    person: options.person ?? environment['USER'] ?? environment['LOGNAME'] ?? 'someone',
    emit,
    onEvent: events.event,
    git: createGit({
      ...{ environment, clock, disk, processes, ...starting },
      ...(ownership !== undefined && { mayStart: () => ownership.assertOwned() }),
      accepted: acceptedBy({ disk, layout }),
      confineHooks: (place) => confineHooks(services, place),
    }),
    host: createSessionHost({ disk, clock, processes, environment, settings, log, ...starting }),
    runScript,
    confiner: options.confiner ?? createConfiner({ disk, environment, runScript, newSecret: newToken }),
    terminals: new TerminalLauncher({
      ...{ disk, clock, processes, environment, settings, ...starting },
      entry: options.entry,
      vault: layout.root,
      directory: layout.terminals,
      chooseSocketPath: options.chooseSocketPath ?? ((preferred) => preferred),
    }),
    adapters: createAdapters({ disk, entry: options.entry }),
    consult: (request, signal) => consultations.run(request, signal),
    endOrphan: (session) => consultations.endOrphan(session),
    newUlid: () => toUlid(nextUlid()),
    newToken,
    lockQueues: new LockQueues(log),
    vaultCommits: new SerialQueue(),
    promptsDirectory: join(options.packageRoot, 'prompts'),
    socketPath: options.socketPath,
    sessionSocketPath,
    entry: options.entry,
    ...defined({ overrides: options.overrides, ledger }),
    ...(lock !== undefined && { lookAtSettings: () => followed.look() }),
  };
  const followed = followSettings(services, liveSettings);
  const program = join(options.packageRoot, 'dist', 'scan.mjs');
  const scanner = new VaultScanner({ disk, layout, clock, log, program, version: options.version });
  const vaultSearch = new VaultSearch({
    ...{ disk, layout, clock, log, version: options.version },
    program: join(options.packageRoot, 'dist', 'search.mjs'),
    ...(lock !== undefined && { meaning: createMeaningRanker(services) }),
  });
  const directory = new PlanDirectory(disk, layout);
  const bus = new MessageBus();
  const answerWaitMs = settings.limits['answer-minutes'] * 60_000;
  const live = new LiveSessions(services, (question, signal) =>
    askQuestion({ services, post: bus.router }, question, answerWaitMs, signal),
  );
  const actors = createSupervisor(services, { live, answers: bus.answers, send: bus.send }, bus.settled);
  const send = sendToCurrentName(services, actors);
  const spending = new Spending(services);
  const consultations = createConsultations(services, { directory, spending, transcripts });
  const answers = new PlanAnswers({ services, directory, actors: { send } });
  const routing = createRouting(services, {
    ...{ directory, scanner, send },
    program: join(options.packageRoot, 'dist', 'history.mjs'),
  });
  const { router: post } = routing;
  const trees = new WorkTrees(services, new WorkTreeQueue());
  const busy = new BusyPlans({ services, actors, trees });
  const parts = { services, directory, busy, live };
  const runner = new PhaseRunner({ ...parts, transcripts, trees, spending, actors: { send }, post });
  const hands = new ManualRuns({ ...parts, runner });
  const recovery = new Recovery({ ...parts, runner, actors: { send } });
  bus.connect({ send, router: post, answers, settled: (actor) => recovery.of(actor) });
  const vaultApprovals = createVaultApprovalHandlers(services, routing);
  const approvals = new ApprovalService({ ...parts, runner, vaultApprovals });
  const catalog = new CatalogWriter({ services, directory, scanner });
  const relocations = new Relocations({ ...parts, mailboxes: actors });
  const verification = new FirstVerification({ services, scanner });
  const housekeeper = new Housekeeper({
    services,
    isIdle: () => busy.isEmpty && consultations.isIdle,
    chores: createChores(services, directory, (plan) => busy.has(plan)),
  });
  const outside = new OutsideChanges({ services, directory, catalog });
  const watch = watches && own !== undefined ? createWatch(services, { own, outside, watchTree }) : undefined;
  const isOwner = lock !== undefined;
  if (isOwner) {
    log.info('owns the vault', { version: options.version, vault: layout.root });
    events.event((event) => {
      const line = logLineOf(event);
      if (line !== undefined) log[line.level](line.message, line.fields);
    });
  }
  const start = isOwner
    ? await OwnerStart.begin({ services, relocations, actors, routing, recovery, approvals, answers, send })
    : undefined;

  const { version } = options;
  const api = createApi({
    services,
    directory,
    scanner,
    vaultSearch,
    busy,
    runner,
    spending,
    live,
    consultations,
    hands,
    history,
    transcripts,
    approvals,
    vaultApprovals,
    relocations,
    catalog,
    liveSettings,
    ...defined({ watch, start }),
    routing,
    actors,
    send,
    events,
    version,
    isOwner,
  });
  void ownership?.lost.then(({ diagnostic }) => {
    log.error(diagnostic.message, { code: diagnostic.code });
    emit({ at: formatTimestamp(clock.wallMs()), actor: 'vault', type: 'diagnostic', diagnostic });
  });
  let stopping = false;
  let searchable = Promise.resolve();
  // In the background: to read the purpose of every plan of a large vault takes a while, and so does watching it all.
  const begin = (): void => {
    if (stopping) return;
    if (isOwner) {
      housekeeper.begin();
      searchable = makeSearchable(services).catch((error: unknown) => {
        log.warn('searches of an editor do not find the files of plans', { error: messageOf(error) });
      });
      void catalog
        .refresh()
        .catch((error: unknown) => log.warn('the catalogue is not up to date', { error: messageOf(error) }))
        // Not beside it: both read every plan.
        .then(() => {
          if (options.verifiesItself !== true) verification.begin();
        });
      routing.begin();
      routing.router
        .resumeDecided()
        .catch((error: unknown) => log.warn('the routing history cannot be read', { error: messageOf(error) }));
    }
    void watch?.reconcile();
  };
  const firstLook = options.firstLook?.catch(() => undefined);
  // Where nothing is settled nothing is removed or written either; it is told already.
  void Promise.all([start?.done, firstLook]).then(begin, () => undefined);
  const stop = async (): Promise<void> => {
    stopping = true;
    await stopInOrder(
      { clock, drainMs, ...defined({ lock, ownership }) },
      {
        outside: () => {
          const watched = watch?.stop() ?? Promise.resolve();
          return settleAll([watched, followed.stop(), outside.stop(), catalog.stop(), verification.stop(), searchable]);
        },
        background: [() => housekeeper.stop(), () => start?.stop() ?? Promise.resolve()],
        phases: () => settleAll([recovery.stop(), busy.detach(), live.stop()]),
        messages: () => settleAll([routing.stop(), start?.sent() ?? Promise.resolve()]),
        actors: [() => answers.stop(), () => actors.stop(), () => consultations.stop()],
        // Threads that only write their caches; without them nothing is lost.
        cache: () => settleAll([scanner.stop(), vaultSearch.stop()]),
        records: [
          () => {
            stopped = true;
            return transcripts.stop();
          },
          () => history.stop(),
          () => spending.stop(),
          () => ledger?.close(),
        ],
        sessions: () => services.host.release(),
      },
    ).finally(() => events.dispose());
  };
  let stops: Promise<void> | undefined;
  return {
    api,
    socketPath: options.socketPath,
    sessionSocketPath,
    recovered: start?.done ?? Promise.resolve(),
    ...(ownership !== undefined && { lost: ownership.lost }),
    // Two signals are one stop: nothing is closed twice.
    stop() {
      stops ??= stop();
      return stops;
    },
  };
}

/** Notices what others change in the vault. */
function createWatch(
  services: PlanServices,
  parts: { readonly own: OwnWrites; readonly outside: OutsideChanges; readonly watchTree: WatchTree },
): VaultWatch {
  const { disk, layout, clock, emit, log, settings } = services;
  const { own, outside, watchTree } = parts;
  return new VaultWatch({
    ...{ disk, layout, clock, own, watchTree },
    reconcileMs: settings.watch['reconcile-seconds'] * 1000,
    onChanges: (changes) => outside.apply(changes),
    onDiagnostic(problem) {
      log.warn(problem.message, { code: problem.code });
      emit({ at: formatTimestamp(clock.wallMs()), actor: 'vault', type: 'diagnostic', diagnostic: problem });
    },
    onError: (error) => log.warn('the vault could not be looked at', { error: messageOf(error) }),
  });
}

/** An editor gives five seconds in all, and one is left for the rest of the stop. */
const usualDrainMs = 4000;

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

function sessionSocketOf({ chooseSocketPath }: CoreOptions, { sessionSocket }: VaultLayout): string {
  return chooseSocketPath?.(sessionSocket) ?? sessionSocket;
}

/** The process that owns the vault, if one does and lives. */
export async function findOwner(options: {
  readonly vault: string;
  readonly disk: Disk;
  readonly processes: Processes;
  readonly clock: Clock;
  readonly answers?: (socketPath: string) => Promise<boolean>;
}): Promise<{ readonly socketPath: string; readonly pid: number } | undefined> {
  const { ownerLock } = new VaultLayout(options.vault);
  const holder = await readHolder({ ...options, path: ownerLock });
  const socketPath = holder?.info['socket'];
  return holder === undefined || socketPath === undefined ? undefined : { socketPath, pid: holder.pid };
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

function toUlid(text: string): Ulid {
  assert(isUlid(text), `not a ULID: ${text}`);
  return text;
}
