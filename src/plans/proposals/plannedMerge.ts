import { defined } from '../../base/defined.ts';
import type { EventBody } from '../../model/event.ts';
import { countWords } from '../../model/memory.ts';
import type { Conflict } from '../../model/merge.ts';
import { nextPhase } from '../../model/phase.ts';
import { filesWritten } from '../../model/phaseFiles.ts';
import { type PlanFile, type PlanTexts, planFiles } from '../../model/plan.ts';
import { readMemoryFile } from '../../vault/memoryFile.ts';
import { formatPhase, loadPlanTexts } from '../../vault/planStore.ts';
import type { ApprovalQuestion } from '../approvals/phaseQuestion.ts';
import { type PlanServices, type PlanWriterPorts, writesByItself } from '../services.ts';
import { loadBase, loadStaged, type StagingPaths, type Transaction } from '../transaction.ts';
import type { FinishVerdict } from './callJournal.ts';
import type { FileChange } from './copyBack.ts';
import { judgeState, type StateJudgement } from './judgeState.ts';
import { mergePlanFile } from './merge.ts';
import { loadResolution, type Resolution } from './resolution.ts';
import { describeUnattributed, unattributedQuestion } from './unattributed.ts';

export interface ApplyJob {
  readonly transaction: Transaction;
  readonly paths: StagingPaths;
  readonly verdict: Extract<FinishVerdict, { kind: 'accepted' | 'givenUp' }>;
}

/** The question that a person answers before a proposal can be applied. */
export interface ApplyQuestion extends ApprovalQuestion {
  readonly outcome: 'question';
}

export type PlannedMerge = {
  /** Events to emit once the merge is on disk. */
  readonly events: readonly EventBody[];
} & (
  | { readonly outcome: 'changes'; readonly changes: readonly FileChange[]; readonly personEdited: readonly PlanFile[] }
  | ApplyQuestion
);

/**
 * What applying a proposal would do to the plan's files as they are now: merged, judged as merged, nothing written. A
 * resolution counts for the conflicts that it names; without one, the person's own stands beside the proposal.
 */
export async function planMerge(
  services: PlanWriterPorts & Pick<PlanServices, 'git' | 'adapters'>,
  job: ApplyJob,
  decided?: Resolution,
): Promise<PlannedMerge> {
  const { transaction, paths, verdict } = job;
  const { plan, phase, session } = transaction;
  const directory = services.layout.plan(plan);
  const unattributed = await lateChanges(services, job);
  if (unattributed !== undefined) return { ...unattributed, events: [] };
  const base = await loadBase(services.disk, paths, phase);
  const staged = verdict.kind === 'givenUp' ? base : await loadStaged(services.disk, paths, phase);
  const current = await loadPlanTexts(services.disk, directory, Object.values(planFiles));
  const resolution = decided ?? (await loadResolution(services.disk, paths));
  const merged = mergeAll(transaction, { base, staged, current }, resolution);
  if (merged.conflicts.size > 0) return { ...conflictQuestion(merged.conflicts), events: [] };
  const judged = merged.personEdited.length === 0 ? noJudgement : judgeMerged(transaction, current, merged.texts);
  if (judged.findings.length > 0) return { ...findingsQuestion(judged.findings), events: judged.events };
  const texts = new Map<PlanFile, string | undefined>(merged.texts);
  for (const [file, text] of advance(transaction, current, merged.texts)) texts.set(file, text);
  const { personEdited } = merged;
  const mergedEvent = { type: 'state.merged' as const, session, files: [...merged.texts.keys()], personEdited };
  const changes = [...texts]
    .map(([file, after]) => ({ file, before: current.get(file) ?? null, after: after ?? null }))
    .filter((change) => change.before !== change.after);
  return { outcome: 'changes', changes, personEdited, events: [...judged.events, mergedEvent] };
}

/** A session that can write may have written after its phase was accepted; such a change is unattributed. */
async function lateChanges(
  services: PlanWriterPorts & Pick<PlanServices, 'git' | 'adapters'>,
  { transaction, paths }: ApplyJob,
): Promise<ApplyQuestion | undefined> {
  if (!writesByItself(services, transaction)) return undefined;
  const question = unattributedQuestion(await describeUnattributed(services, transaction, paths));
  return question && { outcome: 'question', ...question };
}

interface Merged {
  readonly texts: ReadonlyMap<PlanFile, string | undefined>;
  readonly personEdited: readonly PlanFile[];
  readonly conflicts: ReadonlyMap<PlanFile, readonly Conflict[]>;
}

function mergeAll(
  transaction: Transaction,
  sides: { readonly base: PlanTexts; readonly staged: PlanTexts; readonly current: PlanTexts },
  resolution: Resolution | undefined,
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
        ...defined({ base, session, person }),
      },
      transaction.plan,
      resolution?.files[file],
    );
    if ('conflicts' in merged) conflicts.set(file, merged.conflicts);
    else {
      texts.set(file, merged.text);
      if (merged.personEdited) personEdited.push(file);
    }
  }
  return { texts, personEdited, conflicts };
}

const noJudgement: StateJudgement = { events: [], findings: [] };

/** Two valid edits can merge into something invalid, a dependency cycle for one. */
function judgeMerged(
  transaction: Transaction,
  current: PlanTexts,
  merged: ReadonlyMap<PlanFile, string | undefined>,
): StateJudgement {
  const proposed = new Map<PlanFile, string>(current);
  for (const [file, text] of merged) {
    if (text === undefined) proposed.delete(file);
    else proposed.set(file, text);
  }
  return judgeState(transaction, current, proposed);
}

/** What code itself writes with the phase: the successor, and after a dream the new word count. */
function advance(
  transaction: Transaction,
  current: PlanTexts,
  merged: ReadonlyMap<PlanFile, string | undefined>,
): Map<PlanFile, string> {
  const { phase } = transaction;
  const texts = new Map<PlanFile, string>();
  // A person who wrote another word meanwhile wants to go there; that is obeyed.
  if (current.get(planFiles.phase)?.trim() === phase) texts.set(planFiles.phase, formatPhase(nextPhase(phase, true)));
  if (phase === 'dream') {
    const memory = merged.get(planFiles.memory) ?? current.get(planFiles.memory) ?? '';
    const place = { file: planFiles.memory, subject: transaction.plan };
    texts.set(planFiles.dreamWordCount, `${countWords(readMemoryFile(memory, place).value ?? {})}\n`);
  }
  return texts;
}

function findingsQuestion(findings: readonly string[]): ApplyQuestion {
  const reason = `The session's changes and a person's do not go together: ${findings.join('; ')}`;
  return { outcome: 'question', kind: 'merge-conflict', reason, details: { findings } };
}

export function conflictQuestion(conflicts: ReadonlyMap<PlanFile, readonly Conflict[]>): ApplyQuestion {
  const files = [...conflicts.keys()].join(', ');
  const reason = `The session and a person changed the same thing in ${files}.`;
  return { outcome: 'question', kind: 'merge-conflict', reason, details: Object.fromEntries(conflicts) };
}
