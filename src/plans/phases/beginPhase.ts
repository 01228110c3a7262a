import { join } from 'node:path';
import { settleAll } from '../../base/async.ts';
import { defined } from '../../base/defined.ts';
import { readText, sha256 } from '../../base/files.ts';
import type { Repository } from '../../git/repository.ts';
import type { HarnessSession, SessionTerminal } from '../../harness/adapter.ts';
import type { ConfinedShell } from '../../harness/confinement/confinement.ts';
import { recordConfinement } from '../../harness/sessionContext.ts';
import { failure } from '../../model/codes.ts';
import type { Confinement } from '../../model/confinement.ts';
import type { GivenMemory } from '../../model/givenMemory.ts';
import type { Ulid } from '../../model/id.ts';
import type { ReasoningPhase } from '../../model/phase.ts';
import { planFiles } from '../../model/plan.ts';
import type { ExecutorName } from '../../model/settings.ts';
import type { TerminalSize } from '../../model/terminal.ts';
import { type LoadedPlan, loadPlanTexts } from '../../vault/planStore.ts';
import { loadRunState, updateRunState, type WorkBaseline } from '../../vault/runState.ts';
import type { PlanLocation } from '../../vault/walk.ts';
import { bestEffort } from '../bestEffort.ts';
import { copyDirty } from '../commits/leftSource.ts';
import type { PlanDirectory } from '../planDirectory.ts';
import { settingsOfPlan } from '../planSettings.ts';
import { clearAttributions, editPlanFile } from '../proposals/planWriter.ts';
import { emitFor, type PlanServices, type PlanWriterPorts, timestamp } from '../services.ts';
import type { ActiveSession } from '../sessions/activeSession.ts';
import { checkConfinement, confineSession } from '../sessions/confineSession.ts';
import { composeContext } from '../sessions/context.ts';
import type { EarlierTry } from '../sessions/earlierTry.ts';
import type { LiveSessions } from '../sessions/liveSessions.ts';
import { writeManualFolder } from '../sessions/manualFolder.ts';
import { createPersonSession } from '../sessions/personSession.ts';
import { chooseTask } from '../sessions/promptValues.ts';
import { sessionSpec } from '../sessions/sessionRun.ts';
import { changesOfPhase, toolsOfPhase } from '../sessions/sessionTools.ts';
import { type StagingPaths, stage, type Transaction } from '../transaction.ts';
import { findEarlierRecord, removeEarlierRecord } from './earlierRecord.ts';
import { clearUnfinished } from './phaseEnd.ts';
import { checkRepository, chooseModel, recoverWorkBaseline, takeWorkBaseline } from './preflight.ts';

export interface PhaseStart {
  readonly session: Ulid;
  /** What the session may cost, in US dollars; a person costs nothing. */
  readonly costUsd?: number;
  readonly location: PlanLocation;
  readonly plan: LoadedPlan;
  readonly phase: ReasoningPhase;
  readonly harness: ExecutorName;
  readonly task?: string;
  readonly scenario?: string;
  /** The size of the terminal that a person sits at; without it the session runs by itself. */
  readonly terminal?: TerminalSize;
  /** Why an earlier try of this phase did not end well. Its baseline is kept: what it left in the tree is this work's. */
  readonly retryOf?: string;
  /** What that try had staged, if a person continues it. */
  readonly earlier?: EarlierTry;
  /** Called once the session runs, or the person has the files before them. */
  readonly onStarted?: (() => void) | undefined;
}

/**
 * Puts the intent to run on disk, before anything else happens: a crash from here on leaves an interrupted phase, never
 * a forgotten one.
 */
export async function beginPhase(services: PlanServices, start: PhaseStart): Promise<Omit<Transaction, 'folder'>> {
  const { location, phase, harness, session, costUsd } = start;
  const inspecting = checkRepository(services, location);
  const adapter = harness === 'person' ? undefined : services.adapters[harness];
  const locating = adapter?.locate(services.settings, services.environment) ?? Promise.resolve();
  const confining = runsCommands(services, start) ? checkConfinement(services, location) : Promise.resolve();
  await settleAll([inspecting, locating, confining]);
  const repository = await inspecting;
  const task = phase === 'work' ? { task: await pickTask(services, location, start.task) } : {};
  const scenario = defined({ scenario: start.scenario });
  await adapter?.checkStart?.(services.disk, { actor: location.id, purpose: phase, ...scenario });
  const baseline = await newBaseline(services, start, repository);
  const startedAt = timestamp(services);
  await clearAttributions(services, location.id);
  if (phase === 'analyse-work') await removeOldSpecification(services, location);
  const earlierRecord = phase === 'work' ? await findEarlierRecord(services, location.id) : undefined;
  await clearUnfinished(services, location.id, (old) => ({
    ...old,
    running: {
      ...{ phase, step: 'session', session, harness, startedAt, ...task, ...scenario },
      ...defined({ costUsd }),
    },
    ...(baseline !== undefined && { baselines: { ...old.baselines, work: baseline } }),
    ...(phase === 'work' && { workSession: session, workTask: task.task }),
    ...defined({ earlierRecord }),
  }));
  if (earlierRecord !== undefined) await removeEarlierRecord(services, location.id, earlierRecord);
  emitFor(services, location.id, { type: 'phase.started', phase, session, harness, ...task });
  return { plan: location.id, phase, session, harness, startedAt, ...task };
}

/** Whether the session can run commands, which need a sandbox. A person's own commands do not. */
function runsCommands(
  services: Pick<PlanServices, 'adapters'>,
  { harness, phase }: Pick<PhaseStart, 'harness' | 'phase'>,
): boolean {
  return harness !== 'person' && services.adapters[harness].capabilities.writes[phase];
}

/** The sandbox of a phase whose session runs commands; undefined for any other. It is on disk before anything runs. */
export async function confinePhase(
  services: PlanServices,
  start: PhaseStart,
  stop: AbortSignal,
): Promise<ConfinedShell | undefined> {
  if (!runsCommands(services, start)) return undefined;
  const shell = await confineSession(services, start.location, start.session, stop);
  await updateRunState(services, start.location.id, ({ running, ...old }) => ({
    ...old,
    ...(running !== undefined && { running: { ...running, confinement: confinementOf(shell) } }),
  }));
  return shell;
}

function confinementOf(shell: ConfinedShell): Confinement {
  return shell.state === 'confined' ? { state: 'confined' } : shell;
}

/** Work takes a baseline, unless it is a retry. An analysis of work that was never recorded recovers one. */
async function newBaseline(
  services: Pick<PlanServices, 'disk' | 'layout' | 'git' | 'clock' | 'emit'>,
  { location, phase, session, retryOf }: PhaseStart,
  repository: Repository,
): Promise<WorkBaseline | undefined> {
  if (phase === 'work' && retryOf === undefined) {
    const baseline = await takeWorkBaseline(services, location, repository);
    let copies: Pick<WorkBaseline, 'copies'> = {};
    await bestEffort(services, location.id, async () => {
      if (await copyDirty(services, location, session, baseline.dirty)) copies = { copies: session };
    });
    return { ...baseline, ...copies };
  }
  if (phase !== 'work' && phase !== 'analyse-work') return undefined;
  const { baselines } = await loadRunState(services, location.id);
  return baselines.work === undefined ? recoverWorkBaseline(services, location, repository) : undefined;
}

/** A specification that no commit consumed belongs to another analysis; taken for this one's it would hide its work. */
function removeOldSpecification(services: PlanWriterPorts, location: PlanLocation): Promise<void> {
  return editPlanFile(services, location.id, planFiles.commits, () => undefined);
}

async function pickTask(
  services: Pick<PlanServices, 'disk'>,
  location: PlanLocation,
  asked: string | undefined,
): Promise<string> {
  const texts = await loadPlanTexts(services.disk, location.directory, [planFiles.backlog]);
  const { id } = chooseTask(texts, asked);
  if (id !== undefined) return id;
  if (asked !== undefined) {
    throw failure('state/unknownRecord', location.id, `There is no task "${asked}" in the backlog of ${location.id}.`);
  }
  throw failure('plan/nothingReady', location.id, `No task of ${location.id} is ready.`);
}

export interface StartedSession {
  readonly transaction: Transaction;
  readonly paths: StagingPaths;
  readonly active: ActiveSession;
  readonly harness: HarnessSession;
  readonly givenBytes: number;
}

/** Renders staging and prompts, opens the session's calls, and starts its process. */
export async function startSession(
  services: PlanServices,
  parts: { readonly live: LiveSessions; readonly directory: PlanDirectory; readonly stop: AbortSignal },
  start: PhaseStart,
  begun: Omit<Transaction, 'folder'>,
  shell: ConfinedShell | undefined,
): Promise<StartedSession> {
  const { location, plan, phase, harness, scenario } = start;
  const { transaction, paths, base } = await stage(services.disk, services.layout, begun, start.earlier);
  const composed = await composeContext({
    services,
    transaction,
    location,
    description: plan.state?.description ?? '',
    base,
    state: await loadRunState(services, location.id),
    tools: harness === 'person' ? changesOfPhase(phase) : toolsOfPhase(phase, harness),
    memoryStyle: await readText(services.disk, join(services.promptsDirectory, 'memory-style.md')),
    confined: shell?.state === 'confined' ? await confinedPrompt(services) : undefined,
    memory: settingsOfPlan(services.settings, plan.state).memory,
    plans: (await parts.directory.all()).plans,
    earlierEnd: start.retryOf,
  });
  const token = services.newToken();
  const tokenHash = sha256(token);
  await updateRunState(services, location.id, ({ running, ...old }) => ({
    ...old,
    ...(running !== undefined && { running: { ...running, tokenHash } }),
  }));
  const confinement = shell === undefined ? undefined : confinementOf(shell);
  const active = await parts.live.open(transaction, paths, location, { tokenHash, confinement });
  const { givenBytes, givenTokens, systemPrompt } = composed;
  const { session } = transaction;
  if (confinement !== undefined) {
    await recordConfinement(services.disk, services.layout.session(session), confinement);
  }
  if (harness === 'person') {
    const prompt = `${systemPrompt}\n\n---\n\n${composed.prompt}`;
    await writeManualFolder(services.disk, paths, { transaction, prompt, kept: start.earlier?.kept ?? new Map() });
  }
  emitFor(services, location.id, {
    type: 'session.started',
    session,
    phase,
    harness,
    givenBytes,
    givenTokens,
    reattached: false,
    ...defined({ confinement }),
  });
  if (harness === 'person') {
    const person = createPersonSession(services.clock, session, active);
    return { transaction, paths, active, harness: person, givenBytes };
  }
  const adapter = services.adapters[harness];
  const model = chooseModel(services, plan, harness, phase);
  const costUsd = start.costUsd ?? services.settings.limits['session-usd'];
  const terminal = await terminalOf(services, transaction, start.terminal);
  const spec = sessionSpec(services, {
    ...{ transaction, paths, location, systemPrompt, token, model, scenario, costUsd },
    terminal,
    shell: shell?.state === 'confined' ? shell.shell : undefined,
    recalls: recallsMore(composed.context.memory),
  });
  const started = await services.host.start(adapter, spec, parts.stop);
  return { transaction, paths, active, harness: started, givenBytes };
}

/** Whether there is memory that the prompt does not hold, and that may come later. */
function recallsMore(memory: GivenMemory | undefined): boolean {
  return (memory?.later?.callBytesMax ?? 0) > 0 && (memory?.later?.sessionBytesMax ?? 0) > 0;
}

/** The description of its sandbox that a session is given. */
function confinedPrompt({
  disk,
  promptsDirectory,
  settings,
}: Pick<PlanServices, 'disk' | 'settings' | 'promptsDirectory'>): Promise<string> {
  return readText(disk, join(promptsDirectory, 'confined', `${settings.sandbox.network}.md`));
}

/** The extra parts of a session with a person at its terminal. */
async function terminalOf(
  services: Pick<PlanServices, 'disk' | 'terminals' | 'promptsDirectory'>,
  { session, plan }: Transaction,
  size: TerminalSize | undefined,
): Promise<SessionTerminal | undefined> {
  if (size === undefined) return undefined;
  const opening = (await readText(services.disk, join(services.promptsDirectory, 'terminal.md'))).trim();
  return services.terminals.ofSession(session, { title: `Work: ${plan}`, opening, size });
}
