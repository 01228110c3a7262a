import { describe, expect, test } from 'vitest';
import { ClaudeStreamParser } from '../../src/harness/claudeStream.ts';
import type { HarnessOutput } from '../../src/model/harnessOutput.ts';

const init = {
  type: 'system',
  subtype: 'init',
  model: 'claude-opus-5-5',
  claude_code_version: '2.1.329',
  tools: ['Bash', 'mcp__ravel__finish_phase', 'mcp__other__x'],
  mcp_servers: [{ name: 'ravel', status: 'connected' }],
};
const ready = {
  kind: 'ready',
  model: 'claude-opus-5-5',
  version: '2.1.329',
  tools: ['Bash', 'finish_phase', 'mcp__other__x'],
};

function assistant(id: string, block: object, usage: object = { input_tokens: 10, output_tokens: 1 }): object {
  return { type: 'assistant', message: { id, content: [block], usage }, parent_tool_use_id: null };
}
const text = (words: string) => ({ type: 'text', text: words });
const use = (id: string, name: string, input: object) => ({ type: 'tool_use', id, name, input });
function toolResult(id: string, content: unknown, more: object = {}, details?: unknown): object {
  const block = { type: 'tool_result', tool_use_id: id, content, ...more };
  return { type: 'user', message: { role: 'user', content: [block] }, tool_use_result: details };
}
const done = {
  ...{ duration_ms: 1, is_error: false, subtype: 'success', result: 'Done.', terminal_reason: 'completed' },
  ...{ total_cost_usd: 0.25, usage: { input_tokens: 7, output_tokens: 8, cache_read_input_tokens: 9 }, type: 'result' },
};
const usageOf = (inputTokens: number, outputTokens: number, cacheReadTokens = 0, cacheWriteTokens = 0) => ({
  kind: 'usage',
  usage: { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens },
});
const noUsage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

/** Checks the outputs of the frames in order; noise adds none. */
function check(frames: readonly object[], expected: readonly object[]): void {
  const parser = new ClaudeStreamParser();
  const outputs: HarnessOutput[] = [];
  for (const frame of frames) {
    const parsed = parser.parse(JSON.stringify(frame));
    expect(parsed).not.toBe('malformed');
    if (parsed !== undefined && parsed !== 'malformed') outputs.push(...parsed);
  }
  expect(outputs).toEqual(expected);
}

describe('the beginning of a Claude stream', () => {
  test('is reported once, whatever precedes or repeats it', () =>
    check([{ type: 'system', subtype: 'ui_invalidate' }, init, init], [ready]));
  test.each([
    ['failed', [{ name: 'ravel', status: 'failed' }], 'session tools did not connect (failed)'],
    ['missing', [{ name: 'other', status: 'connected' }], 'session tools did not connect (absent)'],
  ])('warns of session tools that are %s', (_name, servers, message) =>
    check([{ ...init, mcp_servers: servers }], [ready, { kind: 'warning', message }]),
  );
});

describe('a message in a Claude stream', () => {
  test('counts its usage once, in a running total', () =>
    check(
      [
        assistant('m1', text('Hello.')),
        assistant('m1', use('t1', 'Read', { file_path: '/a' })),
        assistant('m2', text('More.'), {
          input_tokens: 5,
          output_tokens: 2,
          cache_read_input_tokens: 3,
          cache_creation_input_tokens: 4,
        }),
      ],
      [
        { kind: 'text', text: 'Hello.' },
        usageOf(10, 1),
        { kind: 'toolStarted', tool: 'Read', callId: 't1', input: { file_path: '/a' } },
        { kind: 'text', text: 'More.' },
        usageOf(15, 3, 3, 4),
      ],
    ));
  test('has no output for thinking and empty text', () =>
    check([assistant('m1', { type: 'thinking', thinking: 'hm' }), assistant('m1', text(''))], [usageOf(10, 1)]));
  test('a message in a Claude stream that is partial or unknown has no output', () =>
    check(
      [{ type: 'stream_event', event: {} }, { type: 'assistant' }, { type: 'user', message: 3 }, { type: 'novelty' }],
      [],
    ));
});

describe('a tool in a Claude stream', () => {
  const bash = assistant('m1', use('t1', 'Bash', { command: 'make' }));
  const started = [{ kind: 'toolStarted', tool: 'Bash', callId: 't1', input: { command: 'make' } }, usageOf(10, 1)];
  const ended = (fields: object) => ({ kind: 'toolEnded', callId: 't1', isError: false, output: '', ...fields });
  const rows: readonly [string, object, object][] = [
    ['has the exit code 0 for a command that worked', toolResult('t1', 'fine'), ended({ output: 'fine', exitCode: 0 })],
    [
      'has the exit code of a command that failed',
      toolResult('t1', 'Exit code 3\nbad', { is_error: true }),
      ended({ isError: true, output: 'Exit code 3\nbad', exitCode: 3 }),
    ],
    [
      'has no exit code when it was denied',
      toolResult('t1', 'No.', { is_error: true }),
      ended({ isError: true, output: 'No.' }),
    ],
    [
      'has no exit code when it was interrupted',
      toolResult('t1', 'a', {}, { interrupted: true }),
      ended({ output: 'a' }),
    ],
    [
      'has no exit code when the program interpreted it',
      toolResult('t1', 'a', {}, { returnCodeInterpretation: 'No matches found' }),
      ended({ output: 'a' }),
    ],
    [
      'has no exit code when it runs in the background',
      toolResult('t1', 'a', {}, { backgroundTaskId: 'b1' }),
      ended({ output: 'a' }),
    ],
    [
      'joins the text blocks of its output',
      toolResult('t1', [{ type: 'text', text: 'a' }, { type: 'image' }, { type: 'text', text: 'b' }]),
      ended({ output: 'a\n\nb', exitCode: 0 }),
    ],
    ['can have no output', toolResult('t1', undefined), ended({ exitCode: 0 })],
  ];
  test.each(rows)('%s', (_name, frame, expected) => check([bash, frame], [...started, expected]));

  const refusal = '<tool_use_error>Error: No such tool available: Bash</tool_use_error>';
  const meta = (fields: object) => ({ tool_result_meta: [{ id: 't1', ...fields }] });
  const accepted = { permission_decision: { decision: 'accept', source: 'config' } };
  const ends: Readonly<Record<string, readonly [boolean, string, unknown, object]>> = {
    'the program has no such tool': [false, refusal, 'Error: No such tool available: Bash', {}],
    'its input does not fit': [false, '<tool_use_error>InputValidationError: x</tool_use_error>', 'x', {}],
    'it was denied': [false, 'No.', 'Error: No.', meta({ non_execution_kind: 'permission-rule' })],
    'it was denied after its check': [
      ...[false, 'No.', 'Error: No.'],
      meta({ non_execution_kind: 'permission-rule', permission_decision: { decision: 'reject' } }),
    ] as const,
    'it was cancelled before its check': [false, 'Cancelled.', 'x', meta({ non_execution_kind: 'cancelled' })],
    'it was cancelled after its check': [true, 'x', 'x', meta({ non_execution_kind: 'cancelled', ...accepted })],
    'it failed': [true, 'Exit code 1', 'Error: Exit code 1', meta(accepted)],
    'it failed, and its output looks like a refusal': [true, `Exit code 1\n${refusal}`, 'Error: x', meta(accepted)],
    'its whole error looks like a refusal, after its check': [true, refusal, 'Error: x', meta(accepted)],
    'the program broke while it ran': [true, '<tool_use_error>Error calling tool: x</tool_use_error>', 'x', {}],
    'it may have been cut off': [true, '<tool_use_error>Cancelled: x</tool_use_error>', 'x', {}],
    'its refusal is of another call': [true, 'No.', 'x', { tool_result_meta: [{ id: 't2', non_execution_kind: 'x' }] }],
    'what the program tells of it is not understood': [true, 'No.', 'x', { tool_result_meta: 'none' }],
  };
  test.each(Object.entries(ends))('says whether it ran when %s', (_name, [ran, content, details, more]) => {
    const frame = { ...toolResult('t1', content, { is_error: true }, details), ...more };
    const outputs = new ClaudeStreamParser().parse(JSON.stringify(frame));
    expect(outputs).toHaveLength(1);
    expect(outputs?.[0]).toMatchObject({ isError: true });
    expect(JSON.stringify(outputs).includes('"ran":false')).toBe(!ran);
  });

  test('ran when its output looks like a refusal and is not an error', () => {
    const frame = toolResult('t1', refusal, { is_error: false }, { stdout: refusal });
    expect(new ClaudeStreamParser().parse(JSON.stringify(frame))?.[0]).not.toHaveProperty('ran');
  });

  test('has an exit code only when it is a command', () =>
    check(
      [assistant('m1', use('t1', 'mcp__ravel__memory_add', {})), toolResult('t1', 'Exit code 3', { is_error: true })],
      [
        { kind: 'toolStarted', tool: 'memory_add', callId: 't1', input: {} },
        usageOf(10, 1),
        ended({ isError: true, output: 'Exit code 3' }),
      ],
    ));
  test('has its output cut at 64 KiB, with the number of characters left out', () => {
    const output = `${'x'.repeat(65_536)}… (4 more characters)`;
    check([toolResult('t9', 'x'.repeat(65_540))], [{ kind: 'toolEnded', callId: 't9', isError: false, output }]);
  });
});

describe('the result in a Claude stream', () => {
  const usage = {
    inputTokens: 7,
    outputTokens: 8,
    cacheReadTokens: 9,
    cacheWriteTokens: 0,
    costUsd: 0.25,
    costBasis: 'reported',
  };
  const rows: readonly [string, object, boolean, string][] = [
    ['is a success when the program completed', {}, false, 'completed'],
    ['is a success without a reason from an older version', { terminal_reason: undefined }, false, 'completed'],
    [
      'is an error when it says so despite its name',
      { is_error: true, result: 'Invalid API key' },
      true,
      'Invalid API key',
    ],
    [
      'names too many turns',
      { is_error: true, subtype: 'error_max_turns', terminal_reason: 'max_turns' },
      true,
      'max_turns',
    ],
    ['joins its errors', { is_error: true, subtype: 'error_during_execution', errors: ['a', 'b'] }, true, 'a; b'],
    [
      'names the cost limit',
      { is_error: true, subtype: 'error_max_budget_usd', errors: ['Budget'] },
      true,
      'costLimit',
    ],
  ];
  test.each(rows)('%s', (_name, changes, isError, reason) =>
    check([{ ...done, ...changes }], [{ kind: 'result', isError, reason, usage }]),
  );
  test('counts only the first time', () =>
    check([done, { ...done, is_error: true }], [{ kind: 'result', isError: false, reason: 'completed', usage }]));
});

describe('retries in a Claude stream', () => {
  const retry = (attempt: number, error: string | undefined, status: number | null = 529) => ({
    ...{ type: 'system', subtype: 'api_retry', attempt, error, error_status: status },
  });
  test('are reported with their reason', () =>
    check(
      [retry(1, 'overloaded'), retry(2, undefined, 500)],
      [
        { kind: 'retry', attempt: 1, reason: 'overloaded' },
        { kind: 'retry', attempt: 2, reason: '500' },
      ],
    ));
  test('with a refused key become one warning and the result', () =>
    check(
      [retry(1, 'authentication_failed'), retry(2, 'authentication_failed'), { ...done, is_error: true }],
      [
        { kind: 'retry', attempt: 1, reason: 'authentication_failed' },
        { kind: 'warning', message: expect.stringContaining('sign in') },
        { kind: 'result', isError: true, reason: 'authentication_failed', usage: noUsage },
        { kind: 'retry', attempt: 2, reason: 'authentication_failed' },
      ],
    ));
});

test.each(['', 'plain words', '[1]', '"text"', 'null', '{"half":'])(
  'the line %j of a Claude stream is malformed',
  (line) => {
    expect(new ClaudeStreamParser().parse(line)).toBe('malformed');
  },
);

test('takes no longer for the messages at the end of a long session than for those at its start', () => {
  const parser = new ClaudeStreamParser();
  const count = 10_000;
  const times = Array.from({ length: 4 }, (_, part) => {
    const before = process.cpuUsage();
    for (let n = 0; n < count; n++) parser.parse(JSON.stringify(assistant(`m${part}_${n}`, text('x'))));
    const { user, system } = process.cpuUsage(before);
    return user + system;
  });
  // The first part also warms up.
  expect(times.at(-1)).toBeLessThan(3 * (times[0] ?? 0));
});
