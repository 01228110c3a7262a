import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import {
  claudeHookSettings,
  describeHook,
  formatLeave,
  leaveAsked,
  parseClaudeHook,
  usageInTalk,
} from '../../src/harness/claudeHooks.ts';

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
    'a start',
    'SessionStart',
    { source: 'startup', model: 'm' },
    [{ kind: 'ready', model: 'm', version: '', tools: ['finish_phase'] }],
  ],
  ['a start after a talk was cleared', 'SessionStart', { source: 'clear', model: 'm' }, []],
  ['our own opening', 'UserPromptSubmit', { prompt: ' Carry on.\n' }, []],
  ['what a person types', 'UserPromptSubmit', { prompt: 'a\nb' }, [{ kind: 'text', text: '> a\n> b' }]],
  ['a tool', 'PreToolUse', call, [{ kind: 'toolStarted', tool: 'Bash', callId: 'c1', input: { command: 'make' } }]],
  [
    'a session tool',
    'PreToolUse',
    { ...call, tool_name: 'mcp__ravel__finish_phase' },
    [{ kind: 'toolStarted', tool: 'finish_phase', callId: 'c1', input: { command: 'make' } }],
  ],
  [
    'a command that went well',
    'PostToolUse',
    { ...call, tool_response: { stdout: 'out', stderr: 'err', interrupted: false } },
    [{ kind: 'toolEnded', callId: 'c1', isError: false, output: 'out\nerr', exitCode: 0 }],
  ],
  [
    'a command that failed',
    'PostToolUseFailure',
    { ...call, error: 'Exit code 3\nno rule' },
    [{ kind: 'toolEnded', callId: 'c1', isError: true, output: 'Exit code 3\nno rule', exitCode: 3 }],
  ],
  [
    'a file that was read',
    'PostToolUse',
    { ...call, tool_name: 'Read', tool_response: { type: 'text', file: { content: 'x\n' } } },
    [{ kind: 'toolEnded', callId: 'c1', isError: false, output: 'x\n' }],
  ],
  [
    'what a session tool answers',
    'PostToolUse',
    { ...call, tool_name: 'mcp__ravel__x', tool_response: [{ type: 'text', text: 'yes' }] },
    [{ kind: 'toolEnded', callId: 'c1', isError: false, output: 'yes' }],
  ],
  [
    'the end of a turn',
    'Stop',
    { last_assistant_message: 'Done.' },
    [
      { kind: 'text', text: 'Done.' },
      { kind: 'usage', usage },
    ],
  ],
  ['the end', 'SessionEnd', { reason: 'other' }, [{ kind: 'result', isError: false, reason: 'completed', usage }]],
  ['a talk that is cleared', 'SessionEnd', { reason: 'clear' }, []],
])('%s is told in the common vocabulary', (_, event, fields, expected) => {
  expect(describeHook(stepOf(event, fields), { ...facts, usage })).toEqual(expected);
});

test('a denial ends the call, with its reason', () => {
  const outputs = describeHook(stepOf('PreToolUse', call), { ...facts, leave: { decision: 'deny', reason: 'no' } });
  expect(outputs.at(-1)).toEqual({ kind: 'toolEnded', callId: 'c1', isError: true, output: 'no' });
});

test('what is too long is cut, and says so', () => {
  const response = { stdout: 'x'.repeat(70_000) };
  const [ended] = describeHook(stepOf('PostToolUse', { ...call, tool_response: response }), facts);
  expect(ended).toMatchObject({ output: expect.stringMatching(/^x{65536}… \(4464 more characters\)$/) });
});

test.each(['', 'garbage', '{}', '{"hook_event_name":"Other"}'])('%j is no step of ours', (text) => {
  expect(parseClaudeHook(text)).toBeUndefined();
});

describe('leave', () => {
  test('is asked for the tools of the program, and not for ours', () => {
    expect(leaveAsked(stepOf('PreToolUse', call))).toEqual({
      tool_name: 'Bash',
      input: { command: 'make' },
      tool_use_id: 'c1',
    });
    expect(leaveAsked(stepOf('PreToolUse', { ...call, tool_name: 'mcp__ravel__x' }))).toBeUndefined();
    expect(leaveAsked(stepOf('Stop', {}))).toBeUndefined();
  });

  test('is given in the words of the program', () => {
    expect(JSON.parse(formatLeave({ decision: 'ask', reason: 'why' }))).toEqual({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'ask',
        permissionDecisionReason: 'why',
      },
    });
  });
});

test('each message of a talk counts once, with what it said last', () => {
  const message = (id: string, tokens: number) =>
    JSON.stringify({ type: 'assistant', message: { id, usage: { input_tokens: tokens, output_tokens: 1 } } });
  const talk = [message('a', 1), '{"type":"user"}', 'garbage "usage"', message('a', 2), message('b', 5), ''].join('\n');
  expect(usageInTalk(talk)).toEqual({ inputTokens: 7, outputTokens: 2, cacheReadTokens: 0, cacheWriteTokens: 0 });
  expect(usageInTalk('')).toBeUndefined();
});

test('the hooks call our program whatever is in its path', () => {
  const entry = { program: '/bin/echo', args: ["it's $HOME;"], environment: { ELECTRON_RUN_AS_NODE: '1' } };
  const { hooks } = JSON.parse(claudeHookSettings(entry));
  const { command } = hooks.PreToolUse[0].hooks[0];
  expect(execFileSync('/bin/sh', ['-c', command], { encoding: 'utf8' })).toBe("it's $HOME; hook\n");
});
