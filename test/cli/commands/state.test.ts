import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCommandLine } from '../../../src/cli/commandLine.ts';
import { argumentsOf } from '../../../src/cli/commands/state.ts';
import type { RequestParams } from '../../../src/model/protocol.ts';
import { personVerbNames, verbs } from '../../../src/model/verbs.ts';
import { serve } from '../../server/socket.ts';
import { createFakeApi } from '../../support/fakeApi.ts';
import { makeTemporaryDirectory } from '../../support/temporaryDirectory.ts';
import { createFakePorts, type FakeOptions } from '../fakePorts.ts';

async function check(
  args: readonly string[],
  expected: { verb: string; args: object },
  options: FakeOptions = {},
): Promise<void> {
  const seen: RequestParams<'state'>[] = [];
  const ports = await createFakePorts(
    {
      state: (params) => {
        seen.push(params);
        return { result: null };
      },
    },
    options,
  );
  const code = await runCommandLine(['state', ...args], ports);
  expect(ports.written.stderr).toBe('');
  expect(seen).toEqual([{ plan: 'demo', ...expected }]);
  expect(code).toBe(0);
}

test('positions and options', () =>
  check(['backlog', 'set-status', 'demo', 'fix', 'blocked', '--reason', 'no key'], {
    verb: 'backlog/set-status',
    args: { id: 'fix', status: 'blocked', reason: 'no key' },
  }));
test('lists', () =>
  check(['backlog', 'add', 'demo', '--title', 'A', '--category', 'bug', '--dependencies', 'x, y'], {
    verb: 'backlog/add',
    args: { title: 'A', category: 'bug', dependencies: ['x', 'y'] },
  }));
test('an empty list', () =>
  check(['backlog', 'set-dependencies', 'demo', 'fix', '--dependencies', ''], {
    verb: 'backlog/set-dependencies',
    args: { id: 'fix', dependencies: [] },
  }));
test('flags', () =>
  check(['backlog', 'delete', 'demo', 'fix', '--force'], { verb: 'backlog/delete', args: { id: 'fix', force: true } }));
test('flags of two words', () =>
  check(['backlog', 'repair-stale-statuses', 'demo', '--dry-run'], {
    verb: 'backlog/repair-stale-statuses',
    args: { 'dry-run': true },
  }));
test('a body from standard input', () =>
  check(
    ['backlog', 'set-results', 'demo', 'fix', '--body', '-'],
    { verb: 'backlog/set-results', args: { id: 'fix', body: 'typed\n' } },
    { stdin: 'typed\n' },
  ));
test('a body from a file', async () => {
  const file = join(await makeTemporaryDirectory(), 'body.md');
  await writeFile(file, 'from a file\n');
  await check(['memory', 'add', 'demo', '--title', 'A', '--body-file', file], {
    verb: 'memory/add',
    args: { title: 'A', body: 'from a file\n' },
  });
});
test('nested arguments as JSON, beside others', () =>
  check(
    ['session', 'set-latest', 'demo', '--title', 'A', '--json-args', '-'],
    { verb: 'session/set-latest', args: { body: 'b', claims: [{ text: 'c', evidence: [] }], title: 'A' } },
    { stdin: '{"body":"b","claims":[{"text":"c","evidence":[]}]}' },
  ));

describe('what is refused before anything is asked', () => {
  async function refused(args: readonly string[], code: number, text: string): Promise<void> {
    const ports = await createFakePorts({});
    expect(await runCommandLine(['state', ...args], ports)).toBe(code);
    expect(ports.written.stderr).toContain(text);
    expect(ports.asked).toEqual([]);
  }

  const add = ['backlog', 'add', 'demo'];
  test('a missing option', () => refused([...add, '--category', 'bug'], 2, '--title is missing.'));
  test('the hint names the verb', () => refused(add, 2, 'help: See `ravel state backlog add --help`.'));
  test('several', () => refused(['backlog', 'set-status', 'demo'], 2, '<id>, <status> are missing.'));
  test('what only JSON can hold', () => refused(['commits', 'set', 'demo'], 2, 'commits (in --json-args) is missing.'));
  test('a text that comes twice', () =>
    refused([...add, '--description', 'x', '--body-file', 'f'], 2, 'by --description and by --body-file'));
  test('no such body', () => refused([...add, '--body-file', 'none.md'], 3, 'There is no file /here/none.md.'));
  test('no such arguments', () =>
    refused([...add, '--json-args', 'none.json'], 3, 'There is no file /here/none.json.'));
});

test.each([
  ['commits set', 'commits/set'],
  ['session set-latest', 'session/set-latest'],
] as const)('the example that the help of %s shows is one', async (words, name) => {
  const ports = await createFakePorts({});
  await runCommandLine(['state', ...words.split(' '), '--help'], ports);
  const example = /for example:\n +(\{.*\})/.exec(ports.written.stdout)?.[1] ?? '';
  expect(verbs[name].args.safeParse(JSON.parse(example)).success).toBe(true);
});

test('help marks what is required', async () => {
  const ports = await createFakePorts({});
  await runCommandLine(['state', 'backlog', 'add', '--help'], ports);
  expect(ports.written.stdout).toMatch(/--title <text> +\(required\)/);
  expect(ports.written.stdout).not.toMatch(/--dependencies <a,b,...> +\(required\)/);
});

test('JSON that is no object', async () => {
  const ports = await createFakePorts({}, { stdin: '[1]' });
  expect(await runCommandLine(['state', 'commits', 'set', 'demo', '--json-args', '-'], ports)).toBe(2);
  expect(ports.written.stderr).toContain('does not hold one JSON object');
});

test('records are printed as JSON', async () => {
  const ports = await createFakePorts({ state: () => ({ result: [{ id: 'a' }] }) });
  await runCommandLine(['state', 'memory', 'list', 'demo'], ports);
  expect(JSON.parse(ports.written.stdout)).toEqual([{ id: 'a' }]);
});

describe('every verb', () => {
  test.each(personVerbNames)('%s has a command whose help names its arguments', async (name) => {
    const ports = await createFakePorts({});
    expect(await runCommandLine(['state', ...name.split('/'), '--help'], ports)).toBe(0);
    for (const { name: argument, kind } of argumentsOf(name)) {
      const isPositional = verbs[name].positional.some((positional) => positional === argument);
      if (kind !== 'nested') expect(ports.written.stdout).toContain(isPositional ? `<${argument}>` : `--${argument}`);
    }
  });
});

describe('inside a session', () => {
  test.each([
    [false, 0],
    [true, 4],
  ])('a verb is a call of the session, with its token (refused: %s)', async (isError, expected) => {
    const seen: unknown[] = [];
    const owner = createFakeApi({
      session_call: (params) => {
        seen.push(params);
        return { text: 'as the owner says', isError };
      },
    });
    const server = await serve(owner);
    const environment = { RAVEL_SESSION: 'S1', RAVEL_TOKEN: 'secret', RAVEL_SOCKET: server.socketPath };
    const ports = await createFakePorts({}, { environment });
    expect(await runCommandLine(['state', 'backlog', 'show', 'demo', 'fix'], ports)).toBe(expected);
    expect(seen).toMatchObject([{ session: 'S1', token: 'secret', tool: 'backlog_show', args: { id: 'fix' } }]);
    expect(isError ? ports.written.stderr : ports.written.stdout).toContain('as the owner says');
    expect(ports.asked).toEqual([]);
    await server.stop();
  });
});
