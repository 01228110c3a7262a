import { dirname, join } from 'node:path';
import { passingRefusal } from '../../actors/refusal.ts';
import type { Supervisor } from '../../actors/supervisor.ts';
import { defined } from '../../base/defined.ts';
import { isRavelError, messageOf } from '../../base/errors.ts';
import { ensureDirectory, exists } from '../../base/files.ts';
import { hasStarted } from '../../harness/hostRecord.ts';
import { diagnostic } from '../../model/codes.ts';
import { type QualifiedId, segmentFromId } from '../../model/id.ts';
import { isCodePhase } from '../../model/phase.ts';
import { loadRunState, type Running } from '../../vault/runState.ts';
import type { VaultPorts } from '../../vault/vaultPorts.ts';
import type { PlanLocation } from '../../vault/walk.ts';
import { recordRecovery } from '../ledger.ts';
import type { PlanDirectory } from '../planDirectory.ts';
import { readCalls, verdictIn } from '../proposals/callJournal.ts';
import { loadIntent } from '../proposals/copyBack.ts';
import { emitFor, type PlanServices } from '../services.ts';
import type { ActiveSession } from '../sessions/activeSession.ts';
import type { LiveSessions } from '../sessions/liveSessions.ts';
import { isManualFolderReady } from '../sessions/manualFolder.ts';
import { createPersonSession } from '../sessions/personSession.ts';
import { giveNotesBack } from '../sessions/sessionNotes.ts';
import { hostFile } from '../sessions/sessionRun.ts';
import { loadTransaction, type StagingPaths, stagingPaths, type Transaction } from '../transaction.ts';
import { lastOutputSeq } from '../transcriptFile.ts';
import { emitPaused, pauseRun } from './cycleRun.ts';
import { interruptPhase } from './interruptPhase.ts';
import { concludePhase, endUnfinished } from './phaseEnd.ts';
import type { PhaseRunner } from './phaseRunner.ts';
import type { RunLocks } from './runLocks.ts';

export interface RecoveryParts {
  readonly services: PlanServices;
  readonly directory: PlanDirectory;
  readonly locks: RunLocks;
  readonly runner: PhaseRunner;
  readonly live: LiveSessions;
  readonly actors: Pick<Supervisor, 'send'>;
}

/**
 * Brings a plan that an earlier owner left in the middle of something to a state it can go on from. What was decided is
 * finished, a session that still runs is to be re-adopted, the rest is interrupted; a phase is never run again by
 * itself. Each step is a line in the ledger. Returns the session that is to be re-adopted, if there is one. The plan
 * is busy meanwhile; an abort ends its waiting for a tree, and leaves the rest to the next owner. If the disk
 * refuses it rejects, unless this is the last try, and leaves the plan so that it can be recovered again.
 */
export async function recoverPlan(
  parts: RecoveryParts,
  plan: QualifiedId,
  signal: AbortSignal,
  isLastTry: boolean,
): Promise<Recovering | undefined> {
  const recover = () => parts.locks.withPlan(plan, signal, (stop) => recoverAlone(parts, plan, stop, isLastTry));
  return contain(parts, plan, recover, { isLastTry });
}

async function recoverAlone(
  parts: RecoveryParts,
  plan: QualifiedId,
  stop: AbortSignal,
  isLastTry: boolean,
): Promise<Recovering | undefined> {
  const { services } = parts;
  await pauseRun(services, plan);
  const { running } = await loadRunState(services, plan);
  const left =
    running && (await contain(parts, plan, () => recoverRunning(parts, plan, running, stop), { running, isLastTry }));
  if (stop.aborted) return undefined;
  // A session that still runs comes first; its phase may end a cycle.
  if (left === undefined) await emitPaused(services, plan);
  await returnNotes(parts, plan);
  await tidyStaging(services, plan);
  return left;
}

/** Takes a session over. Its phase continues from here, and no caller waits for its end. */
export async function reattachSession(parts: RecoveryParts, recovering: Recovering): Promise<void> {
  const { transaction, running } = recovering;
  await contain(parts, transaction.plan, () => reattach(parts, recovering), { running, isLastTry: true });
}

/** Notes whose session ended, and whose owner died before it gave them back. */
async function returnNotes(parts: RecoveryParts, plan: QualifiedId): Promise<void> {
  const { services, live } = parts;
  const { running, last, waiting, interrupted } = await loadRunState(services, plan);
  const ended = [last, waiting, interrupted].map((state) => state?.session).filter((session) => session !== undefined);
  for (const session of new Set(ended)) {
    if (session !== running?.session && session !== live.of(plan)) await giveNotesBack(parts, plan, session);
  }
}

/** What cannot be recovered is reported, and interrupted if it was running; it gives nothing, and other plans follow. */
async function contain<T>(
  { services }: RecoveryParts,
  plan: QualifiedId,
  work: () => Promise<T>,
  { running, isLastTry }: { readonly running?: Running; readonly isLastTry: boolean },
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    // An owner that stops leaves the rest to the next one.
    if (isRavelError(error, 'run/stopped')) return undefined;
    if (!isLastTry && isDiskRefusal(error, plan)) throw error;
    const problem = isRavelError(error) ? error.diagnostic : diagnostic('base/internal', plan, messageOf(error));
    services.log.error('a plan could not be recovered', { plan, error: problem.message });
    emitFor(services, plan, { type: 'diagnostic', diagnostic: problem });
    if (running === undefined) return undefined;
    await interruptPhase(services, plan, running.session, error).catch((reason: unknown) => {
      services.log.error('a phase could not be set aside', { plan, error: messageOf(reason) });
    });
    return undefined;
  }
}

function isDiskRefusal(error: unknown, plan: QualifiedId): boolean {
  return passingRefusal(error, plan)?.code.startsWith('disk/') === true;
}

/** Resolves with the session that is to be re-adopted, if one is left. */
async function recoverRunning(
  parts: RecoveryParts,
  plan: QualifiedId,
  running: Running,
  stop: AbortSignal,
): Promise<Recovering | undefined> {
  const { services, directory } = parts;
  const { phase, session } = running;
  const what = `${phase} of ${plan}`;
  const location = await findPlan(directory, plan);
  if (location === undefined) {
    await endUnfinished(
      services,
      { plan, phase, session },
      { end: 'interrupted', reason: 'the plan is no longer there' },
    );
    await recordRecovery(services, plan, what, 'interrupted');
    return undefined;
  }
  if (isCodePhase(phase)) {
    const report = await parts.runner.commit(location, phase, session, stop);
    await recordRecovery(services, plan, what, report.end === 'finished' ? 'finished' : 'interrupted');
    return undefined;
  }
  const paths = stagingPaths(services.layout.stagingOf(plan, phase, session));
  if (!(await isStarted(services, paths, running))) {
    const reason = 'its owner died before the session had started';
    await endUnfinished(services, { plan, phase, session }, { end: 'interrupted', reason });
    await recordRecovery(services, plan, what, 'interrupted');
    return undefined;
  }
  const transaction = await loadTransaction(services.disk, paths, plan);
  const recovering = { transaction, paths, location, what, running };
  if ((await loadIntent(services, paths)) === undefined) return recovering;
  await finishCopyBack(parts, recovering, stop);
  return undefined;
}

async function isStarted(services: VaultPorts, paths: StagingPaths, running: Running): Promise<boolean> {
  if (!(await exists(services.disk, paths.transaction))) return false;
  if (running.harness === 'person') return isManualFolderReady(services.disk, paths);
  if (!(await exists(services.disk, hostFile(services, running.session)))) return false;
  return hasStarted(services.disk, services.layout.session(running.session));
}

async function findPlan(directory: PlanDirectory, plan: QualifiedId): Promise<PlanLocation | undefined> {
  try {
    return await directory.find(plan);
  } catch (error) {
    if (isRavelError(error, 'plan/unknown')) return undefined;
    throw error;
  }
}

/** A session of an earlier owner that may still run. */
export interface Recovering {
  readonly transaction: Transaction;
  readonly paths: StagingPaths;
  readonly location: PlanLocation;
  readonly what: string;
  readonly running: Running;
}

/** The copy-back had begun: it is finished, or undone if a person's edit stands against it. */
async function finishCopyBack(
  parts: RecoveryParts,
  { transaction, paths, location, what }: Recovering,
  stop: AbortSignal,
): Promise<void> {
  const { services, runner } = parts;
  const calls = await readCalls(services.disk, services.layout.session(transaction.session));
  const verdict = verdictIn(calls);
  const concluded = await concludePhase(services, { transaction, paths, verdict });
  await recordRecovery(services, transaction.plan, what, concluded.end === 'finished' ? 'finished' : 'undone');
  await runner.afterPhase(transaction, location, concluded, { durationMs: 0 }, stop);
}

/**
 * Takes a session over; its calls are answered from here on. If the process is gone its phase ends soon, and what it
 * had finished is carried out.
 */
async function reattach(parts: RecoveryParts, recovering: Recovering): Promise<void> {
  const { services, live, runner } = parts;
  const { transaction, paths, location, what, running } = recovering;
  const { plan, session, harness, phase } = transaction;
  const active = await live.open(transaction, paths, location, {
    tokenHash: running.tokenHash ?? '',
    confinement: running.confinement,
  });
  const adopted = await adopt(services, transaction, active).catch(async (error: unknown) => {
    await live.close(session);
    throw error;
  });
  const emitted = await lastOutputSeq(services, session);
  await recordRecovery(services, plan, what, 'reattached');
  emitFor(services, plan, {
    type: 'session.started',
    session,
    phase,
    harness,
    givenBytes: 0,
    givenTokens: 0,
    reattached: true,
    ...defined({ confinement: running.confinement }),
  });
  void runner
    .resume({ plan, transaction, paths, location, active, harness: adopted, emitted }, running.costUsd)
    .then((report) => recordRecovery(services, plan, what, report.end === 'finished' ? 'finished' : 'interrupted'))
    .catch(async (error: unknown) => {
      // This owner let the session go; the next one takes it.
      if (isRavelError(error, 'run/stopped')) return;
      await interruptPhase(services, plan, session, error);
      await recordRecovery(services, plan, what, 'interrupted');
    })
    .finally(() => runner.close(plan, session))
    .catch((error: unknown) => services.log.warn(messageOf(error)));
}

/** A phase by hand has no process: it stands as it was left. */
async function adopt(
  services: Pick<PlanServices, 'clock' | 'layout' | 'host' | 'adapters'>,
  { harness, session }: Transaction,
  active: ActiveSession,
) {
  if (harness === 'person') return createPersonSession(services.clock, session, active);
  return services.host.reattach(services.adapters[harness], services.layout.session(session));
}

/** Staging that belongs to no running or waiting phase is left from a crash; it is kept where a person can look at it. */
async function tidyStaging(services: VaultPorts, plan: QualifiedId): Promise<void> {
  const folder = join(services.layout.staging, segmentFromId(plan));
  const state = await loadRunState(services, plan);
  const kept = new Set([state.running?.session, state.waiting?.session].filter((session) => session !== undefined));
  if (!(await exists(services.disk, folder))) return;
  for (const entry of await services.disk.readDirectory(folder)) {
    if ([...kept].some((session) => entry.name.endsWith(session))) continue;
    const to = join(services.layout.interrupted, segmentFromId(plan), entry.name);
    await ensureDirectory(services.disk, dirname(to));
    await services.disk.rename(join(folder, entry.name), to);
  }
}
