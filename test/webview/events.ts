import type { RavelEvent } from '../../src/model/event.ts';
import type { HarnessOutput } from '../../src/model/harnessOutput.ts';
import { toQualifiedId, type Ulid } from '../../src/model/id.ts';

/** Events as a session sends them, for the tests of pages. */
export const stamp = { at: '2026-01-02T03:04:05Z', actor: toQualifiedId('Demo/project-root') };

export function outputEvent(
  session: Ulid,
  seq: number,
  output: HarnessOutput = { kind: 'text', text: `said ${seq}` },
): Extract<RavelEvent, { type: 'session.output' }> {
  return { ...stamp, type: 'session.output', session, seq, output };
}

/** With `callId` the event names the call that it follows from. */
export function verbEvent(session: Ulid, summary = 'added one', callId?: string): RavelEvent {
  const event = { ...stamp, type: 'session.verb', session, verb: 'backlog add', applied: true, summary } as const;
  return callId === undefined ? event : { ...event, callId };
}
