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

test('the start of a phase resets the progress', () => {
  const events = until('phase.started');
  const begun = { phase: 'work', task: 'fix-the-crash', givenBytes: 0, toolCalls: 0 } as const;
  check(events, { ...begun, startedMs: events.length });
});
test('a phase of the harness "person" is marked as by hand', () =>
  check([sampleEvent({ type: 'phase.started', phase: 'work', harness: 'person' })], { manual: true }));
test('progress holds the open calls and counts all of them', () =>
  check(until('session.verb'), {
    calls: [
      { callId: '3', tool: 'memory_list', input: {} },
      { callId: '4', tool: 'backlog_delete', input: { id: 'a' } },
    ],
    toolCalls: 4,
  }));
test('progress collects the reasons of refusals', () =>
  check(cycleEvents.slice(0, -3), {
    refusals: [
      ...['not in this phase', 'Too much changed.', 'It wants the network.'],
      expect.stringContaining('git push is refused') as string,
    ],
  }));
test('the end of a session closes its open calls', () => check(until('session.ended'), { calls: [] }));
test('progress counts gates and commits, and keeps the usage', () =>
  check(cycleEvents, { gatesPassed: 2, gatesRefused: 3, commits: 1, usage: sampleUsage, givenBytes: 12_345 }));
