import { join } from 'node:path';
import { stringify } from 'yaml';
import * as z from 'zod';
import { ensureDirectory, exists, readTextIfExists, removeTree, sha256, writeAtomic } from '../base/files.ts';
import type { ApprovalKind } from '../model/approval.ts';
import type { QualifiedId, Ulid } from '../model/id.ts';
import { readYaml } from '../vault/yaml.ts';
import { emitFor, type PlanServices, timestamp } from './services.ts';

/** What waits for a person. */
export interface ApprovalRequest {
  readonly kind: ApprovalKind;
  readonly plan: QualifiedId;
  readonly session: Ulid;
  /** One line: what is asked. */
  readonly subject: string;
  /** Everything that a person needs to decide: both sides of a conflict, the command that was asked for. */
  readonly details: unknown;
  readonly options: readonly string[];
}

/**
 * Writes `runtime/approvals/<ulid>.yaml` and tells everybody. The content's hash is part of it: a decision holds for what
 * the person saw, and for nothing else (design 8, "Approvals").
 */
export async function openApproval(services: PlanServices, request: ApprovalRequest): Promise<Ulid> {
  const id = services.newUlid();
  const { details, ...rest } = request;
  const content = { ...rest, details };
  await ensureDirectory(services.disk, services.layout.approvals);
  await writeAtomic(
    services.disk,
    services.layout.approval(id),
    stringify(
      { id, createdAt: timestamp(services), contentHash: sha256(JSON.stringify(content)), ...content },
      { lineWidth: 0 },
    ),
  );
  emitFor(services, request.plan, {
    type: 'approval.opened',
    approval: id,
    kind: request.kind,
    subject: request.subject,
  });
  return id;
}

/** A session that is over asks for nothing any more. */
export async function closeToolRequests(services: PlanServices, session: Ulid): Promise<void> {
  const { disk, layout } = services;
  if (!(await exists(disk, layout.approvals))) return;
  for (const { name } of await disk.readDirectory(layout.approvals)) {
    const text = await readTextIfExists(disk, join(layout.approvals, name));
    const { value } = readYaml(toolRequestSchema, text ?? '', { file: name, subject: session });
    if (value?.session === session) await closeApproval(services, value.id);
  }
}

const toolRequestSchema = z.object({
  id: z.string().transform((text) => text as Ulid),
  kind: z.literal('tool-request'),
  session: z.string(),
});

/** Takes back what waits no longer. */
export async function closeApproval(services: Pick<PlanServices, 'disk' | 'layout'>, approval: Ulid): Promise<void> {
  await removeTree(services.disk, services.layout.approval(approval));
}
