import { isRavelError, messageOf } from '../../base/errors.ts';
import {
  ensureDirectory,
  exists,
  isTemporaryName,
  readTextIfExists,
  removeTree,
  sha256,
  writeAtomic,
} from '../../base/files.ts';
import { type Approval, approvalSchema } from '../../model/approval.ts';
import { failure } from '../../model/codes.ts';
import type { QualifiedId, Ulid } from '../../model/id.ts';
import { formatYaml, parseYaml } from '../../yaml/yaml.ts';
import { emitFor, type PlanServices, timestamp } from '../services.ts';

type ApprovalPorts = Pick<PlanServices, 'disk' | 'layout'>;

/** A question to a person, as its author gives it. */
export type ApprovalRequest = Pick<Approval, 'kind' | 'plan' | 'session' | 'subject' | 'details'> & {
  readonly options: readonly string[];
};

/**
 * Writes `runtime/approvals/<ulid>.yaml` and tells everybody. The content's hash is part of it: a decision holds for
 * what the person saw, and for nothing else. Whoever must not ask twice chose the id before.
 */
export async function openApproval(
  services: PlanServices,
  request: ApprovalRequest,
  id: Ulid = services.newUlid(),
): Promise<Ulid> {
  const { kind, plan, session, subject, details } = request;
  await ensureDirectory(services.disk, services.layout.approvals);
  const file = {
    ...{ id, createdAt: timestamp(services), contentHash: contentHashOf(request) },
    ...{ kind, plan, session, subject, options: [...request.options], details },
  };
  await writeAtomic(services.disk, services.layout.approval(id), formatYaml(file));
  emitFor(services, plan ?? 'vault', { type: 'approval.opened', approval: id, kind, subject });
  return id;
}

/** The hash of what a person sees; asked again of a question as it stands now, it tells whether that is still so. */
export function contentHashOf({ kind, plan, session, subject, options, details }: ApprovalRequest): string {
  return sha256(JSON.stringify({ kind, plan, session, subject, options, details }));
}

/** What waits under this id; undefined where nothing does. Throws `approval/unreadable`. */
export async function loadApproval({ disk, layout }: ApprovalPorts, approval: Ulid): Promise<Approval | undefined> {
  const file = layout.approval(approval);
  const unreadable = (problem: string, cause?: unknown) => {
    const message = `The file of ${approval} cannot be read: ${problem}`;
    return failure('approval/unreadable', approval, message, { file, ...(cause !== undefined && { cause }) });
  };
  const text = await readTextIfExists(disk, file).catch((error: unknown) => {
    throw unreadable(messageOf(error), error);
  });
  if (text === undefined) return undefined;
  const { value, diagnostics } = parseYaml(text, { file, subject: approval });
  const parsed = approvalSchema.safeParse(value);
  if (parsed.success && parsed.data.id === approval) return parsed.data;
  throw unreadable(diagnostics[0]?.message ?? 'It is not what an approval holds.');
}

/** Ids of everything that waits. Their order says nothing of its age, which only the files know. */
export async function listApprovals({ disk, layout }: ApprovalPorts): Promise<Ulid[]> {
  if (!(await exists(disk, layout.approvals))) return [];
  const entries = await disk.readDirectory(layout.approvals);
  return entries
    .filter(({ name }) => name.endsWith('.yaml') && !isTemporaryName(name))
    .map(({ name }) => name.slice(0, -'.yaml'.length) as Ulid)
    .sort();
}

/** As `loadApproval`, for callers that search many: one that cannot be read is left out here and reported elsewhere. */
export async function loadReadable(ports: ApprovalPorts, approval: Ulid): Promise<Approval | undefined> {
  try {
    return await loadApproval(ports, approval);
  } catch (error) {
    if (isRavelError(error, 'approval/unreadable')) return undefined;
    throw error;
  }
}

/** A session that is over asks for nothing any more. */
export async function closeToolRequests(services: PlanServices, session: Ulid): Promise<void> {
  for (const id of await listApprovals(services)) {
    const approval = await loadReadable(services, id);
    if (approval?.kind === 'tool-request' && approval.session === session) await closeApproval(services, id);
  }
}

/** Open questions of this plan. */
export async function approvalsOf(ports: ApprovalPorts, plan: QualifiedId): Promise<Ulid[]> {
  const found: Ulid[] = [];
  for (const id of await listApprovals(ports)) {
    if ((await loadReadable(ports, id))?.plan === plan) found.push(id);
  }
  return found;
}

/** Takes back what waits no longer. */
export async function closeApproval(services: ApprovalPorts, approval: Ulid): Promise<void> {
  await removeTree(services.disk, services.layout.approval(approval));
}
