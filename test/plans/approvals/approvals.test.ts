import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Ulid } from '../../../src/model/id.ts';
import { type ApprovalRequest, openApproval } from '../../../src/plans/approvals/approvals.ts';
import { ManualClock } from '../../support/manualClock.ts';
import { demoPlan, makePlanWorld } from '../../support/planServices.ts';

const session = '01M7X4TZFWPVQT6PFG4SYTM4BP' as Ulid;
const request: ApprovalRequest = {
  kind: 'merge-conflict',
  plan: demoPlan,
  session,
  subject: 'The session and a person changed the same thing.',
  details: { 'backlog.yaml': [{ session: 'x'.repeat(200), person: 'two\nlines\n' }] },
  options: ['accept', 'reject'],
};

async function open(changes: Partial<ApprovalRequest> = {}) {
  const world = await makePlanWorld({ clock: new ManualClock() });
  const id = await openApproval(world.services, { ...request, ...changes });
  const path = world.layout.approval(id);
  return { world, id, path, content: parse(world.read(path.slice(world.folder.length + 1))) };
}

test('an opened approval is on disk with everything a person needs to decide', async () => {
  const { id, path, content } = await open();
  expect(basename(path)).toBe(`${id}.yaml`);
  expect(content).toEqual({
    id,
    createdAt: '2026-01-02T03:04:05Z',
    contentHash: expect.stringMatching(/^[0-9a-f]{64}$/),
    ...request,
  });
});

test('an opened approval is announced', async () => {
  const { world, id } = await open();
  const { kind, subject } = request;
  expect(world.events).toEqual([
    { at: '2026-01-02T03:04:05Z', actor: demoPlan, type: 'approval.opened', approval: id, kind, subject },
  ]);
});

describe('the content hash of an approval', () => {
  test('is equal for equal content, whenever it is asked', async () => {
    const [one, two] = [await open(), await open()];
    expect(one.content.contentHash).toBe(two.content.contentHash);
    expect(one.id).not.toBe(two.id);
  });

  test('differs for any other content', async () => {
    const { content } = await open();
    for (const changes of [{ details: {} }, { subject: 'Another' }, { options: ['accept'] }]) {
      expect((await open(changes)).content.contentHash).not.toBe(content.contentHash);
    }
  });
});
