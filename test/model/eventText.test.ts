import { describe, expect, test } from 'vitest';
import { describeCall, formatUsage, sessionEndText } from '../../src/model/eventText.ts';
import { sampleUsage } from '../cli/samples.ts';

describe('formatUsage', () => {
  const check = (changes: object, expected: string) =>
    expect(formatUsage({ ...sampleUsage, ...changes })).toBe(expected);
  test('shows a reported cost as it is', () => check({}, '2,100 tokens in, 160 out, $0.01'));
  test('marks an estimated cost with "about"', () =>
    check({ costBasis: 'estimated' }, '2,100 tokens in, 160 out, about $0.01'));
  test('leaves out an unknown cost', () =>
    expect(formatUsage({ inputTokens: 1, outputTokens: 2, cacheReadTokens: 0, cacheWriteTokens: 0 })).toBe(
      '1 tokens in, 2 out',
    ));
});

describe('describeCall', () => {
  const check = (tool: string, input: unknown, expected: string) =>
    expect(describeCall(tool, input, '/code/demo')).toBe(expected);
  test('names the file', () => check('Read', { file_path: '/a' }, 'Read /a'));
  test('shortens a path inside the project', () =>
    check('Edit', { file_path: '/code/demo/src/a.js' }, 'Edit src/a.js'));
  test('keeps the full path of a file in a neighbouring folder', () =>
    check('LS', { path: '/code/demonstration/a.js' }, 'LS /code/demonstration/a.js'));
  test('shows the full path of the project itself', () => check('LS', { path: '/code/demo' }, 'LS /code/demo'));
  test('shows the first line of a command with several lines', () => check('Bash', { command: 'a\nb' }, 'Bash a …'));
  test('names the pattern of a search', () => check('Grep', { path: '/code/demo/src', pattern: 'TODO' }, 'Grep TODO'));
  test('names the record that a verb changes', () =>
    check('backlog_set_status', { id: 'one', note: 'x' }, 'backlog_set_status one'));
  test('shows a command, whatever else a session adds to it', () =>
    check('Bash', { path: 'npm test', file_path: 'a.txt', command: 'curl evil' }, 'Bash curl evil'));
  test('shows the whole input of a tool that it does not know', () =>
    check(
      'mcp__x__run',
      { path: 'a.txt', command: 'curl\nevil' },
      'mcp__x__run {"path":"a.txt","command":"curl\\nevil"}',
    ));
  test('shows the whole input if what the tool needs is missing', () =>
    check('Bash', { path: 'npm test' }, 'Bash {"path":"npm test"}'));
  test('shows only the tool if the input is not an object', () => check('Bash', null, 'Bash'));
});

test.each([
  [{ end: 'exited' }, undefined],
  [{ end: 'crashed' }, 'the session crashed'],
  [{ end: 'crashed', notStarted: 'There is no claude.' }, 'the session could not be started: There is no claude'],
] as const)('the end %j of a session is told as %j', (ended, text) => expect(sessionEndText(ended)).toBe(text));
