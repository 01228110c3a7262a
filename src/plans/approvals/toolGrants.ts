import { join } from 'node:path';
import * as z from 'zod';
import { ensureDirectory, exists, readText, removeFileIf, removeTree, sha256, writeAtomic } from '../../base/files.ts';
import { parseJsonFile } from '../../base/jsonFile.ts';
import type { Approval, Decision, PhaseApproval } from '../../model/approval.ts';
import type { Confinement } from '../../model/confinement.ts';
import type { QualifiedId, Ulid } from '../../model/id.ts';
import { segmentFromId } from '../../model/id.ts';
import type { PermitArgs } from '../../model/verbs.ts';
import type { PlanServices } from '../services.ts';
import { listApprovals, loadReadable } from './approvals.ts';

type GrantPorts = Pick<PlanServices, 'disk' | 'layout'>;

/** What a person said to a session's permission request. */
export type GrantAnswer =
  | { readonly decision: 'allowed' }
  | { readonly decision: 'denied'; readonly reason: string | undefined };

const grantSchema = z.object({ decision: z.enum(['allowed', 'denied']), reason: z.string().optional() });

/** What a person is asked about. A yes is for the way in which it would have run, and for no other. */
export interface AskedUse extends Pick<PermitArgs, 'tool_name' | 'input'> {
  readonly confinement: Confinement['state'];
  /** Where the network is open to it, and closed otherwise. */
  readonly network?: 'open';
}

/** Tells a request from every other one of its plan: the tool and all of its input, and how it would run. */
function wishOf({ tool_name: tool, input, confinement, network }: AskedUse): string {
  return sha256(JSON.stringify([tool, input, confinement, network]));
}

/**
 * Writes down what a person decided on a tool request, for the session to find when it asks again. It lasts until its
 * phase has finished or was dismissed. Done again it changes nothing.
 */
export async function saveGrant(ports: GrantPorts, decision: Decision & PhaseApproval, asked: AskedUse): Promise<void> {
  const folder = folderOf(ports, decision.plan);
  await ensureDirectory(ports.disk, folder);
  const reason = decision.reason === undefined ? {} : { reason: decision.reason };
  const grant = { decision: decision.decision === 'reject' ? 'denied' : 'allowed', ...reason };
  await writeAtomic(ports.disk, join(folder, `${wishOf(asked)}.${decision.id}`), JSON.stringify(grant));
}

/**
 * What a person said to this very request. What was allowed is used up by asking: it is gone from the disk before the
 * answer is known, so that no crash makes two of one. A denial stands.
 */
export async function takeGrant(
  ports: GrantPorts,
  plan: QualifiedId,
  asked: AskedUse,
): Promise<GrantAnswer | undefined> {
  const { disk, layout } = ports;
  const folder = folderOf(ports, plan);
  if (!(await exists(disk, folder))) return undefined;
  const names = (await disk.readDirectory(folder)).map(({ name }) => name).filter((name) => isFor(name, asked));
  for (const name of names.sort().reverse()) {
    // Until its request is closed a decision may be carried out once more, after a crash.
    if (await exists(disk, layout.approval(approvalOf(name)))) continue;
    const path = join(folder, name);
    const text = await readText(disk, path);
    const { decision, reason } = parseJsonFile(text, path, grantSchema);
    if (decision === 'denied') return { decision, reason };
    await removeFileIf(disk, path, sha256(text));
    return { decision };
  }
  return undefined;
}

function isFor(name: string, asked: AskedUse): boolean {
  return name.startsWith(`${wishOf(asked)}.`);
}

function approvalOf(name: string): Ulid {
  return name.slice(name.indexOf('.') + 1) as Ulid;
}

/** The approval that already waits for this very request of a session. */
export async function findRequest(ports: GrantPorts, session: Ulid, asked: AskedUse): Promise<Approval | undefined> {
  for (const id of await listApprovals(ports)) {
    const approval = await loadReadable(ports, id);
    if (approval?.kind !== 'tool-request' || approval.session !== session) continue;
    if (wishOf(approval.details as AskedUse) === wishOf(asked)) return approval;
  }
  return undefined;
}

/** What was granted ends with the phase that it was granted to. */
export async function dropGrants(ports: GrantPorts, plan: QualifiedId): Promise<void> {
  const folder = folderOf(ports, plan);
  if (await exists(ports.disk, folder)) await removeTree(ports.disk, folder);
}

function folderOf({ layout }: GrantPorts, plan: QualifiedId): string {
  return join(layout.grants, segmentFromId(plan));
}
