import { expect, test } from 'vitest';
import { runCommandLine } from '../../../src/cli/commandLine.ts';
import { diagnostic } from '../../../src/model/codes.ts';
import type { RequestParams } from '../../../src/model/protocol.ts';
import { createFakePorts, jsonLines } from '../fakePorts.ts';
import { sampleEvent, samplePlan, sampleSession } from '../samples.ts';

function call(seq: number, tool: string, input: unknown) {
  const output = { kind: 'toolStarted', tool, callId: `call-${seq}`, input } as const;
  return sampleEvent({ type: 'session.output', session: sampleSession, seq, output });
}

test('ravel policy explain --session has every call of the transcript judged, in its order, but not the session tools', async () => {
  const text = sampleEvent({
    type: 'session.output',
    session: sampleSession,
    seq: 0,
    output: { kind: 'text', text: 'x' },
  });
  const calls = Array.from({ length: 201 }, (_, n) => call(n + 2, 'Bash', { command: `ls ${n}` }));
  const events = [text, call(1, 'mcp__ravel__finish_phase', {}), ...calls, call(300, 'Read', { file_path: 'a.ts' })];
  const pageSize = 90;
  const asked: RequestParams<'explain_tools'>[] = [];
  const ports = await createFakePorts({
    transcript: ({ from = 0 }) => {
      const page = events.slice(from, from + pageSize);
      return { events: page, next: from + page.length };
    },
    explain_tools: (params) => {
      asked.push(params);
      const explained = params.uses.map(({ tool, input }) => ({
        ...{ tool, call: JSON.stringify(input), decision: 'allow' as const },
      }));
      return { explained };
    },
  });
  const words = ['policy', 'explain', samplePlan, '--session', sampleSession, '--confined', '--json'];
  expect(await runCommandLine(words, ports)).toBe(0);
  const uses = [
    ...Array.from({ length: 201 }, (_, n) => ({ tool: 'Bash', input: { command: `ls ${n}` } })),
    { tool: 'Read', input: { file_path: 'a.ts' } },
  ];
  expect(asked.map(({ plan, confinement, uses: { length } }) => [plan, confinement, length])).toEqual([
    [samplePlan, 'confined', 200],
    [samplePlan, 'confined', 2],
  ]);
  expect(asked.flatMap((one) => one.uses)).toEqual(uses);
  const [{ result }] = jsonLines(ports.written.stdout) as [{ result: { explained: unknown[] } }];
  expect(result.explained).toHaveLength(202);
});

test('a past session is judged as what it was, and none of its session tools, however they are named', async () => {
  const started = sampleEvent({
    ...{ type: 'session.started', session: sampleSession, phase: 'triage', harness: 'scripted', reattached: false },
    ...{ givenBytes: 1, givenTokens: 1, confinement: { state: 'confined' } },
  });
  const events = [
    started,
    call(1, 'finish_phase', {}),
    call(2, 'backlog_list', {}),
    call(3, 'Bash', { command: 'ls' }),
  ];
  const asked: RequestParams<'explain_tools'>[] = [];
  const ports = await createFakePorts({
    transcript: ({ from = 0 }) => ({ events: events.slice(from), next: events.length }),
    explain_tools: (params) => {
      asked.push(params);
      return { explained: [] };
    },
  });
  expect(await runCommandLine(['policy', 'explain', samplePlan, '--session', sampleSession], ports)).toBe(0);
  expect(asked).toEqual([
    {
      ...{ plan: samplePlan, phase: 'triage', harness: 'scripted', confinement: 'confined' },
      uses: [{ tool: 'Bash', input: { command: 'ls' } }],
    },
  ]);
});

test('a policy that cannot be read is not shown as one without rules', async () => {
  const broken = diagnostic(
    'policy/fileBroken',
    '/v/policy.yaml',
    'The policy cannot be used, so every tool is refused.',
  );
  const ports = await createFakePorts({ policy: () => ({ rules: [], olderCommands: [], diagnostics: [broken] }) });
  expect(await runCommandLine(['policy', 'show'], ports)).toBe(1);
  expect(ports.written.stdout).toBe(
    'The policy cannot be used, so every tool is refused. `ravel policy lint` has the line.\n',
  );
});
