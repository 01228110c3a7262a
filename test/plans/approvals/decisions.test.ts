import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Approval } from '../../../src/model/approval.ts';
import { loadApproval, openApproval } from '../../../src/plans/approvals/approvals.ts';
import { commitDecision } from '../../../src/plans/approvals/decisionCommits.ts';
import { alreadyDecided, emitDecision, loadDecision, recordDecision } from '../../../src/plans/approvals/decisions.ts';
import { failureOf } from '../../support/failureOf.ts';
import { ManualClock } from '../../support/manualClock.ts';
import { demoPlan, makePlanWorld } from '../../support/planServices.ts';

async function openOne(settings = {}) {
  const world = await makePlanWorld({ clock: new ManualClock(), settings });
  const id = await openApproval(world.services, {
    ...{ kind: 'needs-input', plan: demoPlan, session: world.services.newUlid() },
    ...{ subject: 'Which colour?', options: [], details: { question: 'Which\ncolour?' } },
  });
  return { world, id, approval: (await loadApproval(world.services, id)) as Approval };
}

describe('a decision', () => {
  test('is on disk with its author, time, reason and the approval as it was shown, and is announced', async () => {
    const { world, id, approval } = await openOne();
    const made = await recordDecision(world.services, approval, { decision: 'accept', text: 'Blue.', reason: 'Nicer' });
    const said = { decision: 'accept', text: 'Blue.', reason: 'Nicer', by: 'ada', at: '2026-01-02T03:04:05Z' };
    expect(parse(await readFile(world.layout.decision(id), 'utf8'))).toEqual({ ...approval, ...said });
    expect(await loadDecision(world.services, id)).toEqual(made);
    if (made !== undefined) emitDecision(world.services, made);
    expect(world.events.at(-1)).toMatchObject({
      ...{ type: 'approval.decided', approval: id, kind: 'needs-input', decision: 'accept', by: 'ada' },
    });
  });

  test('is made once when two people answer at the same time', async () => {
    const { world, id, approval } = await openOne();
    const answers = [{ decision: 'accept' as const, text: 'Blue.' }, { decision: 'reject' as const }];
    const made = await Promise.all(answers.map((answer) => recordDecision(world.services, approval, answer)));
    expect(made.filter((decision) => decision !== undefined)).toHaveLength(1);
    const winner = made.find((decision) => decision !== undefined);
    expect(await loadDecision(world.services, id)).toEqual(winner);
    expect(await readdir(world.layout.decisions)).toEqual(['.gitkeep', `${id}.yaml`]);
  });

  test.each([
    ['accept', { option: 'session' }, /^ada accepted \w+ with "session" at 2026/],
    ['reject', { reason: 'Too wide' }, /^ada rejected \w+ at 2026\S+: Too wide\.$/],
    ['retry', {}, /ran the phase again instead/],
    ['dismiss', {}, /dismissed the phase instead/],
  ] as const)('of %s is reported to a person who answers second', async (decision, more, sentence) => {
    const { world, approval } = await openOne();
    const made = await recordDecision(world.services, approval, { decision, ...more });
    if (made === undefined) throw new Error('the approval was already decided');
    expect(alreadyDecided(made).diagnostic).toMatchObject({
      code: 'approval/decided',
      message: expect.stringMatching(sentence),
    });
  });

  test.each([
    ['auto', ['warning']],
    ['never', []],
  ] as const)('is kept with commit = "%s" in a vault without a repository', async (commit, severities) => {
    const { world, id, approval } = await openOne({ vault: { commit } });
    const made = await recordDecision(world.services, approval, { decision: 'reject' });
    if (made !== undefined) await commitDecision(world.services, made);
    const told = world.events.flatMap((event) => (event.type === 'diagnostic' ? [event.diagnostic.severity] : []));
    expect(told).toEqual(severities);
    expect(await loadDecision(world.services, id)).toEqual(made);
  });

  test('a decision that is unreadable is named by its id, and so is an unreadable approval', async () => {
    const { world, id, approval } = await openOne();
    await recordDecision(world.services, approval, { decision: 'reject' });
    world.write(`vault/decisions/${id}.yaml`, 'decision: perhaps\n');
    world.write(`vault/runtime/approvals/${id}.yaml`, 'kind: [\n');
    for (const load of [loadDecision, loadApproval]) {
      const problem = await failureOf(() => load(world.services, id));
      expect(problem).toMatchObject({ code: 'approval/unreadable', message: expect.stringContaining(id) });
    }
  });
});
