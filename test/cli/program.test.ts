import { expect, test } from 'vitest';
import { createProgram } from '../../src/cli/program.ts';
import { createFakePorts } from './fakePorts.ts';

async function check(path: readonly string[], expected: readonly string[]): Promise<void> {
  let { command } = createProgram(await createFakePorts({}));
  for (const name of path) command = command.commands.find((one) => one.name() === name) ?? command;
  expect(command.commands.map((one) => one.name())).toEqual(expected);
}

test('the commands there are', () =>
  check(
    [],
    [
      ...['init', 'adopt', 'create', 'verify', 'import', 'projects', 'rescan', 'rename', 'remove', 'archive'],
      ...['experts', 'status', 'run', 'retry', 'dismiss', 'stop', 'attach', 'logs', 'state', 'approvals'],
      ...['note', 'dispatch', 'actors', 'revive', 'letters', 'spending', 'settings', 'daemon', 'shutdown', 'doctor'],
      ...['demo', 'mcp', 'scripted'],
    ],
  ));
test('the nouns of state', () =>
  check(['state'], ['backlog', 'received', 'memory', 'session', 'phase', 'phase-summary', 'commits', 'message']));
test('the verbs of a noun', () => check(['state', 'received'], ['promote', 'decline']));

test('nothing is started by making it', async () => {
  const program = createProgram(await createFakePorts({}));
  expect(program.context()).toBeUndefined();
  expect(program.exitCode()).toBe(0);
});
