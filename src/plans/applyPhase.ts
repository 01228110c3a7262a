import { messageOf } from '../base/errors.ts';
import { exists } from '../base/files.ts';
import type { ApprovalKind } from '../model/approval.ts';
import type { QualifiedId } from '../model/id.ts';
import { countWords, memorySchema } from '../model/memory.ts';
import type { Conflict } from '../model/merge.ts';
import { nextPhase } from '../model/phase.ts';
import { filesWritten } from '../model/phaseFiles.ts';
import { type PlanFile, type PlanTexts, planFiles } from '../model/plan.ts';
import { formatPhase, loadPlanTexts } from '../vault/planStore.ts';
import { readYaml } from '../vault/yaml.ts';
import type { FinishVerdict } from './callJournal.ts';
import { assertPlanThere, type FileChange, loadIntent, recordIntent, rollBack, rollForward } from './copyBack.ts';
import { noFacts } from './facts.ts';
import { mergePlanFile } from './merge.ts';
import { withPlanLock } from './planWriter.ts';
import { judge } from './proposal.ts';
import { type EventBody, emitFor, type PlanServices, writesByItself } from './services.ts';
import { loadBase, loadStaged, type StagingPaths, type Transaction } from './transaction.ts';
import { unattributedChanges } from './unattributed.ts';

export type ApplyResult =
  | { readonly outcome: 'applied'; readonly files: readonly PlanFile[]; readonly personEdited: readonly PlanFile[] }
  | { readonly outcome: 'question'; readonly kind: ApprovalKind; readonly reason: string; readonly details: unknown };

export interface ApplyJob {
  readonly transaction: Transaction;
  readonly paths: StagingPaths;
  readonly verdict: Extract<FinishVerdict, { kind: 'accepted' | 'givenUp' }>;
}

/**
 * Takes an accepted proposal into the plan's folder (design 4, steps 7 and 8): merged with what a person changed
 * meanwhile, judged once more as merged, journalled, copied. Nothing is changed when it ends in a question. When the disk
 * refuses, everything is put back and the refusal is thrown.
 */
export async function applyPhase(services: PlanServices, job: ApplyJob): Promise<ApplyResult> {
  const { plan } = job.transaction;
  return withPlanLock(services, plan, async () => {
    await assertPlanThere(services, plan);
    const planned = await planChanges(services, job);
    if (planned.outcome === 'question') return planned;
    await recordIntent(services, job.paths, planned.changes);
    const copied = await copy(services, job, planned.changes);
    if (copied !== undefined) return copied;
    return {
      outcome: 'applied',
      files: planned.changes.map((change) => change.file),
      personEdited: planned.personEdited,
    };
  });
}

/** Finishes (or undoes) a copy-back that a crash cut short; undefined when none had begun. */
export async function resumeCopyBack(services: PlanServices, job: ApplyJob): Promise<ApplyResult | undefined> {
  const changes = await loadIntent(services, job.paths);
  if (changes === undefined) return undefined;
  const { plan } = job.transaction;
  return withPlanLock(services, plan, async () => {
    await assertPlanThere(services, plan);
    const copied = await copy(services, job, changes);
    if (copied !== undefined) return copied;
    return { outcome: 'applied', files: changes.map((change) => change.file), personEdited: [] };
  });
}

/** Takes back what a copy-back that was never finished had copied; nothing where none had begun, or the plan is gone. */
export async function undoCopyBack(
  ports: Pick<PlanServices, 'disk' | 'clock' | 'processes' | 'layout'>,
  plan: QualifiedId,
  paths: StagingPaths,
): Promise<void> {
  const changes = await loadIntent(ports, paths);
  if (changes === undefined || !(await exists(ports.disk, ports.layout.plan(plan)))) return;
  await withPlanLock(ports, plan, () => rollBack(ports, plan, changes));
  await ports.disk.unlink(paths.copyBack);
}

async function copy(
  services: PlanServices,
  job: ApplyJob,
  changes: readonly FileChange[],
): Promise<Extract<ApplyResult, { outcome: 'question' }> | undefined> {
  const { plan } = job.transaction;
  try {
    const copied = await rollForward(services, plan, changes);
    if (copied.outcome === 'finished') return undefined;
    await services.disk.unlink(job.paths.copyBack);
    return conflictQuestion(new Map([[copied.file, copied.conflicts]]));
  } catch (error) {
    await undo(services, job, changes);
    throw error;
  }
}

/** On a disk that refuses, putting back may fail as well: then the intent stays, and the next try finishes it. */
async function undo(services: PlanServices, job: ApplyJob, changes: readonly FileChange[]): Promise<void> {
  const { plan } = job.transaction;
  try {
    await rollBack(services, plan, changes);
    await services.disk.unlink(job.paths.copyBack);
  } catch (error) {
    services.log.warn('a copy-back could not be undone; it will be finished later', { plan, error: messageOf(error) });
  }
}

type Planned =
  | { readonly outcome: 'changes'; readonly changes: readonly FileChange[]; readonly personEdited: readonly PlanFile[] }
  | Extract<ApplyResult, { outcome: 'question' }>;

async function planChanges(services: PlanServices, job: ApplyJob): Promise<Planned> {
  const { transaction, paths, verdict } = job;
  const { plan, phase, session } = transaction;
  const directory = services.layout.plan(plan);
  const unattributed = await lateChanges(services, job);
  if (unattributed !== undefined) return unattributed;
  const base = await loadBase(services.disk, paths, phase);
  const staged = verdict.kind === 'givenUp' ? base : await loadStaged(services.disk, paths, phase);
  const current = await loadPlanTexts(services.disk, directory, Object.values(planFiles));
  const merged = mergeAll(transaction, { base, staged, current });
  if (merged.conflicts.size > 0) return conflictQuestion(merged.conflicts);
  if (merged.personEdited.length > 0) {
    const refused = judgeMerged(services, job, current, merged.texts);
    if (refused !== undefined) return refused;
  }
  const texts = new Map<PlanFile, string | undefined>(merged.texts);
  for (const [file, text] of advance(transaction, current, merged.texts)) texts.set(file, text);
  emitFor(services, plan, {
    type: 'state.merged',
    session,
    files: [...merged.texts.keys()],
    personEdited: merged.personEdited,
  });
  const changes = [...texts]
    .map(([file, after]) => ({ file, before: current.get(file) ?? null, after: after ?? null }))
    .filter((change) => change.before !== change.after);
  return { outcome: 'changes', changes, personEdited: merged.personEdited };
}

/** A session that can write may have written after its phase was accepted; that is nobody's edit. */
async function lateChanges(
  services: PlanServices,
  { transaction }: ApplyJob,
): Promise<Extract<ApplyResult, { outcome: 'question' }> | undefined> {
  const { plan, folder } = transaction;
  if (!writesByItself(services, transaction)) return undefined;
  const names = await unattributedChanges(services, plan, services.layout.plan(plan), folder);
  if (names.length === 0) return undefined;
  const reason = `These files of the plan changed during the session, and no state verb did it: ${names.join(', ')}.`;
  return { outcome: 'question', kind: 'unattributed-change', reason, details: { files: names } };
}

interface Merged {
  readonly texts: ReadonlyMap<PlanFile, string | undefined>;
  readonly personEdited: readonly PlanFile[];
  readonly conflicts: ReadonlyMap<PlanFile, readonly Conflict[]>;
}

function mergeAll(
  transaction: Transaction,
  sides: { readonly base: PlanTexts; readonly staged: PlanTexts; readonly current: PlanTexts },
): Merged {
  const texts = new Map<PlanFile, string | undefined>();
  const personEdited: PlanFile[] = [];
  const conflicts = new Map<PlanFile, readonly Conflict[]>();
  for (const file of filesWritten(transaction.phase)) {
    const [base, session, person] = [sides.base.get(file), sides.staged.get(file), sides.current.get(file)];
    if (session === base) continue;
    const merged = mergePlanFile(
      file,
      {
        ...(base !== undefined && { base }),
        ...(session !== undefined && { session }),
        ...(person !== undefined && { person }),
      },
      transaction.plan,
    );
    if ('conflicts' in merged) conflicts.set(file, merged.conflicts);
    else {
      texts.set(file, merged.text);
      if (merged.personEdited) personEdited.push(file);
    }
  }
  return { texts, personEdited, conflicts };
}

/** Two valid edits can merge into something invalid, a dependency cycle for one (design 4, step 6). */
function judgeMerged(
  services: PlanServices,
  job: ApplyJob,
  current: PlanTexts,
  merged: ReadonlyMap<PlanFile, string | undefined>,
): Extract<ApplyResult, { outcome: 'question' }> | undefined {
  const { plan, phase, session, task } = job.transaction;
  const proposed = new Map<PlanFile, string>(current);
  for (const [file, text] of merged) {
    if (text === undefined) proposed.delete(file);
    else proposed.set(file, text);
  }
  const judgement = judge(
    {
      phase,
      outcome: 'done',
      summary: '',
      base: current,
      proposed,
      verbsUsed: [],
      unattributed: [],
      dreamMap: {},
      facts: noFacts,
      ...(task !== undefined && { task }),
    },
    plan,
    session,
  );
  const lasting = judgement.events.filter((event) => event.type === 'gate.judged' && mergedGates.has(event.gate));
  for (const event of lasting) emitFor(services, plan, event);
  const findings = lasting.flatMap((event) => rejectionOf(event));
  if (findings.length === 0) return undefined;
  const reason = `The session's changes and a person's do not go together: ${findings.join('; ')}`;
  return { outcome: 'question', kind: 'merge-conflict', reason, details: { findings } };
}

/** Gates that look at the state alone; the others judged what the session did, which merging does not change. */
const mergedGates: ReadonlySet<string> = new Set(['schema', 'ids', 'dependencies']);

function rejectionOf(event: EventBody): readonly string[] {
  if (event.type !== 'gate.judged' || event.outcome !== 'reject') return [];
  return event.findings ?? [event.reason ?? event.gate];
}

/** What code itself writes with the phase: the successor, and after a dream the new word count. */
function advance(
  transaction: Transaction,
  current: PlanTexts,
  merged: ReadonlyMap<PlanFile, string | undefined>,
): Map<PlanFile, string> {
  const { phase } = transaction;
  const texts = new Map<PlanFile, string>();
  // A person who wrote another word meanwhile wants to go there; that is obeyed (design 3, phase.md).
  if (current.get(planFiles.phase)?.trim() === phase) texts.set(planFiles.phase, formatPhase(nextPhase(phase, true)));
  if (phase === 'dream') {
    const memory = merged.get(planFiles.memory) ?? current.get(planFiles.memory) ?? '';
    const place = { file: planFiles.memory, subject: transaction.plan };
    texts.set(planFiles.dreamWordCount, `${countWords(readYaml(memorySchema, memory, place).value ?? {})}\n`);
  }
  return texts;
}

function conflictQuestion(
  conflicts: ReadonlyMap<PlanFile, readonly Conflict[]>,
): Extract<ApplyResult, { outcome: 'question' }> {
  const files = [...conflicts.keys()].join(', ');
  const reason = `The session and a person changed the same thing in ${files}.`;
  return { outcome: 'question', kind: 'merge-conflict', reason, details: Object.fromEntries(conflicts) };
}
