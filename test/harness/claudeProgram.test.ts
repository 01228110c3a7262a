import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import type { SessionOutcome, SessionSpec } from '../../src/harness/adapter.ts';
import { createClaudeCodeAdapter } from '../../src/harness/claudeCode.ts';
import { parseScenario } from '../../src/harness/scenario.ts';
import type { HarnessOutput } from '../../src/model/harnessOutput.ts';
import type { ReasoningPhase } from '../../src/model/phase.ts';
import { claudeCodeEnvironment, claudeCodeSettings } from '../support/claudeCode.ts';
import { type ModelFault, type ModelServer, startModelServer } from '../support/modelServer.ts';
import { bundleProgram } from '../support/program.ts';
import { collect, createSessionWorld, membersOf, type SessionWorld } from '../support/sessions.ts';

let toolServer: string;

beforeAll(async () => {
  toolServer = await bundleProgram(fileURLToPath(new URL('../fixtures/harness/toolServer.ts', import.meta.url)));
});

interface Played {
  readonly world: SessionWorld;
  readonly model: ModelServer;
  readonly outputs: HarnessOutput[];
  readonly outcome: SessionOutcome;
  readonly calls: { tool: string; input: Record<string, unknown>; token: string }[];
}

interface PlayOptions {
  readonly phase?: ReasoningPhase;
  readonly faults?: readonly ModelFault[];
  readonly limits?: Partial<SessionSpec['limits']>;
  readonly mcpServer?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Runs the real program with a model on loopback that plays the steps. */
async function play(steps: string, options: PlayOptions = {}): Promise<Played> {
  const { phase = 'work', faults = [], limits = {}, mcpServer = toolServer } = options;
  const source = `version: 1\nphases:\n  ${phase}:\n${steps.replace(/^/gm, '    ')}\n`;
  const { scenario, diagnostics } = parseScenario(source, 'test.yaml');
  if (scenario === undefined) throw new Error(JSON.stringify(diagnostics));
  const environment: Record<string, string> = { ...options.environment };
  const world = await createSessionWorld({ environment, settings: claudeCodeSettings(), mcpServer });
  await writeFile(join(world.project, 'a.ts'), 'one\ntwo\n');
  await writeFile(join(world.directory, 'system.md'), `You are at work in a test. phase: ${phase}\n`);
  const model = await startModelServer({ scenario, projectDirectory: world.project, task: 'mend-it', faults });
  onTestFinished(() => model.close());
  Object.assign(environment, claudeCodeEnvironment(world.root, model.url));
  const session = await world.start(createClaudeCodeAdapter(nodeDisk), {
    purpose: phase,
    limits: { ...world.spec.limits, ...limits },
  });
  const outputs = await collect(session.outputs);
  const outcome = await session.ended;
  const text = await readFile(join(world.directory, 'calls'), 'utf8').catch(() => '');
  const calls = text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  expect(await membersOf(world)).toEqual([]);
  return { world, model, outputs, outcome, calls };
}

const finish = '- finish: { outcome: done, summary: It works. }\n- say: Done.';

test('a work session of Claude Code edits a file, runs commands, uses the session tools and finishes', async () => {
  const steps = [
    '- say: I begin.',
    '- read: { path: a.ts }',
    '- edit: { path: a.ts, replace: one, with: ONE }',
    '- edit: { path: new/b.ts, content: "b\\n" }',
    '- run: { command: "cat a.ts > c; exit 3" }',
    '- run: { command: "touch d" }',
    '- read: { path: c }',
    '- call: backlog_set_status\n  with: { id: "${task}", status: done }',
    '- call: memory_add\n  with: { refuse: true }\n  expect: refused',
    finish,
  ];
  const { world, model, outputs, outcome, calls } = await play(steps.join('\n'));
  expect(outcome).toMatchObject({ end: 'exited', exitCode: 0, succeeded: true, stderrTail: '', malformedLines: 0 });
  expect(model.mismatches).toEqual([]);
  const file = (name: string) => join(world.project, name);
  expect(outputs.filter((output) => output.kind !== 'usage')).toMatchObject([
    { kind: 'ready', tools: expect.arrayContaining(['Bash', 'Edit', 'Read', 'Write', 'finish_phase']) },
    { kind: 'text', text: 'I begin.' },
    { kind: 'toolStarted', tool: 'Read', input: { file_path: file('a.ts') } },
    { kind: 'toolEnded', isError: false },
    { kind: 'toolStarted', tool: 'Edit', input: { file_path: file('a.ts'), old_string: 'one', new_string: 'ONE' } },
    { kind: 'toolEnded', isError: false },
    { kind: 'toolStarted', tool: 'Write', input: { file_path: file('new/b.ts'), content: 'b\n' } },
    { kind: 'toolEnded', isError: false },
    { kind: 'toolStarted', tool: 'Bash', input: { command: 'cat a.ts > c; exit 3' } },
    { kind: 'toolEnded', isError: true, exitCode: 3 },
    { kind: 'toolStarted', tool: 'Bash' },
    { kind: 'toolEnded', isError: false, exitCode: 0 },
    { kind: 'toolStarted', tool: 'Read', input: { file_path: file('c') } },
    { kind: 'toolEnded', isError: false, output: expect.stringContaining('ONE') },
    { kind: 'toolStarted', tool: 'backlog_set_status', input: { id: 'mend-it', status: 'done' } },
    { kind: 'toolEnded', isError: false, output: 'backlog_set_status is done' },
    { kind: 'toolStarted', tool: 'memory_add' },
    { kind: 'toolEnded', isError: true, output: 'refused on purpose' },
    { kind: 'toolStarted', tool: 'finish_phase', input: { outcome: 'done', summary: 'It works.' } },
    { kind: 'toolEnded', isError: false },
    { kind: 'text', text: 'Done.' },
    { kind: 'result', isError: false, reason: 'completed', usage: { costBasis: 'reported' } },
  ]);
  expect(outcome.usage?.costUsd).toBeGreaterThan(0);
  // Every call is asked about, also those that only read; the token came by the environment only.
  expect(calls.map((call) => [call.tool, call.input['tool_name'] ?? ''].join(' '))).toEqual([
    ...['permit Read', 'permit Edit', 'permit Write', 'permit Bash', 'permit Bash', 'permit Read'],
    ...['permit mcp__ravel__backlog_set_status', 'backlog_set_status '],
    ...['permit mcp__ravel__memory_add', 'memory_add '],
    ...['permit mcp__ravel__finish_phase', 'finish_phase '],
  ]);
  expect(new Set(calls.map(({ token }) => token))).toEqual(new Set([world.spec.token]));
  expect(await readFile(file('a.ts'), 'utf8')).toBe('ONE\ntwo\n');
});

test('a denied tool call is not carried out, and the session continues', async () => {
  const { world, outputs, outcome } = await play(
    `- edit: { path: forbidden.ts, content: x }\n- run: { command: "touch forbidden" }\n${finish}`,
  );
  const ended = outputs.filter((output) => output.kind === 'toolEnded');
  expect(ended).toMatchObject([
    { isError: true, output: expect.stringContaining('This is forbidden here.') },
    { isError: true, output: expect.stringContaining('This is forbidden here.') },
    { isError: false },
  ]);
  expect(ended[1]).not.toHaveProperty('exitCode');
  expect(outcome.succeeded).toBe(true);
  await expect(readFile(join(world.project, 'forbidden.ts'))).rejects.toThrow('ENOENT');
  await expect(readFile(join(world.project, 'forbidden'))).rejects.toThrow('ENOENT');
});

describe('the tools of a Claude Code session', () => {
  const offered = (played: Played) => (played.model.requests[0]?.tools ?? []).map((tool) => tool.name).sort();
  const sessionTools = ['mcp__ravel__backlog_set_status', 'mcp__ravel__finish_phase', 'mcp__ravel__memory_add'];

  test.each(['reflect', 'dream', 'triage'] as const)('are only the session tools in %s', async (phase) => {
    const played = await play(`- edit: { path: a.ts, content: x }\n${finish}`, { phase });
    expect(offered(played)).toEqual(sessionTools);
    expect(await readFile(join(played.world.project, 'a.ts'), 'utf8')).toBe('one\ntwo\n');
    expect(played.outcome.succeeded).toBe(true);
  });

  test('can read but not write in analyse-work', async () => {
    const steps = `- read: { path: a.ts }\n- edit: { path: a.ts, content: x }\n- run: { command: "touch d" }\n${finish}`;
    const played = await play(steps, { phase: 'analyse-work' });
    expect(offered(played)).toEqual(['Glob', 'Grep', 'Read', ...sessionTools]);
    const ended = played.outputs.flatMap((output) => (output.kind === 'toolEnded' ? [output.isError] : []));
    expect(ended).toEqual([false, true, true, false]);
  });

  test('are six of its own and the session tools in work, without the permission tool', async () => {
    expect(offered(await play(finish))).toEqual(['Bash', 'Edit', 'Glob', 'Grep', 'Read', 'Write', ...sessionTools]);
  });
});

describe('a Claude Code session whose model', () => {
  test('is slow waits for it', async () => {
    const { outcome } = await play(finish, { faults: [{ kind: 'slow', delayMs: 1500 }] });
    expect(outcome).toMatchObject({ end: 'exited', succeeded: true });
    expect(outcome.durationMs).toBeGreaterThan(1500);
  });

  test.each([
    ['is overloaded once', { kind: 'status', status: 429, type: 'rate_limit_error' }],
    ['fails once', { kind: 'status', status: 500, type: 'api_error' }],
  ] as const)('%s tries again and reports the retry', async (_name, fault) => {
    const { outputs, outcome } = await play(finish, { faults: [fault] });
    expect(outputs).toContainEqual(expect.objectContaining({ kind: 'retry', attempt: 1 }));
    expect(outcome).toMatchObject({ end: 'exited', succeeded: true });
  });

  test('stops in the middle of a message recovers', async () => {
    const { model, outcome } = await play(finish, { faults: [{ kind: 'cut' }] });
    expect(outcome).toMatchObject({ end: 'exited', succeeded: true });
    expect(model.requests.length).toBeGreaterThan(2);
  });

  test('refuses the key ends early and says why', async () => {
    const faults = Array(20).fill({ kind: 'status', status: 401, type: 'authentication_error' });
    const { outputs, outcome } = await play(finish, { faults });
    expect(outputs).toContainEqual(
      expect.objectContaining({ kind: 'warning', message: expect.stringContaining('signed in') }),
    );
    const results = outputs.filter((output) => output.kind === 'warning' || output.kind === 'result');
    expect(results).toHaveLength(2);
    expect(results[1]).toMatchObject({ kind: 'result', isError: true, reason: 'authentication_failed' });
    expect(outcome.succeeded).toBe(false);
    expect(outcome.durationMs).toBeLessThan(15_000);
  });

  test('never answers is ended by the time limit', async () => {
    const { outcome } = await play(finish, { faults: [{ kind: 'silence' }], limits: { timeMs: 2500 } });
    expect(outcome).toMatchObject({ end: 'timeLimit', succeeded: false });
  });

  test('is too expensive is ended by the cost limit', async () => {
    const steps = `- usage: { input-tokens: 900000, output-tokens: 90000 }\n- call: memory_add\n${finish}`;
    const { outcome } = await play(steps, { limits: { costUsd: 0.5 } });
    expect(outcome).toMatchObject({ end: 'costLimit', succeeded: false });
    expect(outcome.usage?.costUsd).toBeGreaterThan(0.5);
  });

  test('never stops talking is ended by the byte limit', async () => {
    const { outcome } = await play('- flood: { megabytes: 5, to: stdout }', { limits: { outputBytes: 1_000_000 } });
    expect(outcome).toMatchObject({ end: 'byteLimit' });
  });
});

test('session tools that do not connect are reported', async () => {
  const { outputs } = await play('- say: Alone.', { mcpServer: '/nowhere/server.mjs' });
  expect(outputs[1]).toEqual({ kind: 'warning', message: 'session tools did not connect (failed)' });
});
