// Builds the services of a vault: the outside world, as all other parts of the core use it.

import { randomBytes } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { assert } from './base/assert.ts';
import type { Clock } from './base/clock.ts';
import { defined } from './base/defined.ts';
import type { Disk } from './base/disk.ts';
import type { Journal } from './base/journal.ts';
import type { Logger } from './base/log.ts';
import type { ProcessTable, Spawn } from './base/processes.ts';
import { SerialQueue } from './base/semaphore.ts';
import { createUlids } from './base/ulid.ts';
import type { CoreEvents } from './coreEvents.ts';
import { createGit, type Git } from './git/git.ts';
import { createAdapters } from './harness/adapters.ts';
import type { Confiner } from './harness/confinement/confinement.ts';
import { createConfiner } from './harness/confinement/confiner.ts';
import { createSessionHost } from './harness/host.ts';
import { createScriptRunner } from './harness/scripts.ts';
import { TerminalLauncher } from './harness/terminalLauncher.ts';
import { MemoryService } from './knowledge/memory/memoryService.ts';
import { isUlid, type Ulid } from './model/id.ts';
import type { OwnerOptions } from './model/ownerOptions.ts';
import type { ProgramStart } from './model/programStart.ts';
import { confineHooks } from './plans/commits/confineHooks.ts';
import { PolicyStore } from './plans/policyStore.ts';
import { acceptedBy } from './plans/programBaselines.ts';
import { emitFor, type PlanServices } from './plans/services.ts';
import type { SecretKeeper } from './plans/storedSecrets.ts';
import type { VaultLayout } from './vault/layout.ts';
import { LockQueues } from './vault/lockQueues.ts';

/** The outside world, and how this program is started and found in it. */
export interface ServiceOptions extends Pick<OwnerOptions, 'overrides'> {
  readonly clock: Clock;
  readonly processes: ProcessTable;
  /** How sessions, git, scripts and terminals are started; without it as the operating system starts programs. */
  readonly spawn?: Spawn;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly log: Logger;
  /** How to start this program's command line again, for the session tools. */
  readonly entry: ProgramStart;
  /** The folder that holds `prompts/`. */
  readonly packageRoot: string;
  /** The socket of something below the vault: what is preferred, unless its path is too long for the system. */
  readonly chooseSocketPath?: (preferred: string) => string;
  /** Where the owner will listen; others read it from the lock. */
  readonly socketPath: string;
  readonly random?: (count: number) => Uint8Array;
  /** The name of the person who decides here; by default the user that the environment names. */
  readonly person?: string;
  /** What builds sandboxes around what sessions run; without it the system's. */
  readonly confiner?: Confiner;
}

/** A vault as its role can change it. */
export interface ServiceVault {
  readonly layout: VaultLayout;
  readonly settings: PlanServices['settings'];
  readonly disk: Disk;
  readonly events: CoreEvents;
  readonly secrets: SecretKeeper;
  readonly withoutSecrets: PlanServices['withoutSecrets'];
  /** Of an owner: what was replayed or undone after a crash. */
  readonly ledger?: Journal | undefined;
  /** Of an owner: rejects once another process has taken the vault. */
  readonly assertOwned?: (() => Promise<void>) | undefined;
  readonly refreshSettings?: (() => Promise<void>) | undefined;
}

/** The services of plans, but for consultations, which are built with them. */
export type BasicServices = Omit<PlanServices, 'consult' | 'endOrphan'>;

export function createServices(options: ServiceOptions, vault: ServiceVault): BasicServices {
  const { clock, processes, environment, log, entry, packageRoot, socketPath, random = randomBytes } = options;
  const { layout, settings, disk, events, ledger, refreshSettings, secrets, withoutSecrets } = vault;
  const world = { disk, clock, processes, environment, settings, ...defined({ spawn: options.spawn }) };
  const nextUlid = createUlids(clock, random);
  const newToken = () => Buffer.from(random(32)).toString('hex');
  const runScript = createScriptRunner(world);
  const confiner = options.confiner ?? createConfiner({ disk, environment, runScript, newSecret: newToken });
  return {
    ...{ disk, clock, processes, layout, settings, environment, log, runScript, confiner, newToken, socketPath, entry },
    person: options.person ?? environment['USER'] ?? environment['LOGNAME'] ?? 'someone',
    emit: events.emit,
    onEvent: events.told.event,
    planWritten: (plan) => events.written.emit(plan),
    git: createGitOfVault(options, vault, confiner),
    policies: new PolicyStore({
      ...{ disk, layout, home: environment['HOME'] ?? homedir() },
      onDiagnostic: (problem) =>
        emitFor({ clock, emit: events.emit }, 'vault', { type: 'diagnostic', diagnostic: problem }),
    }),
    host: createSessionHost({ ...world, log }),
    memories: new MemoryService({ disk, clock, log, program: join(packageRoot, 'dist', 'memory.mjs') }),
    terminals: new TerminalLauncher({
      ...{ ...world, entry, vault: layout.root, directory: layout.terminals },
      chooseSocketPath: options.chooseSocketPath ?? ((preferred) => preferred),
    }),
    adapters: createAdapters({ disk, entry }),
    storedSecrets: secrets.load,
    inspectSecrets: secrets.inspect,
    takeEditorSecrets: secrets.takeFromEditor,
    withoutSecrets,
    newUlid: () => toUlid(nextUlid()),
    lockQueues: new LockQueues(log),
    vaultCommits: new SerialQueue(),
    promptsDirectory: join(packageRoot, 'prompts'),
    sessionSocketPath: sessionSocketOf(options, layout),
    ...defined({ overrides: options.overrides, ledger, refreshSettings }),
  };
}

/** Commits ask for a sandbox around their hooks, and what builds it asks the same git about the repository. */
function createGitOfVault(options: ServiceOptions, vault: ServiceVault, confiner: Confiner): Git {
  const { clock, processes, environment, spawn, socketPath } = options;
  const { disk, layout, settings, assertOwned: mayStart } = vault;
  const git: Git = createGit({
    ...{ environment, clock, disk, processes },
    ...defined({ spawn, mayStart }),
    accepted: acceptedBy({ disk, layout }),
    confineHooks: (place) => confineHooks({ disk, layout, settings, git, confiner, environment, socketPath }, place),
  });
  return git;
}

/** Where sessions find their tools. */
export function sessionSocketOf(
  { chooseSocketPath }: Pick<ServiceOptions, 'chooseSocketPath'>,
  { sessionSocket }: VaultLayout,
): string {
  return chooseSocketPath?.(sessionSocket) ?? sessionSocket;
}

function toUlid(text: string): Ulid {
  assert(isUlid(text), `not a ULID: ${text}`);
  return text;
}
