import { writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { Ulid } from '../../../src/model/id.ts';
import { loadPlanRow, planStatus } from '../../../src/plans/phases/status.ts';
import { type RunState, updateRunState } from '../../../src/vault/runState.ts';
import { backlogOf, makePlanWorld, memoryOf, type PlanWorldOptions } from '../../support/planServices.ts';

const session = '01M7X4TZFWPVQT6PFG4SYTM4BP' as Ulid;

async function make(options: PlanWorldOptions = {}, state: Partial<RunState> = {}) {
  const world = await makePlanWorld({ plan: { 'backlog.yaml': backlogOf('one: done', 'two') }, ...options });
  await world.services.disk.makeDirectory(world.layout.plans).catch(() => undefined);
  await updateRunState(world.services, world.plan, (old) => ({ ...old, ...state }));
  const row = await loadPlanRow(world.services, world.location);
  return { world, row, status: await planStatus(world.services, world.location) };
}

describe('the row of a plan', () => {
  test('has its description, phase, task counts and faults', async () => {
    const { row, world } = await make({}, {});
    expect(row).toEqual({
      ...{ plan: world.plan, description: 'What Demo is for', phase: 'work', faults: [] },
      counts: { ready: 1, blocked: 0, inProgress: 0, done: 1, received: 0, handoffs: 0 },
    });
  });

  test('names the running session, or what the plan waits for', async () => {
    const running = { phase: 'reflect', step: 'session', session, startedAt: 'now' } as const;
    expect((await make({}, { running })).row.running).toEqual({ session, phase: 'reflect' });
    const waiting = { phase: 'work', session, approval: session, kind: 'needs-input', reason: 'Which?' } as const;
    expect((await make({}, { waiting })).row.waiting).toBe('Which?');
    const interrupted = { phase: 'work', session, reason: 'It crashed.', failed: true, at: 'now' } as const;
    expect((await make({}, { interrupted })).row.waiting).toBe('It crashed.');
    expect((await make({}, { interrupted, waiting })).row.waiting).toBe('Which?');
  });

  test('has the faults of the plan beside everything that could be read', async () => {
    const { row } = await make({ plan: { 'backlog.yaml': 'tasks: [\n' } });
    expect(row.faults).toMatchObject([{ code: 'yaml/syntax', severity: 'error' }]);
    expect(row).toMatchObject({ description: 'What Demo is for', counts: { ready: 0 } });
  });
});

describe('the status of one plan', () => {
  test('adds the folders, the memory and the next task to the row', async () => {
    const { status, row, world } = await make({
      plan: { 'backlog.yaml': backlogOf('one: done', 'two', 'three'), 'memory.yaml': memoryOf({ a: 'Two words.' }) },
    });
    expect(status).toEqual({
      ...row,
      ...{ directory: world.location.directory, project: world.project, children: [] },
      ...{ memoryEntries: 1, memoryWords: 5 },
      nextTask: { id: 'two', title: 'Title of two' },
    });
  });

  test('says how the last phase ended', async () => {
    const last = { phase: 'work', session, end: 'finished', at: 'now', summary: 'It works.' } as const;
    expect((await make({}, { last })).status.lastEnd).toEqual(last);
  });

  test('names the folder with the files of an interrupted phase', async () => {
    const about = { session, reason: 'It crashed.' };
    const { status, world } = await make({}, { interrupted: { ...about, phase: 'reflect', failed: false, at: 'now' } });
    const directory = world.layout.interruptedOf(world.plan, 'reflect', session);
    expect(status.interrupted).toEqual({ ...about, phase: 'reflect', directory });
    const code = await make({}, { interrupted: { ...about, phase: 'git-commit-work', failed: false, at: 'now' } });
    expect(code.status.interrupted?.directory).toBe(code.world.layout.session(session));
  });
});

test('an unreadable run state is a fault of its plan, and the plan is still shown', async () => {
  const { world } = await make();
  await writeFile(world.layout.runState(world.plan), 'cycle: [\n');
  const row = await loadPlanRow(world.services, world.location);
  expect(row.phase).toBe('work');
  expect(row.faults).toMatchObject([{ code: 'plan/badState', subject: world.plan }]);
});
