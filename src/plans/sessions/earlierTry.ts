import { defined } from '../../base/defined.ts';
import { exists } from '../../base/files.ts';
import type { QualifiedId, Ulid } from '../../model/id.ts';
import type { ReasoningPhase } from '../../model/phase.ts';
import type { PlanTexts } from '../../model/plan.ts';
import type { VaultPorts } from '../../vault/vaultPorts.ts';
import { redoLastCall } from '../proposals/callJournal.ts';
import { loadBase, loadStaged, loadTransaction, type StagedTexts, stagingPaths } from '../transaction.ts';
import { loadKept } from './manualFolder.ts';

/** What an earlier try of a phase was given, and had staged. */
export interface EarlierTry extends StagedTexts {
  /** What a person had in their files, if it was a try by hand. */
  readonly kept: PlanTexts;
  readonly task?: string;
}

/** From where an earlier try of a phase was put aside; undefined if that is gone, and the phase starts afresh. */
export async function loadEarlier(
  { disk, layout }: VaultPorts,
  { plan, phase, session }: { readonly plan: QualifiedId; readonly phase: ReasoningPhase; readonly session: Ulid },
): Promise<EarlierTry | undefined> {
  const paths = stagingPaths(layout.interruptedOf(plan, phase, session));
  if (!(await exists(disk, paths.transaction))) return undefined;
  await redoLastCall(disk, paths, layout.session(session));
  const transaction = await loadTransaction(disk, paths, plan);
  return {
    base: await loadBase(disk, paths, phase),
    plan: await loadStaged(disk, paths, phase),
    kept: await loadKept(disk, paths, transaction),
    ...defined({ task: transaction.task }),
  };
}
