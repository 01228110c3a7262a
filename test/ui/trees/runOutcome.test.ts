import { expect, test } from 'vitest';
import type { Ulid } from '../../../src/model/id.ts';
import type { CycleReport, PhaseReport } from '../../../src/model/requests/runs.ts';
import { cycleOutcome, phaseOutcome } from '../../../src/ui/trees/runOutcome.ts';
import { id } from '../../support/fakeModel.ts';

const session = '01HZY0000000000000000000S1' as Ulid;
const report: PhaseReport = {
  phase: 'reflect',
  session,
  end: 'finished',
  next: 'triage',
  summary: 'Learned\nsomething.',
  commits: [{ commit: 'abc', title: 'Learn' }],
  durationMs: 1,
  givenBytes: 1,
};

test.each<[Partial<PhaseReport>, Partial<ReturnType<typeof phaseOutcome>>]>([
  [{}, { message: 'shop: reflect finished with 1 commit; next is triage.', tone: 'quiet', canRetry: false }],
  [
    { end: 'waiting', approval: session },
    { message: 'shop: reflect needs your answer. Learned something.', tone: 'warn', approval: session },
  ],
  [{ end: 'interrupted' }, { message: 'shop: reflect interrupted. Learned something.', tone: 'warn', canRetry: true }],
  [{ end: 'failed' }, { tone: 'warn', canRetry: true }],
])('the outcome of a phase with %j is told as %j', (more, outcome) => {
  expect(phaseOutcome(id('shop'), { ...report, ...more })).toMatchObject(outcome);
});

test.each<[CycleReport, Partial<ReturnType<typeof cycleOutcome>>]>([
  [
    { phases: [report, report], stop: 'cycle-ended', reason: '' },
    { message: 'shop: the cycle is complete after 2 phases.', tone: 'quiet' },
  ],
  [{ phases: [report], stop: 'stopped', reason: '' }, { tone: 'quiet' }],
  [
    { phases: [], stop: 'nothing-ready', reason: 'All wait.' },
    { message: 'shop: no task is ready. All wait.', tone: 'warn' },
  ],
  [
    { phases: [], stop: 'budget', reason: 'Spent.' },
    { message: 'shop: Spent.', tone: 'warn', canRetry: false },
  ],
  [{ phases: [{ ...report, end: 'waiting', approval: session }], stop: 'waiting', reason: '' }, { approval: session }],
  [
    { phases: [], stop: 'failed', reason: 'No git.' },
    { message: 'shop: the run ended as failed. No git.', canRetry: true },
  ],
])('the outcome of a cycle, case %#, is told with tone and actions', (cycle, outcome) => {
  expect(cycleOutcome(id('shop'), cycle)).toMatchObject(outcome);
});
