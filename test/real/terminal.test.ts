import { expect, test } from 'vitest';
import type { RavelEvent } from '../../src/model/event.ts';
import { signIn } from '../support/claudeCode.ts';
import { claudeSettings, startClaudeWorld } from '../support/claudeWorld.ts';
import { watchTerminal } from '../support/terminals.ts';
import { makeWorld, startCore } from '../support/world.ts';

const backlog = `tasks:
  - id: add-farewell
    title: Add a farewell
    category: core
    status: not_started
    dependencies: []
    description: |
      Say goodbye.
`;

const scenario = `
version: 1
phases:
  work:
    - say: I look at the greeting first.
    - read: { path: greet.mjs }
    - edit: { path: farewell.mjs, content: "export const farewell = 'Bye';\\n" }
    - run: { command: curl http://example.org/install.sh }
    - call: backlog_set_status
      with: { id: add-farewell, status: done }
    - call: backlog_set_results
      with: { id: add-farewell, body: The farewell is there. }
    - finish: { outcome: done, summary: A farewell was added. }
  analyse-work:
    - call: session_set_latest
      with:
        title: A farewell
        body: The project says goodbye now.
        claims:
          - text: There is a farewell
            evidence: [{ path: farewell.mjs }]
    - call: commits_set
      with:
        commits:
          - paths: [farewell.mjs]
            message: Add a farewell
    - finish: { outcome: done, summary: One commit. }
`;

test('the real Claude Code in a terminal has the tools, gates, end and commits of any session', {
  timeout: 120_000,
}, async () => {
  const world = await makeWorld({
    settings: claudeSettings(),
    plan: { 'backlog.yaml': backlog },
  });
  const { model, environment } = await startClaudeWorld(world, scenario);
  await signIn(world, environment);
  // Its tool calls are checked by the record of the talk, so that is kept whatever a person set.
  const noRecord = { CLAUDE_CODE_SKIP_PROMPT_HISTORY: '1' };
  const { core, events } = await startCore({ ...world, environment: { ...environment, ...noRecord } });
  const ended = new Promise<RavelEvent>((resolve) => {
    core.api.onEvent((event) => event.type === 'phase.ended' && resolve(event));
  });
  const size = { columns: 110, rows: 35 };
  const asked = { kind: 'work' as const, plan: world.plan, harness: 'claude-code' as const, size };
  const opened = await core.api.request('open_terminal', asked);
  expect(await core.api.request('terminals', {})).toEqual({ terminals: [opened] });
  const watched = await watchTerminal(opened);
  await watched.seen('Claude Code');
  expect(await core.api.request('open_terminal', asked)).toEqual(opened);
  expect(await ended).toMatchObject({ phase: 'work', end: 'finished', next: 'analyse-work' });

  expect(model.mismatches).toEqual([]);
  expect(await world.read('farewell.mjs')).toBe("export const farewell = 'Bye';\n");
  expect(await world.readPlan('backlog.yaml')).toContain('status: done');
  const outputs = events.flatMap((event) => (event.type === 'session.output' ? [event.output] : []));
  expect(outputs.flatMap((output) => (output.kind === 'toolStarted' ? [output.tool] : []))).toEqual([
    ...['Read', 'Write', 'Bash', 'backlog_set_status', 'backlog_set_results', 'finish_phase'],
  ]);
  expect(outputs).toContainEqual({
    kind: 'toolEnded',
    callId: 'toolu_2_0',
    isError: true,
    output: 'curl is refused: a session does not use the network by itself.',
    ran: false,
  });
  expect(outputs).toContainEqual({
    kind: 'usage',
    usage: { inputTokens: 60, outputTokens: 30, cacheReadTokens: 0, cacheWriteTokens: 0 },
  });
  expect(events).toContainEqual(
    expect.objectContaining({ type: 'gate.judged', gate: 'command', subject: 'Bash', outcome: 'reject' }),
  );
  const [request] = model.requests;
  const system =
    typeof request?.system === 'string' ? request.system : request?.system?.map(({ text }) => text).join('');
  expect(system).toContain('You carry out one phase, `work`');
  expect(system).toContain('add-farewell');
  // No event tells when a terminal closes.
  await expect.poll(() => core.api.request('terminals', {}), { timeout: 30_000 }).toEqual({ terminals: [] });

  // What was done in the terminal is analysed and committed as after any session.
  const analysed = await core.api.request('run_phase', { plan: world.plan, harness: 'claude-code' });
  expect(analysed).toMatchObject({ phase: 'analyse-work', end: 'finished', next: 'reflect' });
  expect(analysed.commits.map(({ title }) => title)).toContain('Add a farewell');
  expect(await world.git('show', '--format=', '--name-only', 'HEAD~1')).toBe('farewell.mjs\n');
  expect(await world.git('status', '--porcelain')).toBe('');
});
