import { expect, test } from 'vitest';
import { advanceProgress, noProgress, type Progress } from '../../../src/cli/render/progress.ts';
import type { RavelEvent } from '../../../src/model/event.ts';
import { sampleEvent, sampleUsage } from '../samples.ts';
import { cycleEvents } from './cycleEvents.ts';

function check(events: readonly RavelEvent[], expected: Partial<Progress>): void {
  let nowMs = 0;
  const progress = events.reduce((sofar, event) => advanceProgress(sofar, event, ++nowMs), noProgress);
  expect(progress).toMatchObject(expected);
}

const until = (type: RavelEvent['type']) =>
  cycleEvents.slice(0, cycleEvents.findIndex((event) => event.type === type) + 1);

test('a phase begins anew', () => {
  const events = until('phase.started');
  const begun = { phase: 'work', task: 'fix-the-crash', givenBytes: 0, toolCalls: 0 } as const;
  check(events, { ...begun, startedMs: events.length });
});
test('a phase that a person carries out', () =>
  check([sampleEvent({ type: 'phase.started', phase: 'work', harness: 'person' })], { byHand: true }));
test('calls that are open, and all of them', () =>
  check(until('session.verb'), {
    calls: [
      { callId: '3', tool: 'memory_list', input: {} },
      { callId: '4', tool: 'backlog_delete', input: { id: 'a' } },
    ],
    toolCalls: 4,
  }));
test('what was refused, in words', () =>
  check(cycleEvents.slice(0, -3), {
    refusals: ['not in this phase', 'Too much changed.', 'It wants the network.'],
  }));
test('the end of a session closes what is open', () => check(until('session.ended'), { calls: [] }));
test('gates, commits and usage', () =>
  check(cycleEvents, { gatesPassed: 2, gatesRefused: 2, commits: 1, usage: sampleUsage, givenBytes: 12_345 }));
