import { join } from 'node:path';
import { listIfThere } from '../base/diskErrors.ts';
import { isTemporaryName } from '../base/files.ts';
import type { Task } from '../model/backlog.ts';
import type { QualifiedId } from '../model/id.ts';
import type { PlanServices } from '../plans/services.ts';
import { loadPlan } from '../vault/planStore.ts';
import type { PlanProposalFacts } from './judgePlanProposal.ts';

type FactPorts = Pick<PlanServices, 'disk' | 'layout' | 'settings' | 'storedSecrets'>;

/** What a proposal under a plan is judged by, as the plan is now. */
export async function loadProposalFacts(
  ports: FactPorts,
  under: QualifiedId,
  by: PlanProposalFacts['by'],
): Promise<PlanProposalFacts> {
  const { settings } = ports;
  const storedSecrets = await ports.storedSecrets();
  const [taken, tasks] = await Promise.all([takenNames(ports, under), tasksOf(ports, under)]);
  return { under, by, taken, tasks, allowedSecrets: settings.gates['allowed-secrets'], storedSecrets };
}

/** Folders that hold anything are taken: plans, the way to plans, and what others keep there. */
async function takenNames({ disk, layout }: FactPorts, under: QualifiedId): Promise<string[]> {
  const directory = layout.plan(under);
  const taken: string[] = [];
  for (const { name, kind } of await listIfThere(disk, directory)) {
    if (isTemporaryName(name)) continue;
    const isEmpty = kind === 'directory' && (await listIfThere(disk, join(directory, name))).length === 0;
    if (!isEmpty) taken.push(name);
  }
  return taken;
}

async function tasksOf({ disk, layout }: FactPorts, under: QualifiedId): Promise<readonly Task[]> {
  const { backlog } = await loadPlan(disk, { id: under, directory: layout.plan(under) });
  return backlog?.tasks ?? [];
}
