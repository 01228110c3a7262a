import type { ToolVerdict } from '../../gates/tools/toolGate.ts';
import type { PermitArgs } from '../../model/verbs.ts';
import type { PlanLocation } from '../../vault/walk.ts';
import { emitFor, type PlanServices } from '../services.ts';
import type { Transaction } from '../transaction.ts';
import { judgeToolOnDisk } from './permit.ts';

interface JudgedSession {
  readonly services: PlanServices;
  readonly transaction: Transaction;
  readonly location: PlanLocation;
}

/** What the gates say of a tool that a session is about to use; told to everybody. */
export async function judgeTool(
  { services, transaction, location }: JudgedSession,
  request: PermitArgs,
): Promise<ToolVerdict> {
  const verdict = await judgeToolOnDisk(services.disk, {
    purpose: transaction.phase,
    confinement: 'unconfined',
    projectDirectory: location.projectDirectory,
    ravelDirectory: location.ravelDirectory,
    request,
    allowedCommands: services.settings.gates['allowed-commands'],
  });
  const outcome = ({ allow: 'accept', deny: 'reject', ask: 'needs-approval' } as const)[verdict.decision];
  emitFor(services, transaction.plan, {
    type: 'gate.judged',
    session: transaction.session,
    gate: 'tool',
    subject: request.tool_name,
    outcome,
    ...('reason' in verdict && { reason: verdict.reason }),
  });
  return verdict;
}
