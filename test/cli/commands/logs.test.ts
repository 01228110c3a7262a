import { expect, test } from 'vitest';
import { runCommandLine } from '../../../src/cli/commandLine.ts';
import { failure } from '../../../src/model/codes.ts';
import type { RavelEvent } from '../../../src/model/event.ts';
import type { Ulid } from '../../../src/model/id.ts';
import { serve } from '../../server/socket.ts';
import { createFakeApi, type FakeHandlers } from '../../support/fakeApi.ts';
import { createFakePorts, jsonLines } from '../fakePorts.ts';
import { sampleEvent, samplePlan, sampleSession, sampleStatus } from '../samples.ts';

const output = (seq: number): RavelEvent =>
  sampleEvent({ type: 'session.output', session: sampleSession, seq, output: { kind: 'text', text: `line ${seq}` } });
const ended = sampleEvent({ type: 'session.ended', session: sampleSession, end: 'exited', durationMs: 5 });

const noSession: FakeHandlers = { sessions: () => ({ sessions: [] }) };

function transcript(events: readonly RavelEvent[], pageSize: number): FakeHandlers {
  return {
    approvals: () => ({ approvals: [], diagnostics: [] }),
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
  const ports = await createFakePorts({
    ...transcript([output(1)], 9),
    ...noSession,
    status: () => sampleStatus({ lastEnd }),
  });
  expect(await runCommandLine(['logs', 'demo', '--json'], ports)).toBe(0);
  expect(jsonLines(ports.written.stdout)).toEqual([
    { event: output(1) },
    { result: { session: sampleSession, events: 1 } },
  ]);
});

test('ravel logs offers only the questions that still wait', async () => {
  const kind = 'tool-request';
  const [over, open] = [sampleSession, '01HZY0000000000000000000S9' as Ulid];
  const asked = [over, open].map((approval) =>
    sampleEvent({ type: 'approval.opened', approval, kind, subject: 'curl' }),
  );
  const row = {
    approval: open,
    kind,
    subject: 'curl',
    createdAt: '',
    options: [],
    decisions: [],
    contentHash: '',
  } as const;
  const approvals = () => ({ approvals: [row], diagnostics: [] });
  const ports = await createFakePorts({ ...transcript(asked, 9), approvals });
  await runCommandLine(['logs', sampleSession], ports);
  expect(ports.written.stdout).toBe(`  ? you can allow it once: \`ravel approvals show ${open}\`\n`);
});

test('ravel logs takes the beginning or the end of an id', async () => {
  const other = '01HZY0000000000000000000S9' as Ulid;
  const row = { plan: samplePlan, phase: 'work' as const, at: '', state: 'ended' as const };
  const sessions = () => ({ sessions: [sampleSession, other].map((session) => ({ ...row, session })) }) as never;
  const status: FakeHandlers['status'] = ({ plan }) => {
    throw failure('plan/unknown', plan, `There is no plan ${plan}.`);
  };
  const logs = async (named: string) => {
    const ports = await createFakePorts({ ...transcript([output(1)], 9), sessions, status });
    return { code: await runCommandLine(['logs', named], ports), ...ports.written };
  };
  expect(await logs('00s1')).toMatchObject({ code: 0, stdout: '  │ line 1\n' });
  expect(await logs('01HZ')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('2 sessions have an id like "01HZ"'),
  });
  expect(await logs('00s7')).toMatchObject({ code: 3 });
});

test('ravel logs exits with 3 for a plan that never ran', async () => {
  const ports = await createFakePorts({ ...noSession, status: () => sampleStatus() });
  expect(await runCommandLine(['logs', 'demo'], ports)).toBe(3);
});

test('ravel logs --follow prints each event once until the session ends', async () => {
  const known = [output(1), output(2)];
  const owner = createFakeApi({
    approvals: () => ({ approvals: [], diagnostics: [] }),
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
