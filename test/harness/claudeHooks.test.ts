import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { describeHook, formatLeave, leaveAsked, parseClaudeHook } from '../../src/harness/claudeHooks.ts';
import { formatClaudeSettings } from '../../src/harness/claudeSettings.ts';
import { specOf } from '../support/sessions.ts';

const terminal = {
  ...{ title: 'Work', opening: 'Carry on.', size: { columns: 80, rows: 24 } },
  ...{ socketPath: '/socket', recordFile: '/record' },
};
const facts = { tools: ['finish_phase'], opening: 'Carry on.' };
const usage = { inputTokens: 3, outputTokens: 4, cacheReadTokens: 0, cacheWriteTokens: 0 };
const call = { tool_use_id: 'c1', tool_name: 'Bash', tool_input: { command: 'make' } };

function stepOf(event: string, fields: object) {
  const parsed = parseClaudeHook(JSON.stringify({ hook_event_name: event, transcript_path: '/talk', ...fields }));
  if (parsed === undefined) throw new Error('not understood');
  return parsed.hook;
}

test.each<[string, string, object, object[]]>([
  [
    'a start as ready',
    'SessionStart',
    { source: 'startup', model: 'm' },
    [{ kind: 'ready', model: 'm', version: '', tools: ['finish_phase'] }],
  ],
  ['no ready after a cleared conversation', 'SessionStart', { source: 'clear', model: 'm' }, []],
  ['nothing for our own opening prompt', 'UserPromptSubmit', { prompt: ' Carry on.\n' }, []],
  ['a person’s prompt as quoted text', 'UserPromptSubmit', { prompt: 'a\nb' }, [{ kind: 'text', text: '> a\n> b' }]],
  [
    'the start of a tool',
    'PreToolUse',
    call,
    [{ kind: 'toolStarted', tool: 'Bash', callId: 'c1', input: { command: 'make' } }],
  ],
  [
    'the start of a session tool by its plain name',
    'PreToolUse',
    { ...call, tool_name: 'mcp__ravel__finish_phase' },
    [{ kind: 'toolStarted', tool: 'finish_phase', callId: 'c1', input: { command: 'make' } }],
  ],
  [
    'the end of a command with its exit code',
    'PostToolUse',
    { ...call, tool_response: { stdout: 'out', stderr: 'err', interrupted: false } },
    [{ kind: 'toolEnded', callId: 'c1', isError: false, output: 'out\nerr', exitCode: 0 }],
  ],
  [
    'the end of a failed command with its exit code',
    'PostToolUseFailure',
    { ...call, error: 'Exit code 3\nno rule' },
    [{ kind: 'toolEnded', callId: 'c1', isError: true, output: 'Exit code 3\nno rule', exitCode: 3 }],
  ],
  [
    'the end of a read with the text of the file',
    'PostToolUse',
    { ...call, tool_name: 'Read', tool_response: { type: 'text', file: { content: 'x\n' } } },
    [{ kind: 'toolEnded', callId: 'c1', isError: false, output: 'x\n' }],
  ],
  [
    'the end of a session tool with its answer',
    'PostToolUse',
    { ...call, tool_name: 'mcp__ravel__x', tool_response: [{ type: 'text', text: 'yes' }] },
    [{ kind: 'toolEnded', callId: 'c1', isError: false, output: 'yes' }],
  ],
  [
    'the end of a turn with its last text and its usage',
    'Stop',
    { last_assistant_message: 'Done.' },
    [
      { kind: 'text', text: 'Done.' },
      { kind: 'usage', usage },
    ],
  ],
  [
    'the end of the session as its result',
    'SessionEnd',
    { reason: 'other' },
    [{ kind: 'result', isError: false, reason: 'completed', usage }],
  ],
  ['nothing when the conversation is cleared', 'SessionEnd', { reason: 'clear' }, []],
])('a hook reports %s', (_, event, fields, expected) => {
  expect(describeHook(stepOf(event, fields), { ...facts, usage })).toEqual(expected);
});

test('a denied tool call ends with the reason', () => {
  const outputs = describeHook(stepOf('PreToolUse', call), { ...facts, leave: { decision: 'deny', reason: 'no' } });
  expect(outputs.at(-1)).toEqual({ kind: 'toolEnded', callId: 'c1', isError: true, output: 'no', ran: false });
});

test('a tool output above 64 KiB is cut and says by how much', () => {
  const response = { stdout: 'x'.repeat(70_000) };
  const [ended] = describeHook(stepOf('PostToolUse', { ...call, tool_response: response }), facts);
  expect(ended).toMatchObject({ output: expect.stringMatching(/^x{65536}… \(4464 more characters\)$/) });
});

test.each(['', 'garbage', '{}', '{"hook_event_name":"Other"}'])('%j is not one of our hooks', (text) => {
  expect(parseClaudeHook(text)).toBeUndefined();
});

describe('permission by hook', () => {
  test('is asked for the program’s tools and not for session tools', () => {
    expect(leaveAsked(stepOf('PreToolUse', call))).toEqual({
      tool_name: 'Bash',
      input: { command: 'make' },
      tool_use_id: 'c1',
    });
    expect(leaveAsked(stepOf('PreToolUse', { ...call, cwd: '/project/sub' }))).toMatchObject({ cwd: '/project/sub' });
    expect(leaveAsked(stepOf('PreToolUse', { ...call, tool_name: 'mcp__ravel__x' }))).toBeUndefined();
    expect(leaveAsked(stepOf('Stop', {}))).toBeUndefined();
  });

  test('is given in the format of the program', () => {
    expect(JSON.parse(formatLeave({ decision: 'ask', reason: 'why' }))).toEqual({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'ask',
        permissionDecisionReason: 'why',
      },
    });
  });
});

test('the hook command is quoted for the shell', () => {
  const entry = { program: '/bin/echo', args: ["it's $HOME;"], environment: { ELECTRON_RUN_AS_NODE: '1' } };
  const { hooks } = JSON.parse(
    formatClaudeSettings({ ...specOf('/base', '/mcp.mjs'), terminal: { ...terminal, entry } }),
  );
  const { command } = hooks.PreToolUse[0].hooks[0];
  expect(execFileSync('/bin/sh', ['-c', command], { encoding: 'utf8' })).toBe("it's $HOME; hook\n");
});
