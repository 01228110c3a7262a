import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import type { Disk } from '../../src/base/disk.ts';
import { moveTree } from '../../src/base/moveTree.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { Relocations } from '../../src/housekeeping/relocations.ts';
import { segmentFromId, toQualifiedId } from '../../src/model/id.ts';
import { PlanDirectory } from '../../src/plans/planDirectory.ts';
import type { PlanServices } from '../../src/plans/services.ts';
import type { Mailboxes } from '../../src/vault/moveJournal.ts';
import { runStateSchema, saveRunState } from '../../src/vault/runState.ts';
import { walkVault } from '../../src/vault/walk.ts';
import { listTree } from '../support/listTree.ts';
import { makePlanWorld, type PlanWorld } from '../support/planServices.ts';

export const a = toQualifiedId('Demo/project-root/a');
export const below = toQualifiedId('Demo/project-root/a/below');
export const b = toQualifiedId('Demo/project-root/far/b');

/** One file per actor, as a supervisor keeps them; only the files of held actors can be moved. */
function fileMailboxes(services: PlanServices): Mailboxes {
  const { disk, layout } = services;
  let held: readonly string[] = [];
  const file = (actor: string) => {
    if (!held.includes(actor)) throw new Error(`${actor} may be handling a message`);
    return join(layout.mailboxes, `${segmentFromId(toQualifiedId(actor))}.jsonl`);
  };
  return {
    async withPaused(actors, work) {
      held = actors;
      return work().finally(() => {
        held = [];
      });
    },
    rename: async (from, to) => moveTree(disk, { from: file(from), to: file(to), tag: 'mailbox' }),
    archive: async (actor, folder) =>
      moveTree(disk, { from: file(actor), to: join(folder, 'm.jsonl'), tag: 'mailbox' }),
    restore: async (folder, actor) =>
      moveTree(disk, { from: join(folder, 'm.jsonl'), to: file(actor), tag: 'mailbox' }),
  };
}

/** Two plans, one below the other, each with a run state and a mailbox; the root plan has a message from the first. */
export async function makeFamily(): Promise<PlanWorld> {
  const world = await makePlanWorld({
    children: [a, below],
    plan: {
      'backlog.yaml': `tasks: []\nreceived:\n  - { id: m1, from: ${a}, at: now, reason: r, body: b, state: new }\n`,
    },
  });
  const { layout } = world;
  for (const path of [layout.plans, layout.mailboxes]) mkdirSync(path, { recursive: true });
  for (const [cycle, plan] of [a, below].entries()) {
    await saveRunState({ disk: nodeDisk, layout }, plan, runStateSchema.parse({ cycle: cycle + 1 }));
    writeFileSync(join(layout.mailboxes, `${segmentFromId(plan)}.jsonl`), `{"to":"${plan}"}\n`);
    const kept = join(layout.interrupted, segmentFromId(plan), 'reflect-X/plan/memory.yaml');
    mkdirSync(dirname(kept), { recursive: true });
    writeFileSync(kept, 'entries: []\n');
  }
  return world;
}

export function relocationsOf(world: PlanWorld, disk: Disk = nodeDisk): Relocations {
  const services = { ...world.services, disk };
  return new Relocations({
    services,
    directory: new PlanDirectory(disk, world.layout),
    locks: {
      withPlan: async (_plan, _signal, work) => work(new AbortController().signal),
    },
    mailboxes: fileMailboxes(services),
  });
}

export const isView = (line: string): boolean => /^[^:]*(backlog|memory|session-log)\.md:/.test(line);

/**
 * Every file except locks (they never move), temporary files of interrupted writes, and views (they can be
 * rendered again at any time).
 */
export function listWorld(world: PlanWorld): string[] {
  return listTree(world.folder).filter(
    (line) => !isView(line) && !/runtime\/locks\/|\.tmp:|runtime\/ledger|plan-catalog/.test(line),
  );
}

export async function planIds(world: PlanWorld): Promise<string[]> {
  const { plans, diagnostics } = await walkVault(nodeDisk, world.layout);
  expect(diagnostics).toEqual([]);
  return plans.map(({ id }) => id);
}
