import { expect, test } from 'vitest';
import { runCommandLine } from '../../../src/cli/commandLine.ts';
import type { RavelEvent } from '../../../src/model/event.ts';
import { serve } from '../../server/socket.ts';
import { createFakeApi, type FakeHandlers } from '../../support/fakeApi.ts';
import { createFakePorts, jsonLines } from '../fakePorts.ts';
import { sampleEvent, sampleSession, sampleStatus } from '../samples.ts';

const output = (seq: number): RavelEvent =>
  sampleEvent({ type: 'session.output', session: sampleSession, seq, output: { kind: 'text', text: `line ${seq}` } });
const ended = sampleEvent({ type: 'session.ended', session: sampleSession, end: 'exited', durationMs: 5 });

function transcript(events: readonly RavelEvent[], pageSize: number): FakeHandlers {
  return {
    transcript: ({ from = 0 }) => {
      const page = events.slice(from, from + pageSize);
      return { events: page, next: from + page.length };
    },
  };
}

test('ravel logs prints a whole session from several pages', async () => {
  const ports = await createFakePorts(transcript([output(1), output(2), output(3)], 2));
  expect(await runCommandLine(['logs', sampleSession], ports)).toBe(0);
  expect(ports.written.stdout).toBe('  │ line 1\n  │ line 2\n  │ line 3\n');
});

test('ravel logs with a plan prints its last session', async () => {
  const lastEnd = { phase: 'work', session: sampleSession, end: 'finished', at: '', summary: '' } as const;
  const ports = await createFakePorts({ ...transcript([output(1)], 9), status: () => sampleStatus({ lastEnd }) });
  expect(await runCommandLine(['logs', 'demo', '--json'], ports)).toBe(0);
  expect(jsonLines(ports.written.stdout)).toEqual([
    { event: output(1) },
    { result: { session: sampleSession, events: 1 } },
  ]);
});

test('ravel logs exits with 3 for a plan that never ran', async () => {
  const ports = await createFakePorts({ status: () => sampleStatus() });
  expect(await runCommandLine(['logs', 'demo'], ports)).toBe(3);
});

test('ravel logs --follow prints each event once until the session ends', async () => {
  const known = [output(1), output(2)];
  const owner = createFakeApi({
    transcript: ({ from = 0 }) => {
      // What happens while the transcript is read comes both ways.
      if (from === 0) owner.emit(output(2));
      if (from === 0) owner.emit(output(3));
      if (from > 0) owner.emit(ended);
      return { events: known.slice(from), next: known.length };
    },
  });
  const server = await serve(owner);
  const findOwner = async () => ({ socketPath: server.socketPath, pid: 1 });
  const ports = await createFakePorts({}, { core: { findOwner } });
  expect(await runCommandLine(['logs', sampleSession, '--follow', '--json'], ports)).toBe(0);
  expect(jsonLines(ports.written.stdout)).toEqual([output(1), output(2), output(3), ended].map((event) => ({ event })));
  await server.stop();
});
