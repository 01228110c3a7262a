import { sha256 } from '../../base/files.ts';
import { RecordFolder } from '../../base/recordFolder.ts';
import { type Approval, approvalSchema, isDeferred } from '../../model/approval.ts';
import { isUlid, type QualifiedId, type Ulid } from '../../model/id.ts';
import { unreadableRecord } from '../../model/unreadableRecord.ts';
import type { VaultPorts } from '../../vault/vaultPorts.ts';
import { yamlText } from '../../yaml/yamlText.ts';
import { emitFor, type PlanServices, timestamp } from '../services.ts';

/** A question to a person, as its author gives it. */
export type ApprovalRequest = Pick<Approval, 'kind' | 'plan' | 'session' | 'subject' | 'details'> & {
  readonly options: readonly string[];
};

/**
 * Writes `runtime/approvals/<ulid>.yaml` and emits an event. The content's hash is part of it: a decision holds for
 * what the person saw, and for nothing else. A caller that must not ask twice chooses the id first.
 */
export async function openApproval(
  services: Pick<PlanServices, 'disk' | 'clock' | 'layout' | 'newUlid' | 'emit'>,
  request: ApprovalRequest,
  id: Ulid = services.newUlid(),
): Promise<Ulid> {
  const { kind, plan, session, subject, details } = request;
  const approval: Approval = {
    ...{ id, createdAt: timestamp(services), contentHash: contentHashOf(request) },
    ...{ kind, plan, session, subject, options: [...request.options], details },
  };
  await approvalFolder(services).save(id, approval);
  emitFor(services, plan ?? 'vault', { type: 'approval.opened', approval: id, kind, subject });
  return id;
}

/** The hash of what a person sees; asked again of a question as it stands now, it tells whether that is still so. */
export function contentHashOf({ kind, plan, session, subject, options, details }: ApprovalRequest): string {
  return sha256(JSON.stringify({ kind, plan, session, subject, options, details }));
}

/** The open question with this id, if there is one. Throws `approval/unreadable`. */
export function loadApproval(ports: VaultPorts, approval: Ulid): Promise<Approval | undefined> {
  return approvalFolder(ports).load(approval);
}

/** Ids of everything that waits. Their order says nothing of its age, which only the files know. */
export function listApprovals(ports: VaultPorts): Promise<readonly Ulid[]> {
  return approvalFolder(ports).list();
}

/** As `loadApproval`, for callers that search many: one that cannot be read is left out here and reported elsewhere. */
export function loadUndamaged(ports: VaultPorts, approval: Ulid): Promise<Approval | undefined> {
  return approvalFolder(ports).loadUndamaged(approval);
}

function approvalFolder({ disk, layout }: VaultPorts): RecordFolder<Ulid, Approval> {
  return new RecordFolder({
    ...{ disk, folder: layout.approvals, text: yamlText, schema: approvalSchema, coversRefusals: true },
    ...{ isId: isUlid, idOf: ({ id }) => id },
    unreadable: unreadableRecord('approval/unreadable', 'what an approval holds'),
  });
}

/** A session that is over asks for nothing any more. */
export async function closeToolRequests(services: VaultPorts, session: Ulid): Promise<void> {
  for (const id of await listApprovals(services)) {
    const approval = await loadUndamaged(services, id);
    if (approval?.kind === 'tool-request' && approval.session === session) await removeApproval(services, id);
  }
}

/** Open questions of this plan. */
export async function approvalsOf(ports: VaultPorts, plan: QualifiedId): Promise<Ulid[]> {
  const found: Ulid[] = [];
  for (const id of await listApprovals(ports)) {
    if ((await loadUndamaged(ports, id))?.plan === plan) found.push(id);
  }
  return found;
}

/** Puts a question off: it stays as it is, hash included, and lists leave it out until then. */
export async function deferApproval(
  services: Pick<PlanServices, 'disk' | 'clock' | 'layout' | 'emit'>,
  approval: Approval,
  until: string,
): Promise<void> {
  const { id, kind, plan } = approval;
  await approvalFolder(services).save(id, { ...approval, deferredUntil: until });
  emitFor(services, plan ?? 'vault', { type: 'approval.deferred', approval: id, kind, until });
}

/** Asks again what was deferred until now or earlier and is not decided. Returns how many questions that were. */
export async function askDeferredAgain(
  services: Pick<PlanServices, 'disk' | 'clock' | 'layout' | 'emit'>,
  isDecided: (id: Ulid) => Promise<boolean>,
): Promise<number> {
  let count = 0;
  for (const id of await listApprovals(services)) {
    const approval = await loadUndamaged(services, id);
    if (approval?.deferredUntil === undefined || isDeferred(approval, services.clock.wallMs())) continue;
    // What is decided stays for the next owner to carry out.
    if (await isDecided(id)) continue;
    const { deferredUntil: _over, ...again } = approval;
    await approvalFolder(services).save(id, again);
    const { kind, plan, subject } = again;
    emitFor(services, plan ?? 'vault', { type: 'approval.opened', approval: id, kind, subject });
    count += 1;
  }
  return count;
}

/** Withdraws a question that does not need an answer any more. */
export function removeApproval(ports: VaultPorts, approval: Ulid): Promise<void> {
  return approvalFolder(ports).remove(approval);
}
