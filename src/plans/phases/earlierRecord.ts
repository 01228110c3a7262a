import type { QualifiedId } from '../../model/id.ts';
import { type PlanFile, type PlanTexts, planFiles } from '../../model/plan.ts';
import { sessionLogSchema, sessionRecordSchema } from '../../model/session.ts';
import type { VaultPorts } from '../../vault/vaultPorts.ts';
import { readYaml } from '../../yaml/yaml.ts';
import { editPlanFile, loadPlanFiles } from '../proposals/planWriter.ts';
import type { PlanWriterPorts } from '../services.ts';

const file = planFiles.latestSession;

/**
 * The record of an earlier session that stands in the way of new work: a reflection would take it for this one's. Undefined
 * if there is none, and for one that the log does not hold as well.
 */
export async function findEarlierRecord(services: VaultPorts, plan: QualifiedId): Promise<string | undefined> {
  return loggedRecord(await loadPlanFiles(services, plan));
}

/** Takes it away, unless it was replaced since. */
export async function removeEarlierRecord(services: PlanWriterPorts, plan: QualifiedId, record: string): Promise<void> {
  await editPlanFile(services, plan, file, (text) => (text === record ? undefined : text));
}

/** Puts it back if the work that it gave way to is dropped: nothing of the plan is changed then. */
export async function restoreEarlierRecord(
  services: PlanWriterPorts,
  plan: QualifiedId,
  record: string,
): Promise<void> {
  await editPlanFile(services, plan, file, (text) => text ?? record);
}

function loggedRecord(texts: PlanTexts): string | undefined {
  const text = texts.get(file);
  if (text === undefined) return undefined;
  const place = (name: PlanFile) => ({ file: name, subject: name });
  const record = readYaml(sessionRecordSchema, text, place(file)).value;
  const log = readYaml(sessionLogSchema, texts.get(planFiles.sessionLog) ?? '', place(planFiles.sessionLog)).value;
  const isLogged = (log?.sessions ?? []).some(
    (known) => known.id === record?.id || (record?.session != null && known.session === record.session),
  );
  return record !== undefined && isLogged ? text : undefined;
}
