import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import type { SessionOutcome, SessionSpec } from '../../src/harness/adapter.ts';
import { createScriptedAdapter } from '../../src/harness/scripted.ts';
import type { HarnessOutput } from '../../src/model/harnessOutput.ts';
import { isConsultation, type SessionPurpose, sessionPurposes } from '../../src/model/sessionPurpose.ts';
import { bundleProgram } from '../support/program.ts';
import { collect, createSessionWorld, type SessionWorld } from '../support/sessions.ts';

let entry: string;
let toolServer: string;

beforeAll(async () => {
  const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/harness/${name}`, import.meta.url));
  [entry, toolServer] = await Promise.all([
    bundleProgram(fixture('scriptedEntry.ts')),
    bundleProgram(fixture('toolServer.ts')),
  ]);
});

interface Played {
  readonly world: SessionWorld;
  readonly outputs: HarnessOutput[];
  readonly outcome: SessionOutcome;
  /** The calls that reached the session tools. */
  readonly calls: { tool: string; input: Record<string, unknown>; token: string }[];
}

/** Plays the steps (YAML list items) as a session of their phase. */
async function play(steps: string, changes: Partial<SessionSpec> = {}): Promise<Played> {
  const world = await createSessionWorld({ mcpServer: toolServer });
  const { purpose } = { ...world.spec, ...changes };
  const scenario = join(world.root, 'scenario.yaml');
  await writeFile(scenario, `version: 1\nmodel: scenario\n${listOf(purpose, steps)}\n`);
  const adapter = createScriptedAdapter({ program: process.execPath, args: [entry] });
  const session = await world.start(adapter, { scenario, task: 'mend-it', ...changes });
  const outputs = await collect(session.outputs);
  const text = await readFile(join(world.directory, 'calls'), 'utf8').catch(() => '');
  const calls = text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  return { world, outputs, outcome: await session.ended, calls };
}

function listOf(purpose: SessionPurpose, steps: string): string {
  if (!isConsultation(purpose)) return `phases:\n  ${purpose}:\n${steps.replace(/^/gm, '    ')}`;
  return `consultations:\n  ${purpose}:\n    - steps:\n${steps.replace(/^/gm, '        ')}`;
}

/** Outputs between `ready` and `result`. */
async function check(steps: string, expected: readonly object[], changes: Partial<SessionSpec> = {}): Promise<Played> {
  const played = await play(steps, changes);
  expect(played.outputs.slice(1, -1)).toMatchObject(expected);
  expect(played.outcome).toMatchObject({ end: 'exited', exitCode: 0, succeeded: true });
  return played;
}

test('a scripted session announces itself, plays its steps and reports a result', async () => {
  const { outputs, calls } = await play(
    '- say: I begin.\n- call: backlog_set_status\n  with: { id: "${task}", status: done }\n- usage: { input-tokens: 100, cost-usd: 0.5 }\n- usage: { output-tokens: 7, cost-usd: 0.25 }\n- finish: { outcome: done, summary: It works. }',
  );
  const usage = {
    inputTokens: 100,
    outputTokens: 7,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    costUsd: 0.75,
    costBasis: 'scripted',
  };
  expect(outputs).toMatchObject([
    { kind: 'ready', model: 'scenario', tools: ['backlog_set_status', 'memory_add', 'finish_phase', 'permit'] },
    { kind: 'text', text: 'I begin.' },
    { kind: 'toolStarted', tool: 'backlog_set_status', callId: 'call-1', input: { id: 'mend-it', status: 'done' } },
    { kind: 'toolEnded', callId: 'call-1', isError: false, output: 'backlog_set_status is done' },
    { kind: 'usage', usage: { inputTokens: 100, costUsd: 0.5 } },
    { kind: 'usage', usage },
    { kind: 'toolStarted', tool: 'finish_phase', input: { outcome: 'done', summary: 'It works.' } },
    { kind: 'toolEnded', isError: false },
    { kind: 'result', isError: false, reason: 'completed', usage },
  ]);
  expect(calls).toEqual([
    { tool: 'backlog_set_status', input: { id: 'mend-it', status: 'done' }, token: 'token-of-the-test' },
    { tool: 'finish_phase', input: { outcome: 'done', summary: 'It works.' }, token: 'token-of-the-test' },
  ]);
});

describe('a scripted edit', () => {
  test('writes a file in a new folder', async () => {
    const { world, calls } = await check('- edit: { path: src/new/a.ts, content: "one\\n" }', [
      { kind: 'toolStarted', tool: 'Write', input: { content: 'one\n' } },
      { kind: 'toolEnded', isError: false },
    ]);
    const path = join(world.project, 'src/new/a.ts');
    expect(await readFile(path, 'utf8')).toBe('one\n');
    const input = { file_path: path, content: 'one\n' };
    expect(calls).toMatchObject([{ tool: 'permit', input: { tool_name: 'Write', input, tool_use_id: 'call-1' } }]);
  });

  test('replaces a text that occurs once', async () => {
    const steps = [
      '- edit: { path: a, content: "one two two" }',
      '- edit: { path: a, replace: one, with: $& }',
      '- edit: { path: a, replace: two, with: three }',
      '- edit: { path: a, replace: four, with: five }',
    ];
    const ended = { kind: 'toolEnded', isError: false };
    const { world } = await check(steps.join('\n'), [
      ...[{ tool: 'Write' }, ended],
      ...[{ tool: 'Edit', input: { old_string: 'one', new_string: '$&' } }, ended],
      ...[{ tool: 'Edit' }, { isError: true, output: expect.stringContaining('occurs 2 times') }],
      ...[{ tool: 'Edit' }, { isError: true, output: expect.stringContaining('occurs 0 times') }],
    ]);
    expect(await readFile(join(world.project, 'a'), 'utf8')).toBe('$& two two');
  });

  test('a scripted edit that is denied is an error, and the scenario continues', async () => {
    const { world } = await check('- edit: { path: forbidden.ts, content: x }\n- say: Oh well.', [
      { tool: 'Write' },
      { isError: true, output: 'This is forbidden here.' },
      { text: 'Oh well.' },
    ]);
    await expect(readFile(join(world.project, 'forbidden.ts'))).rejects.toThrow('ENOENT');
  });

  test.each(sessionPurposes)('that is denied is not carried out in a %s session, nor is a command', async (purpose) => {
    const steps = '- edit: { path: forbidden.ts, content: x }\n- run: { command: "echo forbidden > b" }';
    const denied = { isError: true, output: 'This is forbidden here.', ran: false };
    const { world, calls } = await check(steps, [{ tool: 'Write' }, denied, { tool: 'Bash' }, denied], { purpose });
    expect(calls.map(({ tool }) => tool)).toEqual(['permit', 'permit']);
    expect(await readdir(world.project)).toEqual([]);
  });
});

describe('a scripted command', () => {
  test('runs in the folder of the session and reports its exit code', async () => {
    const { calls } = await check('- run: { command: "pwd; echo two >&2" }\n- run: { command: "echo bad; exit 3" }', [
      { kind: 'toolStarted', tool: 'Bash', input: { command: 'pwd; echo two >&2' } },
      { kind: 'toolEnded', isError: false, exitCode: 0, output: expect.stringMatching(/\/project\n.*two/s) },
      { kind: 'toolStarted', tool: 'Bash' },
      { kind: 'toolEnded', isError: true, exitCode: 3, output: 'Exit code 3\nbad' },
    ]);
    expect(calls.map((call) => call.tool)).toEqual(['permit', 'permit']);
  });

  test('a scripted command that is denied does not run', async () => {
    const { world, outputs } = await play('- run: { command: "touch forbidden" }');
    expect(outputs[2]).toEqual({
      kind: 'toolEnded',
      callId: 'call-1',
      isError: true,
      output: 'This is forbidden here.',
      ran: false,
    });
    await expect(readFile(join(world.project, 'forbidden'))).rejects.toThrow('ENOENT');
  });
});

test('a scripted read asks for permission, inside the project and outside', async () => {
  const steps =
    '- edit: { path: a, content: inside }\n- read: { path: a }\n- read: { path: /etc/hostname }\n- read: { path: b }';
  const { calls } = await check(steps, [
    ...[{ tool: 'Write' }, {}],
    ...[{ tool: 'Read' }, { isError: false, output: 'inside' }],
    ...[{ tool: 'Read', input: { file_path: '/etc/hostname' } }, {}],
    ...[{ tool: 'Read' }, { isError: true, output: expect.stringContaining('ENOENT') }],
  ]);
  expect(calls.map((call) => call.input['tool_name'])).toEqual(['Write', 'Read', 'Read', 'Read']);
});

describe('a scripted call fails the session', () => {
  test.each([
    [
      'when it is refused unexpectedly',
      '- call: memory_add\n  with: { refuse: true }',
      'expected to be ok and was refused: refused on purpose',
    ],
    ['when it is accepted unexpectedly', '- call: memory_add\n  expect: refused', 'expected to be refused and was ok'],
    [
      'when finish_phase is accepted unexpectedly',
      '- finish: { outcome: done, summary: Lies. }\n  expect: refused',
      'the call of finish_phase was',
    ],
  ])('%s', async (_name, steps, message) => {
    const { outputs, outcome } = await play(`${steps}\n- say: never`);
    expect(outputs.at(-1)).toMatchObject({ kind: 'result', isError: true, reason: expect.stringContaining(message) });
    expect(outcome).toMatchObject({ end: 'exited', exitCode: 1, succeeded: false });
    expect(outcome.stderrTail).toContain(message);
  });

  test('unless it was expected to be refused', () =>
    check('- call: memory_add\n  with: { refuse: true }\n  expect: refused', [
      {},
      { isError: true, output: 'refused on purpose' },
    ]));
});

describe('a scripted session ends', () => {
  test.each([
    ['with the exit code of its exit step', '- exit: 3', {}, { end: 'exited', exitCode: 3, succeeded: false }],
    ['by the signal of its crash step', '- crash: SIGSEGV', {}, { end: 'crashed', signal: 'SIGSEGV' }],
    ['at the time limit in its hang step', '- hang: true', { timeMs: 1500 }, { end: 'timeLimit' }],
    ['at the time limit in a long wait step', '- wait: 30s', { timeMs: 1500 }, { end: 'timeLimit' }],
    [
      'at the byte limit when it floods stdout',
      '- flood: { megabytes: 50, to: stdout }',
      { outputBytes: 3_000_000 },
      { end: 'byteLimit' },
    ],
    [
      'at the byte limit when it floods stderr',
      '- flood: { megabytes: 50, to: stderr }',
      { outputBytes: 3_000_000 },
      { end: 'byteLimit' },
    ],
    ['at the cost limit', '- usage: { cost-usd: 11 }\n- hang: true', {}, { end: 'costLimit', usage: { costUsd: 11 } }],
  ])('%s', async (_name, steps, limits, expected) => {
    const world = await createSessionWorld();
    const { outcome } = await play(steps, { limits: { ...world.spec.limits, ...limits } });
    expect(outcome).toMatchObject(expected);
  });
});

test('a scripted session without session tools warns and fails at its first call', async () => {
  const { outputs, outcome } = await play('- call: memory_add', { mcpCommand: { program: 'false', args: [] } });
  expect(outputs).toMatchObject([
    { kind: 'ready', tools: [] },
    { kind: 'warning', message: expect.stringContaining('session tools did not connect') },
    { kind: 'toolStarted' },
    { kind: 'toolEnded', isError: true },
    { kind: 'result', isError: true },
  ]);
  expect(outcome).toMatchObject({ exitCode: 1, succeeded: false });
});

describe('a scripted session does not get ready', () => {
  test('when the scenario has no steps for its phase', async () => {
    const world = await createSessionWorld();
    const scenario = join(world.root, 'other.yaml');
    await writeFile(scenario, 'version: 1\nphases: { triage: [] }\n');
    const { outcome } = await play('[]', { scenario });
    expect(outcome).toMatchObject({ end: 'crashed', exitCode: 1 });
    expect(outcome.stderrTail).toContain('no steps for work');
  });

  test('without a scenario', async () => {
    const world = await createSessionWorld();
    const adapter = createScriptedAdapter({ program: process.execPath, args: [entry] });
    await expect(world.start(adapter)).rejects.toMatchObject({ code: 'harness/noScenario' });
  });
});
