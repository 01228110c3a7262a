import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCommandLine } from '../../../src/cli/commandLine.ts';
import { argumentsOf } from '../../../src/cli/commands/stateArguments.ts';
import type { RequestParams } from '../../../src/model/protocol.ts';
import { personVerbNames, verbs } from '../../../src/model/verbs.ts';
import { serve } from '../../server/socket.ts';
import { createFakeApi } from '../../support/fakeApi.ts';
import { makeTemporaryDirectory } from '../../support/temporaryDirectory.ts';
import { createFakePorts, type FakeOptions } from '../fakePorts.ts';

/** Checks the request of a verb that changes something, and that its summary is printed. */
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
        return { result: { repairs: [] }, summary: 'did it' };
      },
    },
    options,
  );
  const code = await runCommandLine(['state', ...args], ports);
  expect(ports.written).toEqual({ stdout: 'Did it.\n', stderr: '' });
  expect(seen).toEqual([{ plan: 'demo', ...expected }]);
  expect(code).toBe(0);
}

test('positional arguments and options become the arguments of the verb', () =>
  check(['backlog', 'set-status', 'demo', 'fix', 'blocked', '--reason', 'no key'], {
    verb: 'backlog/set-status',
    args: { id: 'fix', status: 'blocked', reason: 'no key' },
  }));
test('a list is split at its commas', () =>
  check(['backlog', 'add', 'demo', '--title', 'A', '--category', 'bug', '--dependencies', 'x, y'], {
    verb: 'backlog/add',
    args: { title: 'A', category: 'bug', dependencies: ['x', 'y'] },
  }));
test('an empty option is an empty list', () =>
  check(['backlog', 'set-dependencies', 'demo', 'fix', '--dependencies', ''], {
    verb: 'backlog/set-dependencies',
    args: { id: 'fix', dependencies: [] },
  }));
test('a flag is true', () =>
  check(['backlog', 'delete', 'demo', 'fix', '--force'], { verb: 'backlog/delete', args: { id: 'fix', force: true } }));
test('a text that looks like a number stays a text', () =>
  check(['session', 'append', 'demo', '--id', '7', '--timestamp', '2026', '--body', '3'], {
    verb: 'session/append',
    args: { id: '7', timestamp: '2026', body: '3' },
  }));
test('a number is parsed, and what is not a number is left to the verb to refuse', async () => {
  const seen: unknown[] = [];
  const ports = await createFakePorts({
    state: (params) => {
      seen.push(params.args);
      return { result: { sessions: [], total: 0 }, summary: '' };
    },
  });
  for (const limit of ['5', 'many'])
    await runCommandLine(['state', 'session', 'list', 'demo', '--limit', limit], ports);
  expect(seen).toEqual([{ limit: 5 }, { limit: 'many' }]);
});
test('a flag of two words keeps its hyphen', () =>
  check(['backlog', 'repair-stale-statuses', 'demo', '--dry-run'], {
    verb: 'backlog/repair-stale-statuses',
    args: { 'dry-run': true },
  }));
test('--body - reads standard input', () =>
  check(
    ['backlog', 'set-results', 'demo', 'fix', '--body', '-'],
    { verb: 'backlog/set-results', args: { id: 'fix', body: 'typed\n' } },
    { stdin: 'typed\n' },
  ));
test('--body-file reads a file', async () => {
  const file = join(await makeTemporaryDirectory(), 'body.md');
  await writeFile(file, 'from a file\n');
  await check(['memory', 'add', 'demo', '--title', 'A', '--body-file', file], {
    verb: 'memory/add',
    args: { title: 'A', body: 'from a file\n' },
  });
});
test('--json-args adds nested arguments to the others', () =>
  check(
    ['session', 'set-latest', 'demo', '--title', 'A', '--json-args', '-'],
    { verb: 'session/set-latest', args: { body: 'b', claims: [{ text: 'c', evidence: [] }], title: 'A' } },
    { stdin: '{"body":"b","claims":[{"text":"c","evidence":[]}]}' },
  ));

describe('ravel state refuses, before it opens the vault,', () => {
  async function refused(args: readonly string[], code: number, text: string): Promise<void> {
    const ports = await createFakePorts({});
    expect(await runCommandLine(['state', ...args], ports)).toBe(code);
    expect(ports.written.stderr).toContain(text);
    expect(ports.asked).toEqual([]);
  }

  const add = ['backlog', 'add', 'demo'];
  test('a missing option, which it names', () => refused([...add, '--category', 'bug'], 2, '--title is missing.'));
  test('with a hint at the help of the verb', () => refused(add, 2, 'help: See `ravel state backlog add --help`.'));
  test('missing positional arguments, all of which it names', () =>
    refused(['backlog', 'set-status', 'demo'], 2, '<id>, <status> are missing.'));
  test('a missing argument that only --json-args can hold', () =>
    refused(['commits', 'set', 'demo'], 2, 'commits (in --json-args) is missing.'));
  test('a text that is given twice', () =>
    refused([...add, '--description', 'x', '--body-file', 'f'], 2, 'by --description and by --body-file'));
  test('a missing file of --body-file', () =>
    refused([...add, '--body-file', 'none.md'], 3, 'There is no file /here/none.md.'));
  test('a missing file of --json-args', () =>
    refused([...add, '--json-args', 'none.json'], 3, 'There is no file /here/none.json.'));
});

test('the help of a verb marks required options', async () => {
  const ports = await createFakePorts({});
  await runCommandLine(['state', 'backlog', 'add', '--help'], ports);
  expect(ports.written.stdout).toMatch(/--title <text> .*\(required\)/);
  expect(ports.written.stdout).not.toMatch(/--dependencies <a,b,...> .*\(required\)/);
});

test('--json-args that is not a JSON object is refused', async () => {
  const ports = await createFakePorts({}, { stdin: '[1]' });
  expect(await runCommandLine(['state', 'commits', 'set', 'demo', '--json-args', '-'], ports)).toBe(2);
  expect(ports.written.stderr).toContain('does not hold one JSON object');
});

describe('a verb that reads', () => {
  const result = { entries: [{ id: 'a', title: 'Alpha' }] };

  test.each<[string[], string]>([
    [[], 'ID  TITLE\na   Alpha\n'],
    [['--format', 'yaml'], 'entries:\n  - id: a\n    title: Alpha\n'],
    [['--format', 'json'], `${JSON.stringify(result, undefined, 2)}\n`],
    [['--json'], `${JSON.stringify({ result })}\n`],
    [['--json', '--format', 'yaml'], `${JSON.stringify({ result })}\n`],
  ])('%j', async (options, expected) => {
    const ports = await createFakePorts({ state: () => ({ result, summary: '1 entries' }) });
    expect(await runCommandLine(['state', 'memory', 'list', 'demo', ...options], ports)).toBe(0);
    expect(ports.written).toEqual({ stdout: expected, stderr: '' });
  });

  test.each([
    ['memory list demo --format markdown', 'Allowed choices are text, yaml, json.'],
    ['backlog show demo fix --format markdown', 'Allowed choices are text, yaml, json.'],
    ['backlog list demo --format html', 'Allowed choices are text, yaml, json,'],
    ['backlog list demo --group-by colour', 'Allowed choices are category, status.'],
    ['backlog add demo --title A --category b --format yaml', "Unknown option '--format'."],
  ])('refuses a form that it does not have: %s', async (line, expected) => {
    const ports = await createFakePorts({});
    expect(await runCommandLine(['state', ...line.split(' ')], ports)).toBe(2);
    expect(ports.written.stderr).toContain(expected);
    expect(ports.asked).toEqual([]);
  });
});

describe('the verb', () => {
  test.each(personVerbNames)('%s has a command whose help names all its arguments', async (name) => {
    const ports = await createFakePorts({});
    expect(await runCommandLine(['state', ...name.split('/'), '--help'], ports)).toBe(0);
    for (const { name: argument, kind } of argumentsOf(name)) {
      const isPositional = verbs[name].positional.some((positional) => positional === argument);
      if (kind !== 'nested') expect(ports.written.stdout).toContain(isPositional ? `<${argument}>` : `--${argument}`);
    }
  });
});

describe('ravel state inside a session', () => {
  test.each([
    [false, 0],
    [true, 4],
  ])('calls the tool of the session with its token (refused: %s)', async (isError, expected) => {
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

  test('has the verbs that only a session has, and a person has not', async () => {
    const seen: unknown[] = [];
    const owner = createFakeApi({
      session_call: (params) => {
        seen.push(params);
        return { text: 'No entry of the knowledge fits.', isError: false };
      },
    });
    const server = await serve(owner);
    const environment = { RAVEL_SESSION: 'S1', RAVEL_TOKEN: 'secret', RAVEL_SOCKET: server.socketPath };
    const line = ['state', 'knowledge', 'search', 'demo', 'retries', '--tag', 'net', '--limit', '3'];
    const ports = await createFakePorts({}, { environment });
    expect(await runCommandLine(line, ports)).toBe(0);
    expect(seen).toMatchObject([{ tool: 'knowledge_search', args: { text: 'retries', tag: 'net', limit: 3 } }]);
    expect(ports.written.stdout).toBe('No entry of the knowledge fits.\n');
    const outside = await createFakePorts({});
    expect(await runCommandLine(line, outside)).toBe(2);
    expect(outside.asked).toEqual([]);
    await server.stop();
  });

  test('shows what it reads in the form that was asked for', async () => {
    const owner = createFakeApi({ session_call: () => ({ text: '{"entries": []}', isError: false }) });
    const server = await serve(owner);
    const environment = { RAVEL_SESSION: 'S1', RAVEL_TOKEN: 'secret', RAVEL_SOCKET: server.socketPath };
    const ports = await createFakePorts({}, { environment });
    expect(await runCommandLine(['state', 'memory', 'list', 'demo'], ports)).toBe(0);
    expect(await runCommandLine(['state', 'memory', 'list', 'demo', '--format', 'yaml'], ports)).toBe(0);
    expect(ports.written.stdout).toBe('No entries.\nentries: []\n');
    await server.stop();
  });
});
