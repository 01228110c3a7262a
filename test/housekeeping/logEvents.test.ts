import { expect, test } from 'vitest';
import { logLineOf } from '../../src/housekeeping/logEvents.ts';
import type { EventBody, RavelEvent } from '../../src/model/event.ts';
import { toQualifiedId, type Ulid } from '../../src/model/id.ts';

const session = '01M00000000000000000000001' as Ulid;
const about = { session, phase: 'work', harness: 'scripted', givenBytes: 1, givenTokens: 1 } as const;

function said(body: EventBody): string | undefined {
  const event: RavelEvent = { at: 'now', actor: toQualifiedId('Demo/project-root'), ...body };
  const line = logLineOf(event);
  return line === undefined ? undefined : `${line.level}: ${line.message} ${JSON.stringify(line.fields)}`;
}

test.each<[EventBody, string | undefined]>([
  [
    { type: 'phase.started', phase: 'work', session },
    `info: work of Demo/project-root begins {"session":"${session}"}`,
  ],
  [
    { type: 'phase.ended', phase: 'work', end: 'failed', next: 'work', session, summary: 'secret' },
    `warn: work of Demo/project-root is failed {"next":"work","session":"${session}"}`,
  ],
  [
    { type: 'session.started', ...about, reattached: false },
    `info: session ${session} of Demo/project-root starts {"phase":"work","harness":"scripted"}`,
  ],
  [
    { type: 'session.started', ...about, reattached: true },
    `info: session ${session} of Demo/project-root is taken over {"phase":"work","harness":"scripted"}`,
  ],
  [
    { type: 'session.ended', session, end: 'exited', exitCode: 0, durationMs: 5 },
    `info: session ${session} of Demo/project-root ended {"end":"exited","exitCode":0,"durationMs":5}`,
  ],
  [{ type: 'run.ended', reason: 'stopped' }, 'info: the run of Demo/project-root is over {"reason":"stopped"}'],
  [{ type: 'session.noted', session, note: session, text: 'secret' }, undefined],
])('an event becomes a line of the log', (body, expected) => expect(said(body)).toBe(expected));
