import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { readClaudeTalks, talksFile, toolCallsIn } from '../../src/harness/claudeTalk.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';

const use = (id: string, name: string, input: object) => ({
  ...{ type: 'assistant', isSidechain: false, uuid: 'u', requestedModel: 'm' },
  message: { id: `msg_${id}`, content: [{ type: 'tool_use', id, name, input }] },
});
const result = (id: string, content: unknown, isError: boolean, more: object) => ({
  ...{ type: 'user', isSidechain: false, uuid: 'v' },
  message: { content: [{ type: 'tool_result', tool_use_id: id, content, is_error: isError }] },
  ...more,
});
const accepted = { permissionDecision: { decision: 'accept', source: 'hook', reasonType: 'hook' } };
const denied = { toolDenialKind: 'permission-rule', permissionDecision: { decision: 'reject', source: 'hook' } };

/** Lines as version 2.1.329 writes them, shortened. */
const talk = [
  { type: 'summary', text: 'a tool_use of something' },
  use('t1', 'Bash', { command: 'cat a' }),
  { type: 'api-request-blob', message: result('t1', 'x', false, {}).message },
  result('t1', 'alpha', false, { toolUseResult: { stdout: 'alpha', stderr: '' }, ...accepted }),
  use('t2', 'Bash', { command: 'git push' }),
  result('t2', 'No.', true, { toolUseResult: 'Error: No.', ...denied }),
  use('t3', 'Bash', { bad: 1 }),
  result('t3', '<tool_use_error>InputValidationError: x</tool_use_error>', true, { toolUseResult: 'x' }),
  use('t4', 'mcp__ravel__memory_add', {}),
];

function format(lines: readonly object[]): string {
  return `${lines.map((line) => JSON.stringify(line)).join('\n')}\nno JSON "tool_use"\n`;
}

test('the record of a talk tells of each tool call, and of those that did not run', () => {
  const ended = (callId: string, rest: object) => ({ kind: 'toolEnded', callId, ...rest });
  expect(toolCallsIn(format(talk))).toEqual([
    { kind: 'toolStarted', tool: 'Bash', callId: 't1', input: { command: 'cat a' } },
    ended('t1', { isError: false, output: 'alpha', exitCode: 0 }),
    { kind: 'toolStarted', tool: 'Bash', callId: 't2', input: { command: 'git push' } },
    ended('t2', { isError: true, output: 'No.', ran: false }),
    { kind: 'toolStarted', tool: 'Bash', callId: 't3', input: { bad: 1 } },
    ended('t3', { isError: true, output: '<tool_use_error>InputValidationError: x</tool_use_error>', ran: false }),
    { kind: 'toolStarted', tool: 'memory_add', callId: 't4', input: {} },
  ]);
});

describe('the records of a session', () => {
  async function read(files: readonly unknown[] | undefined): Promise<number | undefined> {
    const root = await makeTemporaryDirectory();
    await mkdir(join(root, 'session'));
    await writeFile(join(root, 'one.jsonl'), format(talk));
    await writeFile(join(root, 'two.jsonl'), format(talk.slice(1, 2)));
    const lines = files?.map((file) => `${JSON.stringify(typeof file === 'string' ? join(root, file) : file)}\n`);
    if (lines !== undefined) await writeFile(join(root, 'session', talksFile), lines.join(''));
    return (await readClaudeTalks(nodeDisk, join(root, 'session')))?.length;
  }

  test.each<[string, readonly unknown[] | undefined, number | undefined]>([
    ['are read one after the other, each once', ['one.jsonl', 'two.jsonl', 'one.jsonl'], 8],
    ['may begin with one in which nothing was said', ['none.jsonl', 'two.jsonl'], 1],
    ['are missing when none is there', ['none.jsonl'], undefined],
    ['are missing when no hook was called', undefined, undefined],
    ['are missing when they are not named', [3], undefined],
  ])('%s', async (_name, files, expected) => expect(await read(files)).toBe(expected));
});
