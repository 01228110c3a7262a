import { dirname, join } from 'node:path';
import type { Supervisor } from '../../actors/supervisor.ts';
import { isRavelError, messageOf } from '../../base/errors.ts';
import { ensureDirectory, exists } from '../../base/files.ts';
import { diagnostic } from '../../model/codes.ts';
import { idFromSegment, type QualifiedId, segmentFromId } from '../../model/id.ts';
import { isCodePhase } from '../../model/phase.ts';
import { loadRunState, type Running } from '../../vault/runState.ts';
import type { PlanLocation } from '../../vault/walk.ts';
import { recordRecovery } from '../ledger.ts';
import type { PlanDirectory } from '../planDirectory.ts';
import { readCalls, verdictIn } from '../proposals/callJournal.ts';
import { loadIntent } from '../proposals/copyBack.ts';
import { emitFor, type PlanServices } from '../services.ts';
import type { ActiveSession } from '../sessions/activeSession.ts';
import { isHandFolderReady } from '../sessions/handFolder.ts';
import type { LiveSessions } from '../sessions/liveSessions.ts';
import { createPersonSession } from '../sessions/personSession.ts';
import { giveNotesBack } from '../sessions/sessionNotes.ts';
import { hostFile } from '../sessions/sessionRun.ts';
import { loadTransaction, type StagingPaths, stagingPaths, type Transaction } from '../transaction.ts';
import { lastOutputSeq } from '../transcriptFile.ts';
import { pauseRun, tellPaused } from './cycleRun.ts';
import { giveUp } from './giveUp.ts';
import { concludePhase, setAside } from './phaseEnd.ts';
import type { PhaseRunner } from './phaseRunner.ts';

export interface RecoveryParts {
  readonly services: PlanServices;
  readonly directory: PlanDirectory;
  readonly runner: PhaseRunner;
  readonly live: LiveSessions;
  readonly actors: Pick<Supervisor, 'send'>;
}

/** A session that was re-adopted; `ended` settles when its phase has. */
export interface GoingOn {
  readonly plan: QualifiedId;
  readonly ended: Promise<unknown>;
}

/**
 * Brings every plan that an earlier owner left in the middle of something to a state it can go on from (design 4). What
 * was decided is finished, sessions that still run are re-adopted, the rest is interrupted; a phase is never run again by
 * itself. Each step is a line in the ledger. Returns the sessions that go on, for whoever wants to wait for them.
 */
export async function recover(parts: RecoveryParts): Promise<GoingOn[]> {
  const { services } = parts;
  const alive: Recovering[] = [];
  for (const plan of await plansWithRunState(parts)) {
    await contain(services, plan, async () => {
      await pauseRun(services, plan);
      const { running } = await loadRunState(services.disk, services.layout, plan);
      const left: Recovering[] = [];
      if (running !== undefined) {
        const recoverOne = async () => void left.push(...(await recoverPlan(parts, plan, running)));
        await contain(services, plan, recoverOne, running);
      }
      // A session that still runs comes first; its phase may end a cycle.
      if (left.length === 0) await tellPaused(services, plan);
      alive.push(...left);
      await returnNotes(parts, plan);
      await tidyStaging(services, plan);
    });
  }
  // Last, for a session keeps its tree, and no commit that was cut short is to wait for the end of one.
  const goingOn: GoingOn[] = [];
  for (const recovering of alive) {
    const { transaction, running } = recovering;
    const readoptOne = async () => void goingOn.push(await readopt(parts, recovering));
    await contain(services, transaction.plan, readoptOne, running);
  }
  return goingOn;
}

/** Notes whose session ended, and whose owner died before it gave them back. */
async function returnNotes(parts: RecoveryParts, plan: QualifiedId): Promise<void> {
  const { services, live } = parts;
  const { running, last, waiting, interrupted } = await loadRunState(services.disk, services.layout, plan);
  const ended = [last, waiting, interrupted].map((state) => state?.session).filter((session) => session !== undefined);
  for (const session of new Set(ended)) {
    if (session !== running?.session && session !== live.of(plan)) await giveNotesBack(parts, plan, session);
  }
}

/** What cannot be recovered is reported, and interrupted where it was running; the rest of the vault goes on. */
async function contain(
  services: PlanServices,
  plan: QualifiedId,
  work: () => Promise<void>,
  running?: Running,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    const problem = isRavelError(error) ? error.diagnostic : diagnostic('base/internal', plan, messageOf(error));
    services.log.error('a plan could not be recovered', { plan, error: problem.message });
    emitFor(services, plan, { type: 'diagnostic', diagnostic: problem });
    if (running !== undefined) await giveUp(services, plan, running.session, error);
  }
}

async function plansWithRunState({ services, directory }: RecoveryParts): Promise<QualifiedId[]> {
  const entries = await services.disk.readDirectory(services.layout.plans);
  const segments = entries
    .filter(({ name }) => name.endsWith('.yaml'))
    .map(({ name }) => name.slice(0, -'.yaml'.length));
  // The segment of a plan far down does not say which plan it is; only the plan itself does.
  const isWalkNeeded = segments.some((segment) => idFromSegment(segment) === undefined);
  const plans = isWalkNeeded ? (await directory.all()).plans : [];
  const known = new Map(plans.map(({ id }) => [segmentFromId(id), id]));
  return segments
    .map((segment) => idFromSegment(segment) ?? known.get(segment))
    .filter((id) => id !== undefined)
    .sort();
}

/** Resolves with the session that is to be re-adopted, where one is left. */
async function recoverPlan(parts: RecoveryParts, plan: QualifiedId, running: Running): Promise<Recovering[]> {
  const { services, directory } = parts;
  const { phase, session } = running;
  const what = `${phase} of ${plan}`;
  const location = await findPlan(directory, plan);
  if (location === undefined) {
    await setAside(services, { plan, phase, session }, { end: 'interrupted', reason: 'the plan is no longer there' });
    await recordRecovery(services, plan, what, 'interrupted');
    return [];
  }
  if (isCodePhase(phase)) {
    const report = await parts.runner.commitLater(location, phase, session);
    await recordRecovery(services, plan, what, report.end === 'finished' ? 'finished' : 'interrupted');
    return [];
  }
  const paths = stagingPaths(services.layout.stagingOf(plan, phase, session));
  if (!(await isStarted(services, paths, running))) {
    const reason = 'its owner died before the session had started';
    await setAside(services, { plan, phase, session }, { end: 'interrupted', reason });
    await recordRecovery(services, plan, what, 'interrupted');
    return [];
  }
  const transaction = await loadTransaction(services.disk, paths, plan);
  const recovering = { transaction, paths, location, what, running };
  if ((await loadIntent(services, paths)) === undefined) return [recovering];
  await finishCopyBack(parts, recovering);
  return [];
}

async function isStarted(services: PlanServices, paths: StagingPaths, running: Running): Promise<boolean> {
  if (!(await exists(services.disk, paths.transaction))) return false;
  if (running.harness === 'person') return isHandFolderReady(services.disk, paths);
  return exists(services.disk, hostFile(services, running.session));
}

async function findPlan(directory: PlanDirectory, plan: QualifiedId): Promise<PlanLocation | undefined> {
  try {
    return await directory.find(plan);
  } catch (error) {
    if (isRavelError(error, 'plan/unknown')) return undefined;
    throw error;
  }
}

interface Recovering {
  readonly transaction: Transaction;
  readonly paths: StagingPaths;
  readonly location: PlanLocation;
  readonly what: string;
  readonly running: Running;
}

/** The copy-back had begun: it is finished, or undone where a person's edit stands against it. */
async function finishCopyBack(parts: RecoveryParts, { transaction, paths, location, what }: Recovering): Promise<void> {
  const { services, runner } = parts;
  const calls = await readCalls(services.disk, services.layout.session(transaction.session));
  const verdict = verdictIn(calls);
  const concluded = await concludePhase(services, { transaction, paths, verdict });
  await recordRecovery(services, transaction.plan, what, concluded.end === 'finished' ? 'finished' : 'undone');
  await runner.afterPhase(transaction, location, concluded, { durationMs: 0 });
}

/**
 * Takes a session over; its calls are answered from here on. Where the process is gone its phase ends soon, and what it
 * had finished is carried out.
 */
async function readopt(parts: RecoveryParts, recovering: Recovering): Promise<GoingOn> {
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
  const told = await lastOutputSeq(services, session);
  await recordRecovery(services, plan, what, 'readopted');
  emitFor(services, plan, {
    type: 'session.started',
    session,
    phase,
    harness,
    givenBytes: 0,
    givenTokens: 0,
    readopted: true,
    ...(running.confinement !== undefined && { confinement: running.confinement }),
  });
  const ended = runner
    .resume({ plan, transaction, paths, location, active, harness: adopted, told })
    .then((report) => recordRecovery(services, plan, what, report.end === 'finished' ? 'finished' : 'interrupted'))
    .catch(async (error: unknown) => {
      // This owner let the session go; the next one takes it.
      if (isRavelError(error, 'run/stopped')) return;
      await giveUp(services, plan, session, error);
      await recordRecovery(services, plan, what, 'interrupted');
    })
    .finally(() => runner.close(plan, session));
  return { plan, ended };
}

/** A phase by hand has no process: it stands as it was left. */
async function adopt(services: PlanServices, { harness, session }: Transaction, active: ActiveSession) {
  if (harness === 'person') return createPersonSession(services.clock, session, active);
  return services.host.adopt(services.adapters[harness], services.layout.session(session));
}

/** Staging that belongs to no running or waiting phase is a crash's leftover; it is kept where a person can look at it. */
async function tidyStaging(services: PlanServices, plan: QualifiedId): Promise<void> {
  const folder = join(services.layout.staging, segmentFromId(plan));
  const state = await loadRunState(services.disk, services.layout, plan);
  const kept = new Set([state.running?.session, state.waiting?.session].filter((session) => session !== undefined));
  if (!(await exists(services.disk, folder))) return;
  for (const entry of await services.disk.readDirectory(folder)) {
    if ([...kept].some((session) => entry.name.endsWith(session))) continue;
    const to = join(services.layout.interrupted, segmentFromId(plan), entry.name);
    await ensureDirectory(services.disk, dirname(to));
    await services.disk.rename(join(folder, entry.name), to);
  }
}
