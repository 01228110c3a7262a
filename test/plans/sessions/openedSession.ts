import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Disk } from '../../../src/base/disk.ts';
import { nodeDisk } from '../../../src/base/nodeDisk.ts';
import type { HarnessName } from '../../../src/model/harnesses.ts';
import type { ReasoningPhase } from '../../../src/model/phase.ts';
import type { PlanFile } from '../../../src/model/plan.ts';
import type { ProposalFacts } from '../../../src/model/verdict.ts';
import { noFacts } from '../../../src/plans/proposals/facts.ts';
import { ActiveSession } from '../../../src/plans/sessions/activeSession.ts';
import { loadStaged } from '../../../src/plans/transaction.ts';
import { backlogOf, makePlanWorld, memoryOf, type PlanWorld } from '../../support/planServices.ts';

interface Options {
  readonly disk?: Disk;
  readonly phase?: ReasoningPhase;
  readonly harness?: HarnessName;
  readonly task?: string;
  readonly facts?: ProposalFacts;
  readonly settings?: object;
}

/** Makes a tool call with a new id; `as` repeats an earlier id. */
type Call = (tool: string, args?: object, as?: string) => Promise<{ text: string; isError: boolean }>;

export async function openSession(options: Options = {}) {
  const world = await makePlanWorld({
    plan: {
      'backlog.yaml': backlogOf('one', 'two'),
      'memory.yaml': memoryOf({ a: 'There are 3 cats.', b: 'There are 3 dogs.' }),
    },
    source: { 'a.txt': 'a\n' },
    settings: options.settings ?? {},
  });
  const phase = options.phase ?? 'work';
  const staged = await world.begin(phase, {
    ...(phase === 'work' && { task: options.task ?? 'one' }),
    ...(options.harness !== undefined && { harness: options.harness }),
  });
  const open = async () => {
    const { location } = world;
    const services = { ...world.services, ...(options.disk !== undefined && { disk: options.disk }) };
    const facts = async () => options.facts ?? noFacts;
    const active = await ActiveSession.open({ services, location, facts, ...staged });
    onTestFinished(() => active.close());
    return active;
  };
  const active = await open();
  let calls = 0;
  const call: Call = (tool, args = {}, as = `call-${++calls}`) => active.call(as, tool, { ...args });
  const read = async (file: PlanFile) => (await loadStaged(nodeDisk, staged.paths, phase)).get(file);
  return { world, active, call, read, open, ...staged };
}

export const done = { outcome: 'done', summary: 'It works.' };
export const setDone = { id: 'one', status: 'done' };

/** Makes a change that the gates refuse: a task that no verb of work can add. */
export async function breakProposal(paths: { readonly plan: string }): Promise<void> {
  await writeFile(join(paths.plan, 'backlog.yaml'), backlogOf('one', 'two', 'three'));
}

export const typesOf = (world: PlanWorld) => world.events.map((event) => event.type);
