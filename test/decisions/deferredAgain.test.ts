import { expect, test } from 'vitest';
import { nextTurn } from '../../src/base/async.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { ApprovalService, type ApprovalServiceParts } from '../../src/decisions/approvalService.ts';
import type { Ulid } from '../../src/model/id.ts';
import { deferApproval, loadApproval, openApproval } from '../../src/plans/approvals/approvals.ts';
import { makePlanWorld } from '../support/planServices.ts';
import { traceDisk } from '../support/tracingDisk.ts';

const request = {
  kind: 'learned-statement',
  plan: undefined,
  session: undefined,
  subject: 'Known?',
  options: [],
} as const;

/** A question that was deferred until long ago, and the service that decides on it. */
async function open(onRename: (path: string) => Promise<void> = async () => undefined) {
  const touched: string[] = [];
  const disk = traceDisk(nodeDisk, async (_n, name, path) => {
    touched.push(`${name} ${path}`);
    if (name === 'rename') await onRename(path);
  });
  const { services } = await makePlanWorld({ disk });
  const id = await openApproval(services, { ...request, details: {} });
  const approval = await loadApproval(services, id);
  if (approval === undefined) throw new Error('it was just opened');
  await deferApproval(services, approval, '2020-01-01T00:00:00Z');
  const handler = { check: async () => undefined, carryOut: async () => ({ did: 'It is left out.' }) };
  const vaultApprovals = { 'learned-statement': handler };
  const service = new ApprovalService({ services, vaultApprovals } as unknown as ApprovalServiceParts);
  const decide = () => service.decide({ approval: id, contentHash: approval.contentHash, decision: 'reject' });
  return { services, service, id, decide, touched };
}

test('a question does not come back beside a decision on it', async () => {
  let isAsking = false;
  let decided: Promise<unknown> | undefined;
  let lookedUp: readonly string[] | undefined;
  const world = await open(async (path) => {
    if (!isAsking || decided !== undefined || !path.includes('approvals')) return;
    decided = world.decide();
    const before = world.touched.length;
    for (let turn = 0; turn < 20; turn++) await nextTurn();
    lookedUp = world.touched.slice(before).filter((one) => one.includes('/decisions/'));
  });
  isAsking = true;
  expect(await world.service.askDeferredAgain()).toBe(1);
  await decided;
  // The decision waits for its turn.
  expect(lookedUp).toEqual([]);
  expect(await loadApproval(world.services, world.id)).toBeUndefined();
});

test('a question that is decided is not asked again before its decision is carried out', async () => {
  const world = await open();
  const approval = await loadApproval(world.services, world.id);
  await world.decide();
  // An owner that died between both left the question as it was.
  if (approval !== undefined) await deferApproval(world.services, approval, '2020-01-01T00:00:00Z');
  expect(await world.service.askDeferredAgain()).toBe(0);
  expect(await loadApproval(world.services, world.id as Ulid)).toMatchObject({ deferredUntil: expect.anything() });
});
