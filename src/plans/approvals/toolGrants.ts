import { dirname, join } from 'node:path';
import * as z from 'zod';
import { defined } from '../../base/defined.ts';
import { attempt } from '../../base/diskErrors.ts';
import { exists, removeTree, sha256 } from '../../base/files.ts';
import { jsonText, RecordFolder } from '../../base/recordFolder.ts';
import type { Approval, Decision, PhaseApproval } from '../../model/approval.ts';
import type { Confinement } from '../../model/confinement.ts';
import { isUlid, type QualifiedId, segmentFromId, type Ulid } from '../../model/id.ts';
import type { PermitArgs } from '../../model/sessionTools.ts';
import { unreadableRecord } from '../../model/unreadableRecord.ts';
import type { VaultPorts } from '../../vault/vaultPorts.ts';
import { listApprovals, loadUndamaged } from './approvals.ts';

/** What a person said to a session's permission request. */
export type GrantAnswer =
  | { readonly decision: 'allowed' }
  | { readonly decision: 'denied'; readonly reason: string | undefined };

const grantSchema = z.object({ decision: z.enum(['allowed', 'denied']), reason: z.string().exactOptional() });

type Grant = z.infer<typeof grantSchema>;

/** What a person is asked about. A yes is for the way in which it would have run, and for no other. */
export interface AskedUse extends Pick<PermitArgs, 'tool_name' | 'input'> {
  readonly confinement: Confinement['state'];
  /** Whether the network is open to it. */
  readonly network?: 'open';
  /** Digest of what it would use: where its paths lead, and what it would run. */
  readonly uses?: string;
}

/** Tells a request from every other one of its plan: the tool and all of its input, how it would run, and what. */
function fingerprintOf({ tool_name: tool, input, confinement, network, uses }: AskedUse): string {
  return sha256(JSON.stringify([tool, input, confinement, network, uses]));
}

/** A no is about the request, whatever the files that it names hold by now. */
function fingerprintWithoutUses({ uses: _uses, ...asked }: AskedUse): string {
  return fingerprintOf(asked);
}

/** The use that was asked about, and the approval that a person answered. */
type GrantId = `${string}.${Ulid}`;

/**
 * Writes down what a person decided on a tool request, for the session to find when it asks again. It lasts until its
 * phase has finished or was dismissed. Done again it changes nothing.
 */
export async function saveToolAnswer(
  ports: VaultPorts,
  decision: Decision & PhaseApproval,
  asked: AskedUse,
): Promise<void> {
  const said = decision.decision === 'reject' ? 'denied' : 'allowed';
  const grant: Grant = { decision: said, ...defined({ reason: decision.reason }) };
  await grantsOf(ports, decision.plan).save(
    `${grant.decision === 'denied' ? fingerprintWithoutUses(asked) : fingerprintOf(asked)}.${decision.id}`,
    grant,
  );
}

/**
 * What a person said to this very request. What was allowed is used up by asking: it is gone from the disk before the
 * answer is known, so that no crash makes two of one. A denial stands.
 */
export async function consumeAnswer(
  ports: VaultPorts,
  plan: QualifiedId,
  asked: AskedUse,
): Promise<GrantAnswer | undefined> {
  const folder = grantsOf(ports, plan);
  const wishes = [fingerprintOf(asked), fingerprintWithoutUses(asked)];
  const ids = (await folder.list()).filter((id) => wishes.some((wish) => id.startsWith(`${wish}.`)));
  for (const id of ids.reverse()) {
    // Until its request is closed a decision may be carried out once more, after a crash.
    if (await exists(ports.disk, ports.layout.approval(approvalOf(id)))) continue;
    const grant = await folder.load(id);
    if (grant?.decision === 'denied') return { decision: 'denied', reason: grant.reason };
    if (grant === undefined) continue;
    await folder.remove(id);
    return { decision: 'allowed' };
  }
  return undefined;
}

function grantsOf({ disk, layout }: VaultPorts, plan: QualifiedId): RecordFolder<GrantId, Grant> {
  return new RecordFolder({
    ...{ disk, folder: folderOf(layout, plan), text: { ...jsonText, ending: '' }, schema: grantSchema },
    isId: (name): name is GrantId => isUlid(name.slice(name.indexOf('.') + 1)),
    unreadable: unreadableRecord('disk/damaged', 'what a person said to a permission request'),
  });
}

function approvalOf(id: GrantId): Ulid {
  return id.slice(id.indexOf('.') + 1) as Ulid;
}

/** The approval that already waits for this very request of a session. */
export async function findRequest(ports: VaultPorts, session: Ulid, asked: AskedUse): Promise<Approval | undefined> {
  for (const id of await listApprovals(ports)) {
    const approval = await loadUndamaged(ports, id);
    if (approval?.kind !== 'tool-request' || approval.session !== session) continue;
    if (fingerprintOf(approval.details as AskedUse) === fingerprintOf(asked)) return approval;
  }
  return undefined;
}

/** What was granted ends with the phase that it was granted to. */
export async function dropGrants(ports: VaultPorts, plan: QualifiedId): Promise<void> {
  const folder = folderOf(ports.layout, plan);
  if (!(await exists(ports.disk, folder))) return;
  await removeTree(ports.disk, folder);
  await attempt(folder, 'remove', () => ports.disk.syncDirectory(dirname(folder)));
}

function folderOf(layout: VaultPorts['layout'], plan: QualifiedId): string {
  return join(layout.grants, segmentFromId(plan));
}
