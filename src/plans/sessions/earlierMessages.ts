import { defined } from '../../base/defined.ts';
import { backlogSchema } from '../../model/backlog.ts';
import { planFiles } from '../../model/plan.ts';
import type { VerbName } from '../../model/verbs.ts';
import { loadPlanTexts } from '../../vault/planStore.ts';
import { loadRunState } from '../../vault/runState.ts';
import type { VaultPorts } from '../../vault/vaultPorts.ts';
import { readYaml } from '../../yaml/yaml.ts';
import { loadBase, type StagingPaths, type Transaction } from '../transaction.ts';
import type { VerbContext } from '../verbs/verbContext.ts';

/** Whether a verb leaves a message. */
export function sends(verb: VerbName): boolean {
  return verb === 'message/dispatch' || verb === 'message/ask';
}

/**
 * What a message of a session may follow from, beside what the session's own files say: for a triage what waited when
 * it began, for a reflection, which is given no backlog, the message that led to the work.
 */
export async function earlierMessages(
  { disk, layout }: VaultPorts,
  { transaction, paths }: { readonly transaction: Transaction; readonly paths: StagingPaths },
): Promise<Pick<VerbContext, 'base' | 'workCause'>> {
  const { plan, phase } = transaction;
  if (phase === 'triage') return { base: await loadBase(disk, paths, phase) };
  if (phase !== 'reflect') return {};
  const { workTask } = await loadRunState({ disk, layout }, plan);
  if (workTask === undefined) return {};
  const file = planFiles.backlog;
  const text = (await loadPlanTexts(disk, layout.plan(plan), [file])).get(file) ?? '';
  // A backlog that cannot be read is told elsewhere; the chain begins again.
  const received = readYaml(backlogSchema, text, { file, subject: plan }).value?.received ?? [];
  const cause = received.find(({ task }) => task === workTask)?.id;
  return defined({ workCause: cause });
}
