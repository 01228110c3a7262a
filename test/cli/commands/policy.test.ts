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
  const words = ['policy', 'explain', samplePlan, '--session', sampleSession, '--confined', '--model', 'm', '--json'];
  expect(await runCommandLine(words, ports)).toBe(0);
  const uses = [
    ...Array.from({ length: 201 }, (_, n) => ({ tool: 'Bash', input: { command: `ls ${n}` } })),
    { tool: 'Read', input: { file_path: 'a.ts' } },
  ];
  expect(asked.map(({ plan, confinement, model, uses: { length } }) => [plan, confinement, model, length])).toEqual([
    [samplePlan, 'confined', 'm', 200],
    [samplePlan, 'confined', 'm', 2],
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
  const ports = await createFakePorts({ policy: () => ({ rules: [], diagnostics: [broken] }) });
  expect(await runCommandLine(['policy', 'show'], ports)).toBe(1);
  expect(ports.written.stdout).toBe(
    'The policy cannot be used, so every tool is refused. `ravel policy lint` has the line.\n',
  );
});

test('verdicts are listed by session, with gate, rule, line and reason, in words that a terminal can show', async () => {
  const rule = {
    layer: 'vault',
    file: '/v/policy.yaml',
    path: ['permissions', 'deny', 0],
    line: 3,
    action: 'deny',
    text: 'Bash(git *push *)',
  } as const;
  const about = { at: '2026-11-20T08:30:00Z', actor: samplePlan, session: sampleSession, tool: 'Bash' };
  const asked: RequestParams<'verdicts'>[] = [];
  const ports = await createFakePorts({
    verdicts: (params) => {
      asked.push(params);
      const refused = {
        ...about,
        gate: 'policy',
        outcome: 'reject',
        call: 'Bash git push \u001b[2J',
        rule,
        reason: 'No.',
      } as const;
      return { verdicts: [{ ...about, gate: 'tool', outcome: 'accept' }, refused], isCut: true };
    },
  });
  expect(await runCommandLine(['policy', 'verdicts', samplePlan], ports)).toBe(0);
  expect(await runCommandLine(['policy', 'verdicts', sampleSession, '--refused'], ports)).toBe(0);
  expect(asked).toEqual([
    { plan: samplePlan, refused: false },
    { session: sampleSession, refused: true },
  ]);
  const { stdout } = ports.written;
  expect(stdout).toContain(
    `${samplePlan}  ${sampleSession}\n✓ 2026-11-20T08:30:00Z  Bash\n✗ 2026-11-20T08:30:00Z  Bash git push`,
  );
  expect(stdout).toContain('    rule Bash(git *push *), vault, /v/policy.yaml:3\n    No.\n');
  expect(stdout).toContain('There are more');
  expect(stdout).not.toContain('\u001b[2J');
});

test('an import says what is added, what is left out and why, and how to write it', async () => {
  const left = [
    { file: '/p/.claude/settings.json', action: 'allow', text: 'Bash', why: 'It allows every command.' },
  ] as const;
  const found = {
    file: '/v/policy.yaml',
    sources: ['/p/.claude/settings.json'],
    suggested: 'rules:\n- id: a\n',
    left,
    diagnostics: [],
  };
  const asked: RequestParams<'import_policy'>[] = [];
  const ports = await createFakePorts({
    import_policy: (params) => {
      asked.push(params);
      return { ...found, isWritten: params.write === true };
    },
  });
  expect(await runCommandLine(['policy', 'import', samplePlan, '--user'], ports)).toBe(0);
  expect(ports.written.stdout).toBe(
    'rules:\n- id: a\n\nNot taken over:\n  allow  Bash  /p/.claude/settings.json\n    It allows every command.\n\nNothing is written; --write adds it to /v/policy.yaml.\n',
  );
  expect(await runCommandLine(['policy', 'import', '--write'], ports)).toBe(0);
  expect(ports.written.stdout).toContain('Added to /v/policy.yaml.');
  expect(asked).toEqual([
    { plan: samplePlan, user: true, write: false },
    { user: false, write: true },
  ]);
});

test('an explanation says in plain words what is answered, what decided it, and where that stands', async () => {
  const rule = {
    layer: 'vault',
    file: '/v/policy.yaml',
    line: 6,
    id: 'no-deploys',
    action: 'deny',
    text: 'Bash(terraform *)',
  } as const;
  const explained = [
    { tool: 'Bash', call: 'Bash terraform apply', decision: 'deny', gate: 'policy', rule, reason: 'CI deploys.' },
    { tool: 'Bash', call: 'Bash frob', decision: 'ask', gate: 'command', reason: 'frob is not on the list.' },
    { tool: 'Bash', call: 'Bash ls', decision: 'allow' },
  ] as const;
  const ports = await createFakePorts({ explain_tools: () => ({ explained }) });
  expect(await runCommandLine(['policy', 'explain', samplePlan, 'x'], ports)).toBe(0);
  expect(ports.written.stdout).toBe(
    [
      '✗ refused: Bash terraform apply',
      '    by the rule no-deploys, vault, /v/policy.yaml:6',
      '    CI deploys.',
      '? you would be asked: Bash frob',
      '    by the built-in gate command',
      '    frob is not on the list.',
      '✓ allowed: Bash ls',
      '    no gate has anything against it',
      '',
    ].join('\n'),
  );
});
