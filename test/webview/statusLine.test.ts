import { expect, test } from 'vitest';
import type { EventType } from '../../src/model/event.ts';
import { selectableTasks } from '../../webview/runOptions.ts';
import { changesStatus, statusLine } from '../../webview/statusLine.ts';
import { cycleEvents } from '../cli/render/cycleEvents.ts';
import { outputEvent } from './events.ts';

test('session output is not news of its plan and does not change the status', () => {
  const event = outputEvent('01M7X4TZFWPVQT6PFG4SYTM4BP' as never, 0);
  expect([statusLine(event), changesStatus(event)]).toEqual([undefined, false]);
});

test('news of a plan are single lines, about these events', () => {
  const told = new Map<EventType, string>();
  for (const event of cycleEvents) {
    const news = statusLine(event);
    if (news !== undefined) told.set(event.type, news);
  }
  expect([...told.keys()].sort()).toEqual([
    ...['approval.decided', 'approval.opened', 'budget.reached', 'commit.made', 'commit.skipped', 'phase.ended'],
    ...['phase.started', 'run.ended', 'run.paused', 'run.queued'],
  ]);
  expect([...told.values()].filter((news) => news.includes('\n'))).toEqual([]);
});

test.each([undefined, null, 3, {}, { tasks: 3 }, { tasks: [null, { id: 1 }] }])(
  'selectableTasks of %j is empty',
  (result) => expect(selectableTasks(result)).toEqual([]),
);
test('selectableTasks returns id and title', () =>
  expect(selectableTasks({ tasks: [{ id: 'a', title: 'A' }] })).toEqual([{ id: 'a', title: 'A' }]));
