import { readdir } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { Decision, PhaseApproval } from '../../../src/model/approval.ts';
import { loadApproval, openApproval, removeApproval } from '../../../src/plans/approvals/approvals.ts';
import { recordDecision } from '../../../src/plans/approvals/decisions.ts';
import {
  type AskedUse,
  consumeAnswer,
  dropGrants,
  findRequest,
  saveToolAnswer,
} from '../../../src/plans/approvals/toolGrants.ts';
import { demoPlan, makePlanWorld, type PlanWorld } from '../../support/planServices.ts';

const unconfined = { confinement: 'unconfined' } as const;
const use: AskedUse = { tool_name: 'Bash', input: { command: 'frobnicate' }, ...unconfined };
const other: AskedUse = { tool_name: 'Bash', input: { command: 'frobnicate --all' }, ...unconfined };

async function ask(world: PlanWorld, details = use): Promise<PhaseApproval> {
  const id = await openApproval(world.services, {
    ...{ kind: 'tool-request', plan: demoPlan, session: world.services.newUlid(), subject: 'Bash', options: [] },
    details,
  });
  return (await loadApproval(world.services, id)) as PhaseApproval;
}

async function decide(world: PlanWorld, decision: 'accept' | 'reject', reason?: string, asked = use) {
  const made = (await recordDecision(world.services, await ask(world, asked), { decision, reason })) as Decision &
    PhaseApproval;
  await saveToolAnswer(world.services, made, asked);
  return made;
}

const take = (world: PlanWorld, asked = use) => consumeAnswer(world.services, demoPlan, asked);

describe('a granted tool request', () => {
  test('is allowed once, for exactly that request and that plan', async () => {
    const world = await makePlanWorld();
    const { id } = await decide(world, 'accept');
    await removeApproval(world.services, id);
    expect(await take(world, other)).toBeUndefined();
    expect(await consumeAnswer(world.services, 'Demo/project-root/child' as typeof demoPlan, use)).toBeUndefined();
    expect(await take(world)).toEqual({ decision: 'allowed' });
    expect(await take(world)).toBeUndefined();
  });

  const kinds: readonly AskedUse[] = [
    use,
    { ...use, confinement: 'confined' },
    { ...use, confinement: 'confined', network: 'open' },
  ];
  test.each(kinds)('is allowed only as it was asked about: $confinement, network $network', async (asked) => {
    const world = await makePlanWorld();
    const { id } = await decide(world, 'accept', undefined, asked);
    await removeApproval(world.services, id);
    for (const kind of kinds.filter((one) => one !== asked)) expect(await take(world, kind)).toBeUndefined();
    expect(await take(world, asked)).toEqual({ decision: 'allowed' });
  });

  test('is allowed only after its approval is closed, so that a crash before that can save the grant again', async () => {
    const world = await makePlanWorld();
    const decision = await decide(world, 'accept');
    expect(await take(world)).toBeUndefined();
    await saveToolAnswer(world.services, decision, use);
    await removeApproval(world.services, decision.id);
    expect(await take(world)).toEqual({ decision: 'allowed' });
    expect(await take(world)).toBeUndefined();
  });

  test('is dropped when the phase is over', async () => {
    const world = await makePlanWorld();
    await removeApproval(world.services, (await decide(world, 'accept')).id);
    await dropGrants(world.services, demoPlan);
    expect(await take(world)).toBeUndefined();
    expect(await readdir(world.layout.grants)).toEqual([]);
  });
});

test('a denied tool request stays denied with its reason until a later decision allows it', async () => {
  const world = await makePlanWorld();
  await removeApproval(world.services, (await decide(world, 'reject', 'Too wide')).id);
  for (const _time of [1, 2]) expect(await take(world)).toEqual({ decision: 'denied', reason: 'Too wide' });
  await removeApproval(world.services, (await decide(world, 'accept')).id);
  expect(await take(world)).toEqual({ decision: 'allowed' });
});

test('an open tool request is found again by its own session only', async () => {
  const world = await makePlanWorld();
  const { id, session } = await ask(world);
  expect((await findRequest(world.services, session, { ...use }))?.id).toBe(id);
  expect(await findRequest(world.services, session, { ...use, network: 'open' })).toBeUndefined();
  expect(await findRequest(world.services, session, other)).toBeUndefined();
  expect(await findRequest(world.services, world.services.newUlid(), use)).toBeUndefined();
});
