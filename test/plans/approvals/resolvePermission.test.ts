import { describe, expect, test } from 'vitest';
import type { PhaseApproval } from '../../../src/model/approval.ts';
import { listApprovals, loadApproval, removeApproval } from '../../../src/plans/approvals/approvals.ts';
import { emitDecision, recordDecision } from '../../../src/plans/approvals/decisions.ts';
import { resolvePermission } from '../../../src/plans/approvals/resolvePermission.ts';
import { type AskedUse, saveToolAnswer } from '../../../src/plans/approvals/toolGrants.ts';
import { ManualClock } from '../../support/manualClock.ts';
import { makePlanWorld } from '../../support/planServices.ts';

const project = '/code/shop';
const place = { folder: project, confinement: 'unconfined', opensNetwork: false, project } as const;
const request = { tool_name: 'Bash', input: { command: 'frobnicate' } };

async function make(waitSeconds: number) {
  const clock = new ManualClock();
  const world = await makePlanWorld({ clock, settings: { gates: { 'approval-wait-seconds': waitSeconds } } });
  const { transaction } = await world.begin('work');
  const closing = new AbortController();
  const ask = () =>
    resolvePermission(world.services, { transaction, request, reason: 'Unknown.', ...place }, closing.signal);
  const opened = (): Promise<void> =>
    new Promise((resolve) => {
      const listening = world.services.onEvent(({ type }) => {
        if (type !== 'approval.opened') return;
        listening.dispose();
        resolve();
      });
    });
  const decide = async (decision: 'accept' | 'reject') => {
    const [id] = await listApprovals(world.services);
    const approval = id && (await loadApproval(world.services, id));
    const made = approval && (await recordDecision(world.services, approval, { decision, reason: 'I said so.' }));
    if (!made) throw new Error('nothing waits');
    await saveToolAnswer(world.services, made as typeof made & PhaseApproval, made.details as AskedUse);
    await removeApproval(world.services, made.id);
    emitDecision(world.services, made);
  };
  return { world, clock, closing, ask, opened, decide };
}

const later = { allowed: false, message: expect.stringMatching(/^Unknown\. A person was asked; .*again later\.$/) };

describe('a tool request that the gates leave to a person', () => {
  test('is shown once and denied for now, and its decision answers the next attempt', async () => {
    const { world, ask, decide } = await make(0);
    expect(await ask()).toEqual(later);
    expect(await ask()).toEqual(later);
    expect(await listApprovals(world.services)).toHaveLength(1);
    const [id] = await listApprovals(world.services);
    expect(id && (await loadApproval(world.services, id))).toMatchObject({
      subject: 'Bash frobnicate: Unknown.',
      details: { ...request, folder: project, confinement: 'unconfined', reason: 'Unknown.' },
    });
    await decide('accept');
    expect(await ask()).toEqual({ allowed: true });
    expect(await ask()).toEqual(later);
    await decide('reject');
    const message = 'Unknown. A person was asked and said no. They say: I said so.';
    expect(await ask()).toEqual({ allowed: false, message });
  });

  test('waits for the decision for as long as the settings allow', async () => {
    const { ask, opened, decide } = await make(60);
    const asked = opened();
    const answer = ask();
    await asked;
    await decide('accept');
    expect(await answer).toEqual({ allowed: true });
  });

  test('is denied when that wait ends or its session ends', async () => {
    const { clock, closing, ask } = await make(60);
    for (const end of [() => clock.advance(60_000), () => closing.abort()]) {
      const answer = ask();
      await clock.whenScheduled();
      end();
      expect(await answer).toEqual(later);
    }
    const again = ask();
    expect(await again).toEqual(later);
  });
});
