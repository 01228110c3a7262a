import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ensureDirectory } from '../../src/base/files.ts';
import {
  ClaudeTranscripts,
  claudeTranscriptId,
  claudeTranscriptPath,
  claudeTranscriptsFile,
} from '../../src/harness/claudeTranscripts.ts';
import type { Ulid } from '../../src/model/id.ts';
import { MemoryDisk } from '../support/memoryDisk.ts';
import { collect } from '../support/sessions.ts';

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

/** What is read of these talks, in a session's folder whose list names them so. */
async function read(talks: Readonly<Record<string, string>>, names: readonly unknown[] | undefined) {
  const disk = new MemoryDisk();
  for (const [name, text] of Object.entries(talks)) await put(disk, `/${name}`, text);
  await disk.symlink('/p', '/link');
  const list = names?.map((name) => `${JSON.stringify(name)}\n`).join('');
  if (list !== undefined) await put(disk, `/${claudeTranscriptsFile}`, list);
  const record = new ClaudeTranscripts(disk, '/');
  const outputs = await collect(record.read(true));
  return { outputs, isThere: record.isThere, size: await record.size() };
}

async function put(disk: MemoryDisk, path: string, text: string): Promise<void> {
  await ensureDirectory(disk, dirname(path));
  const file = await disk.open(path, 'append');
  await file.write(Buffer.from(text));
  await file.close();
}

test('the record of a talk tells of each tool call, and of those that did not run', async () => {
  const ended = (callId: string, rest: object) => ({ kind: 'toolEnded', callId, ...rest });
  const { outputs } = await read({ one: format(talk) }, ['/one']);
  expect(outputs).toEqual([
    { kind: 'toolStarted', tool: 'Bash', callId: 't1', input: { command: 'cat a' } },
    ended('t1', { isError: false, output: 'alpha', exitCode: 0 }),
    { kind: 'toolStarted', tool: 'Bash', callId: 't2', input: { command: 'git push' } },
    ended('t2', { isError: true, output: 'No.', ran: false }),
    { kind: 'toolStarted', tool: 'Bash', callId: 't3', input: { bad: 1 } },
    ended('t3', { isError: true, output: '<tool_use_error>InputValidationError: x</tool_use_error>', ran: false }),
    { kind: 'toolStarted', tool: 'memory_add', callId: 't4', input: {} },
  ]);
});

test('the record of a talk is read on after the program compacted it', async () => {
  const begun = (id: string) => use(id, 'Bash', { command: 'ls' });
  const done = (id: string) => result(id, 'a', false, { toolUseResult: { stdout: 'a', stderr: '' }, ...accepted });
  // As version 2.1.329 goes on in the same file.
  const boundary = { type: 'system', subtype: 'compact_boundary', content: 'Conversation compacted', parentUuid: null };
  const summary = {
    type: 'user',
    isCompactSummary: true,
    message: { role: 'user', content: 'A "tool_use" of before.' },
  };
  const { outputs } = await read(
    { one: format([begun('t1'), done('t1'), boundary, summary, begun('t2'), done('t2')]) },
    ['/one'],
  );
  expect(outputs.map((output) => [output.kind, 'callId' in output && output.callId])).toEqual([
    ...[
      ['toolStarted', 't1'],
      ['toolEnded', 't1'],
    ],
    ...[
      ['toolStarted', 't2'],
      ['toolEnded', 't2'],
    ],
  ]);
});

describe('the records of a session', () => {
  const talks = { one: format(talk), two: format(talk.slice(1, 2)) };

  test.each<[string, readonly unknown[] | undefined, number | undefined]>([
    ['are read one after the other, each once', ['/one', '/two', '/one'], 8],
    ['can begin with one in which nothing was said', ['/none', '/two'], 1],
    ['are missing when none is there', ['/none'], undefined],
    ['are missing when no hook was called', undefined, undefined],
    ['are missing when they are not named', [3], undefined],
  ])('%s', async (_name, names, expected) => {
    const { outputs, isThere } = await read(talks, names);
    expect(isThere).toBe(expected !== undefined);
    expect(outputs).toHaveLength(expected ?? 0);
  });

  const place = { projects: '/p', cwd: '/here', id: 'u' };

  test.each<[string, Readonly<Record<string, string>>, readonly unknown[], number, boolean]>([
    ['are found before a hook tells of them', { 'p/-here/u.jsonl': talks.one }, [place], 7, false],
    ['are not there if only another is told of', { 'p/-here/u.jsonl': talks.one }, [place, '/n.jsonl'], 7, false],
    ['are read once by two paths', { 'p/-here/u.jsonl': talks.one }, [place, '/link/-here/u.jsonl'], 7, true],
    [
      'are read from where a hook says they are',
      { 'elsewhere/u.jsonl': talks.one },
      [place, '/elsewhere/u.jsonl'],
      7,
      true,
    ],
  ])('%s', async (_name, files, names, count, isThere) => {
    const found = await read(files, names);
    expect({ count: found.outputs.length, isThere: found.isThere }).toEqual({ count, isThere });
  });

  test('are as large as their list and all of them', async () => {
    const { size } = await read(talks, ['/one', '/two']);
    expect(size).toBe(talks.one.length + talks.two.length + '"/one"\n"/two"\n'.length);
  });

  test('are found when they begin while others are read', async () => {
    const disk = new MemoryDisk();
    const record = new ClaudeTranscripts(disk, '/');
    expect(await collect(record.read(false))).toEqual([]);
    await put(disk, `/${claudeTranscriptsFile}`, '"/one"\n');
    await put(disk, '/one', format(talk.slice(0, 2)));
    expect(await collect(record.read(false))).toHaveLength(1);
    await put(disk, `/${claudeTranscriptsFile}`, '"/two"\n');
    await put(disk, '/two', talks.two);
    await put(disk, '/one', format(talk.slice(3, 4)));
    expect(await collect(record.read(false))).toMatchObject([{ kind: 'toolEnded' }, { kind: 'toolStarted' }]);
  });
});

describe('the record of a talk', () => {
  test('is named by a UUID that follows from the session', () => {
    const [one, other] = ['01M83ZEZN956S0TDEGK02FN2M6', '01M83ZEZN956S0TDEGK02FN2M7'] as [Ulid, Ulid];
    expect(claudeTranscriptId(one)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(claudeTranscriptId(one)).toBe(claudeTranscriptId(one));
    expect(claudeTranscriptId(one)).not.toBe(claudeTranscriptId(other));
  });

  test.each([
    ['/home/ä b/my.project_1', '-home---b-my-project-1'],
    [`/${'x'.repeat(199)}`, `-${'x'.repeat(199)}`],
    [`/${'x'.repeat(200)}`, `-${'x'.repeat(199)}-d0i18x`],
  ])('of a session in %s lies in %s', (cwd, folder) => {
    expect(claudeTranscriptPath({ projects: '/p', cwd, id: 'u' })).toBe(`/p/${folder}/u.jsonl`);
  });
});
