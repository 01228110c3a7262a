import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createCorePort } from './access/corePort.ts';
import { lastVisitAt } from './access/lastVisit.ts';
import { type OpenApi, type OpenMode, openApi, openApiOnce } from './access/openApi.ts';
import type { RehearseOptions } from './access/rehearse.ts';
import { type Clock, systemClock } from './base/clock.ts';
import { defined } from './base/defined.ts';
import type { Disk } from './base/disk.ts';
import { exists, removeTree } from './base/files.ts';
import { type Logger, silentLogger } from './base/log.ts';
import { nodeDisk } from './base/nodeDisk.ts';
import type { ProcessTable } from './base/processes.ts';
import { createProcesses } from './harness/processTable.ts';
import { scenarioHarness } from './model/harnesses.ts';
import type { QualifiedId } from './model/id.ts';
import { type OwnerOptions, ownerOptions } from './model/ownerOptions.ts';
import type { ProgramStart } from './model/programStart.ts';
import type { Api } from './model/protocol.ts';
import type { RehearsalReport } from './model/rehearsal.ts';
import type { StartNeeds } from './model/startNeeds.ts';

/** What a Node program imports to use Ravel without its command line (`docs/programming.md`). */
const packageRoot = join(fileURLToPath(import.meta.url), '..', '..');

export interface LibraryOptions {
  /** What sessions and git are started with, as far as the allow-list lets it through; `process.env` without it. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Nothing is logged without it. */
  readonly log?: Logger;
}

export interface OpenOptions extends LibraryOptions, OwnerOptions {
  /** Absolute path of the vault; without it the one that `RAVEL_VAULT` or the user's configuration names. */
  readonly vault?: string;
  /**
   * `owner` (the default) becomes the owner if there is none, so that phases can be run; `local` serves single requests
   * without taking the vault; `client` is refused if the vault has no owner; `reader` serves single requests also beside
   * an owner, which hears nothing of it.
   */
  readonly mode?: OpenMode;
}

/**
 * Opens a vault: as a client of the process that owns it, else as `mode` says. An owner also serves other processes
 * until it is stopped. Throws `vault/none`, or what is wrong with the one if there is none.
 */
export function openVault(options: OpenOptions = {}): Promise<OpenApi> {
  const { log = silentLogger } = options;
  const ports = { core: corePortOf(options), clock: systemClock, disk: nodeDisk, log };
  return openApi(ports, options.vault, options.mode ?? 'owner');
}

/**
 * As `openVault`, but looks once: rejects with `server/gone` or `vault/owned` if an owner is just leaving or starting,
 * for those who try again in their own way.
 */
export async function tryOpenVault(options: OpenOptions = {}): Promise<OpenApi> {
  const { log = silentLogger } = options;
  const mode = options.mode ?? 'owner';
  const core = corePortOf(mode === 'reader' ? { ...options, environment: whereNothingStarts(options) } : options);
  const ports = { core, clock: systemClock, disk: nodeDisk, log };
  return openApiOnce(ports, await ports.core.findVault(options.vault), mode);
}

/** For who only looks at a vault that may be hostile: git, too, runs what a repository's configuration tells it to. */
function whereNothingStarts({ environment = process.env }: LibraryOptions) {
  const others = Object.entries(environment).filter(([name]) => name.toUpperCase() !== 'PATH');
  return { ...Object.fromEntries(others), PATH: join(packageRoot, 'dist', 'no-programs') };
}

/** Makes a vault in a folder that is not there yet, or is empty. */
export function makeVault(vault: { readonly root: string; readonly name: string } & LibraryOptions): Promise<void> {
  return corePortOf(vault).createVault(vault.root, vault.name);
}

/** A demo that was made: a project and a vault of its own, in which one cycle can be played without any model. */
export interface MadeDemo {
  readonly vault: string;
  /** What the scripted harness plays there. */
  readonly scenario: string;
  /** Adopts the project in the open vault, and gives its plan something to do. */
  begin(api: Api): Promise<QualifiedId>;
}

/** Makes a demo in a folder that is not there yet. */
export async function makeDemo(options: { readonly folder: string } & LibraryOptions): Promise<MadeDemo> {
  const demo = await import('./access/demoVault.ts');
  const ports = { core: corePortOf(options), disk: nodeDisk, packageRoot };
  const vault = join(options.folder, 'vault');
  const place = { project: join(options.folder, demo.demoProject), vault };
  const given = await demo.loadDemoPlan(ports);
  await demo.buildDemo(ports, place, given);
  return {
    vault,
    scenario: demo.demoScenario(ports),
    begin: (api) => demo.beginDemo(api, place, given),
  };
}

/** Removes what earlier demos left in their common folder, except those whose vault has an owner. */
export async function removeDemos({ folder, ...options }: { readonly folder: string } & LibraryOptions): Promise<void> {
  if (!(await exists(nodeDisk, folder))) return;
  const core = corePortOf(options);
  for (const { name } of await nodeDisk.readDirectory(folder)) {
    const owner = await core.findOwner(join(folder, name, 'vault'));
    if (owner === undefined) await removeTree(nodeDisk, join(folder, name));
  }
}

export interface RehearsePlanOptions
  extends LibraryOptions,
    Pick<
      RehearseOptions,
      'vault' | 'plan' | 'harness' | 'cycles' | 'task' | 'bytesMax' | 'onCopying' | 'onEvent' | 'stop'
    > {}

/**
 * Runs a plan on a copy of its project and its vault, tells what that would have changed, and removes the copy. The
 * scripted harness plays a scenario that fits any plan.
 */
export async function rehearsePlan(options: RehearsePlanOptions): Promise<RehearsalReport> {
  const { rehearse } = await import('./access/rehearse.ts');
  const { environment, log = silentLogger } = options;
  const core = corePortOf({ log, ...defined({ environment }) });
  const ports = { core, clock: systemClock, disk: nodeDisk, log };
  const scenario = options.harness === scenarioHarness ? join(packageRoot, 'demo', 'rehearsal.yaml') : undefined;
  // Who stops it waits for its report: what runs ends within seconds.
  return rehearse(ports, { ...options, scenario, leave: new AbortController().signal });
}

export interface OwnVaults extends LibraryOptions {
  /** The folders that are open, as absolute paths. */
  readonly folders: readonly string[];
  /** Vaults that are known beside the one which the environment or the user's configuration names. */
  readonly known: readonly string[];
}

/** When the person last looked at what happened in a vault, shared with the command line. */
export function lastVisitOf({ vault, environment = process.env }: LibraryOptions & { readonly vault: string }) {
  return lastVisitAt(nodeDisk, environment, vault);
}

/** What Ravel needs of this machine, before there is any vault. */
export async function startNeeds({
  environment = process.env,
  overrides = {},
}: Pick<OpenOptions, 'environment' | 'overrides'>): Promise<StartNeeds> {
  const { findStartNeeds } = await import('./doctor/startNeeds.ts');
  const ports = { disk: nodeDisk, clock: systemClock, environment, overrides, folder: tmpdir() };
  return findStartNeeds(ports, new AbortController().signal);
}

/** The quiet hours of the person's own configuration, such as `22:00-07:00`; empty for none. Throws `notify/badSettings`. */
export async function quietHoursOf({ environment = process.env }: LibraryOptions): Promise<string> {
  const { readNotifySettings } = await import('./notifications/notifySettings.ts');
  return (await readNotifySettings(nodeDisk, environment))?.['quiet-hours'] ?? '';
}

/** The vaults which have adopted a project that one of the folders belongs to. */
export async function vaultsOf({ folders, known, ...options }: OwnVaults): Promise<readonly string[]> {
  const { vaultsWithProjects } = await import('./vault/discovery.ts');
  // If no vault is named, only the known ones count.
  const named = await corePortOf(options)
    .findVault(undefined)
    .catch(() => undefined);
  const vaults = named === undefined ? known : [named, ...known.filter((vault) => vault !== named)];
  return vaultsWithProjects(nodeDisk, vaults, folders);
}

/** How the command line is started by this process's own Node, which inside an editor is the editor's. */
export function commandLine(): ProgramStart {
  return {
    program: process.execPath,
    args: [join(packageRoot, 'dist', 'ravel.mjs')],
    environment: process.versions['electron'] === undefined ? {} : { ELECTRON_RUN_AS_NODE: '1' },
  };
}

/** The ports of this machine, for those who call `createCore` themselves and replace one of them. */
export function createPorts(): { readonly disk: Disk; readonly clock: Clock; readonly processes: ProcessTable } {
  return { disk: nodeDisk, clock: systemClock, processes: createProcesses(nodeDisk) };
}

function corePortOf({ environment = process.env, log = silentLogger, ...options }: OpenOptions) {
  const entryFile = join(packageRoot, 'dist', 'ravel.mjs');
  return createCorePort({ ...ownerOptions(options), environment, log, packageRoot, entryFile });
}
