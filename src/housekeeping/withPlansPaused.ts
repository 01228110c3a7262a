import { join } from 'node:path';
import { createDeferred } from '../base/async.ts';
import { exists } from '../base/files.ts';
import { failure } from '../model/codes.ts';
import type { QualifiedId } from '../model/id.ts';
import { planFiles } from '../model/plan.ts';
import { listApprovals, loadUndamaged } from '../plans/approvals/approvals.ts';
import type { RunLocks } from '../plans/phases/runLocks.ts';
import { withPlanLock } from '../plans/proposals/planWriter.ts';
import type { PlanServices, PlanWriterPorts } from '../plans/services.ts';
import type { Mailboxes } from '../vault/moveJournal.ts';
import { loadRunState } from '../vault/runState.ts';
import type { VaultPorts } from '../vault/vaultPorts.ts';

export interface PauseParts {
  readonly services: PlanServices;
  readonly locks: Pick<RunLocks, 'withPlan'>;
  readonly mailboxes: Pick<Mailboxes, 'withPaused'>;
}

/**
 * Does `work` while nothing runs for any of these plans, none of their messages is in hand, and no other work changes their
 * files. Throws `plan/busy` if something runs, and `plan/waiting` if a plan has a question for a person: what they were
 * asked names the plan. The messages of `targets` rest as well: of the ids that the plans are to have.
 */
export async function withPlansPaused<T>(
  parts: PauseParts,
  plans: readonly QualifiedId[],
  work: () => Promise<T>,
  targets: readonly QualifiedId[] = [],
): Promise<T> {
  const released = createDeferred<void>();
  const held: Promise<void>[] = [];
  try {
    for (const plan of plans) {
      const taken = createDeferred<void>();
      const holding = parts.locks.withPlan(plan, undefined, () => {
        taken.resolve();
        return released.promise;
      });
      held.push(holding);
      await Promise.race([taken.promise, holding]);
    }
    return await parts.mailboxes.withPaused([...new Set([...plans, ...targets])], async () => {
      await assertIdle(parts.services, plans);
      return await underLocks(parts.services, plans, work);
    });
  } finally {
    released.resolve();
    await Promise.allSettled(held);
  }
}

async function assertIdle(services: VaultPorts, named: readonly QualifiedId[]): Promise<void> {
  const { disk, layout } = services;
  // A plan whose folder is gone cannot go on, so what it left need not be waited for.
  const isThere = await Promise.all(named.map((plan) => exists(disk, join(layout.plan(plan), planFiles.marker))));
  const plans = named.filter((_plan, at) => isThere[at]);
  for (const plan of plans) {
    const { running, waiting } = await loadRunState(services, plan);
    if (running !== undefined) throw failure('plan/busy', plan, `The phase ${running.phase} of ${plan} is running.`);
    if (waiting !== undefined) throw failure('plan/waiting', plan, `${plan} waits for a decision: ${waiting.reason}`);
  }
  for (const id of await listApprovals(services)) {
    const approval = await loadUndamaged(services, id);
    const plan = approval?.plan;
    if (approval === undefined || plan === undefined || !plans.includes(plan)) continue;
    throw failure('plan/waiting', plan, `${plan} waits for a decision: ${approval.subject}`);
  }
}

function underLocks<T>(services: PlanWriterPorts, plans: readonly QualifiedId[], work: () => Promise<T>): Promise<T> {
  const [plan, ...rest] = plans;
  if (plan === undefined) return work();
  return withPlanLock(services, plan, () => underLocks(services, rest, work));
}
