import * as fs from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Supervisor } from '../../src/actors/supervisor.ts';
import { systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/log.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { createProcesses } from '../../src/harness/processTable.ts';
import { type QualifiedId, toQualifiedId } from '../../src/model/id.ts';
import { planFiles } from '../../src/model/plan.ts';
import { createPlanActor } from '../../src/plans/messages/planActor.ts';
import type { PlanServices } from '../../src/plans/services.ts';
import { VaultLayout } from '../../src/vault/layout.ts';
import { LockQueues } from '../../src/vault/lockQueues.ts';

/** A plan whose actor takes in messages, without the rest of a vault. */
export interface ReceivingPlan {
  /** Its own folder, which `end` removes. */
  readonly folder: string;
  readonly plan: QualifiedId;
  readonly supervisor: Supervisor;
  readonly mailboxes: string;
  readonly backlog: string;
  end(): Promise<void>;
}

/**
 * The caller starts the supervisor. `onHandled` is called for each message, `onChanged` for each state of the actor.
 */
export async function makeReceivingPlan(
  onHandled: () => void,
  onChanged: (state: string) => void = () => undefined,
): Promise<ReceivingPlan> {
  const folder = await mkdtemp(join(tmpdir(), 'ravel-bench-'));
  const layout = new VaultLayout(folder);
  const plan = toQualifiedId('Measured/project-root');
  for (const made of [layout.plan(plan), layout.plans, layout.mailboxes]) fs.mkdirSync(made, { recursive: true });
  fs.writeFileSync(join(layout.plan(plan), planFiles.marker), '---\ndescription: Measured\n---\n');
  const nothing = () => undefined;
  // To receive a dispatch, an actor uses only these services.
  const used = {
    ...{ disk: nodeDisk, clock: systemClock, layout, processes: createProcesses(nodeDisk), emit: nothing },
    ...{ log: silentLogger, lockQueues: new LockQueues(silentLogger) },
  };
  const services = used as unknown as PlanServices;
  const live = { isStopped: false, of: nothing, note: async () => false };
  const answers = { take: async () => undefined };
  const supervisor = new Supervisor({
    disk: services.disk,
    clock: services.clock,
    mailboxes: layout.mailboxes,
    deadLetters: layout.deadLetters,
    limits: { activeMax: 5, idleMs: 300_000, crashes: 3, crashWindowMs: 60_000 },
    crashTimes: { load: async () => [], save: async () => undefined },
    spawn: async () => createPlanActor({ services, live, answers }, plan),
    events: { changed: (_actor, { kind }) => onChanged(kind), dead: nothing, diagnostic: nothing, handled: onHandled },
  });
  return {
    ...{ folder, plan, supervisor },
    mailboxes: layout.mailboxes,
    backlog: join(layout.plan(plan), planFiles.backlog),
    async end() {
      await supervisor.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
