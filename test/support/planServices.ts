import { execFile } from 'node:child_process';
import { cpSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import type { Disk } from '../../src/base/disk.ts';
import { Emitter } from '../../src/base/emitter.ts';
import { openJournal } from '../../src/base/journal.ts';
import { silentLogger } from '../../src/base/log.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { SerialQueue } from '../../src/base/semaphore.ts';
import { createUlids } from '../../src/base/ulid.ts';
import { createGit } from '../../src/git/git.ts';
import { createAdapters } from '../../src/harness/adapters.ts';
import { createSessionHost } from '../../src/harness/host.ts';
import { createProcesses } from '../../src/harness/processTable.ts';
import { createScriptRunner } from '../../src/harness/scripts.ts';
import { TerminalLauncher } from '../../src/harness/terminalLauncher.ts';
import { MemoryService } from '../../src/knowledge/memory/memoryService.ts';
import type { RavelEvent } from '../../src/model/event.ts';
import { type QualifiedId, toQualifiedId, type Ulid } from '../../src/model/id.ts';
import type { ReasoningPhase } from '../../src/model/phase.ts';
import type { PlanFile } from '../../src/model/plan.ts';
import { type ExecutorName, settingsSchema } from '../../src/model/settings.ts';
import { PolicyStore } from '../../src/plans/policyStore.ts';
import { acceptedBy } from '../../src/plans/programBaselines.ts';
import type { PlanServices } from '../../src/plans/services.ts';
import { type StagingPaths, stage, type Transaction } from '../../src/plans/transaction.ts';
import { LockQueues } from '../../src/vault/lockQueues.ts';
import { updateRunState } from '../../src/vault/runState.ts';
import { type PlanLocation, walkVault } from '../../src/vault/walk.ts';
import { noConfiner } from './noConfiner.ts';
import { storedSecretsOf } from './storedSecrets.ts';
import { copyTemplate } from './templates.ts';
import { makeVaultFolder, type VaultFolder } from './vaultFolder.ts';

export interface PlanWorldOptions {
  readonly disk?: Disk;
  readonly clock?: Clock;
  readonly settings?: object;
  /** Files of the root plan of the first project, over those of an adoption. */
  readonly plan?: Partial<Record<PlanFile, string>>;
  /** Further projects beside `Demo`, and child plans by their ids. */
  readonly projects?: readonly string[];
  readonly children?: readonly string[];
  /** Source files; with them the project is a repository with one commit. */
  readonly source?: Readonly<Record<string, string>>;
}

/** A vault with an adopted project, and everything that the parts of `plans` ask for, without a core. */
export interface PlanWorld extends VaultFolder {
  readonly services: PlanServices;
  readonly events: RavelEvent[];
  readonly plan: QualifiedId;
  readonly location: PlanLocation;
  readonly project: string;
  /** The text of a file of the root plan; undefined if it is not there. */
  planText(file: string): string | undefined;
  writePlan(file: string, text: string): void;
  removePlan(file: string): void;
  git(...args: string[]): Promise<string>;
  locate(id: string): Promise<PlanLocation>;
  /** Stages a phase as its begin does, and notes it as running. */
  begin(phase: ReasoningPhase, options?: { readonly task?: string; readonly harness?: ExecutorName }): Promise<Staged>;
}

export interface Staged {
  readonly transaction: Transaction;
  readonly paths: StagingPaths;
}

export const demoPlan = toQualifiedId('Demo/project-root');

/** Call it inside a test; everything is removed when the test is finished. */
export async function makePlanWorld(options: PlanWorldOptions = {}): Promise<PlanWorld> {
  const folder = await makeVaultFolder(['Demo', ...(options.projects ?? [])], options.children);
  const { layout } = folder;
  const environment = { PATH: process.env['PATH'] ?? '', HOME: folder.folder, GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C' };
  folder.write('.gitconfig', '[user]\n\tname = Ada\n\temail = ada@example.org\n');
  const project = join(folder.folder, 'Demo');
  const directory = join(project, 'ravel/project-root');
  for (const [file, text] of Object.entries(options.plan ?? {}))
    folder.write(join('Demo/ravel/project-root', file), text);
  const git = async (...args: string[]): Promise<string> =>
    (await promisify(execFile)('git', args, { cwd: project, env: environment })).stdout;
  if (options.source !== undefined) {
    for (const [path, text] of Object.entries(options.source)) folder.write(join('Demo', path), text);
    const { disk: _disk, clock: _clock, settings: _settings, ...content } = options;
    await copyTemplate({ committed: content }, project, async (directory) => {
      cpSync(project, directory, { recursive: true });
      const run = (...args: string[]) => promisify(execFile)('git', args, { cwd: directory, env: environment });
      await run('init', '--quiet', '--initial-branch=main');
      await run('add', '--all');
      await run('commit', '--quiet', '--message=Begin');
    });
  }
  const disk = options.disk ?? nodeDisk;
  const clock = options.clock ?? systemClock;
  const processes = createProcesses(nodeDisk);
  const settings = settingsSchema.parse(options.settings ?? {});
  const nextUlid = createUlids(systemClock);
  const events: RavelEvent[] = [];
  const told = new Emitter<RavelEvent>((error) => {
    throw error;
  });
  const entry = { program: process.execPath, args: ['ravel.mjs'] };
  const ledger = await openJournal(nodeDisk, layout.ledger);
  onTestFinished(() => ledger.close());
  const memories = new MemoryService({ disk, clock, log: silentLogger });
  const services: PlanServices = {
    ...{ disk, clock, processes, layout, settings, environment, ledger, entry },
    git: createGit({ environment, clock, disk, accepted: acceptedBy({ disk, layout }) }),
    policies: new PolicyStore({ disk, layout, home: '/people/ann', onDiagnostic: () => undefined }),
    host: createSessionHost({ disk, clock, processes, environment, settings, log: silentLogger }),
    adapters: createAdapters({ disk, entry }),
    storedSecrets: storedSecretsOf(),
    withoutSecrets: (value) => value,
    takeEditorSecrets: () => undefined,
    inspectSecrets: async () => [],
    consult: () => Promise.reject(new Error('nobody is asked in this test')),
    endOrphan: () => Promise.resolve(undefined),
    newUlid: () => nextUlid() as Ulid,
    newToken: () => 'token',
    emit: (event) => {
      events.push(event);
      told.emit(event);
    },
    onEvent: told.event,
    confiner: noConfiner,
    runScript: createScriptRunner({ clock, environment, settings }),
    terminals: new TerminalLauncher({
      ...{ disk, clock, processes, environment, settings, entry },
      vault: layout.root,
      directory: layout.terminals,
      chooseSocketPath: (preferred) => preferred,
    }),
    log: silentLogger,
    person: 'ada',
    lockQueues: new LockQueues(),
    memories,
    vaultCommits: new SerialQueue(),
    promptsDirectory: join(import.meta.dirname, '../../prompts'),
    socketPath: layout.socket,
    sessionSocketPath: layout.sessionSocket,
  };
  const locate = async (id: string): Promise<PlanLocation> => {
    const { plans } = await walkVault(nodeDisk, layout);
    const found = plans.find((plan) => plan.id === id);
    if (found === undefined) throw new Error(`the test's vault has no plan ${id}`);
    return found;
  };
  return {
    ...folder,
    ...{ services, events, project, git, locate },
    plan: demoPlan,
    location: await locate(demoPlan),
    planText: (file) =>
      existsSync(join(directory, file)) ? folder.read(join('Demo/ravel/project-root', file)) : undefined,
    writePlan: (file, text) => void folder.write(join('Demo/ravel/project-root', file), text),
    removePlan: (file) => rmSync(join(directory, file), { recursive: true }),
    begin: (phase, asked = {}) => begin(services, phase, asked),
  };
}

async function begin(
  services: PlanServices,
  phase: ReasoningPhase,
  asked: { readonly task?: string; readonly harness?: ExecutorName },
): Promise<Staged> {
  const session = services.newUlid();
  const harness = asked.harness ?? 'scripted';
  const about = { plan: demoPlan, phase, session, harness, startedAt: '2026-01-02T03:04:05Z' };
  const { transaction, paths } = await stage(services.disk, services.layout, {
    ...about,
    ...(asked.task !== undefined && { task: asked.task }),
  });
  await services.disk.makeDirectory(services.layout.sessions).catch(() => undefined);
  await services.disk.makeDirectory(services.layout.session(session));
  await services.disk.makeDirectory(services.layout.plans).catch(() => undefined);
  await updateRunState(services, demoPlan, (state) => ({
    ...state,
    running: { phase, step: 'session', session, harness, startedAt: about.startedAt },
  }));
  return { transaction, paths };
}

/** A backlog of tasks, `id` or `id: status`. */
export function backlogOf(...tasks: readonly string[]): string {
  const lines = tasks.flatMap((task) => {
    const [id = '', status = 'not_started'] = task.split(': ');
    return [`  - id: ${id}`, `    title: Title of ${id}`, '    category: core', `    status: ${status}`];
  });
  return ['tasks:', ...lines, ''].join('\n');
}

/** A memory whose entries have these ids and bodies. */
export function memoryOf(entries: Readonly<Record<string, string>>): string {
  const lines = Object.entries(entries).flatMap(([id, body]) => [
    `  - id: ${id}`,
    `    title: Title of ${id}`,
    `    body: ${body}`,
  ]);
  return ['entries:', ...lines, ''].join('\n');
}
