import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { ClaudeRuns, shellPrefix } from '../../src/harness/claudeShell.ts';
import { specOf } from '../support/sessions.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';

/** A session whose sandbox writes down what it is told to run, and what was recorded before. */
async function makeSession() {
  const base = await makeTemporaryDirectory();
  const sessionDirectory = join(base, 'session');
  await mkdir(sessionDirectory);
  const shell = join(base, 'shell');
  await writeFile(shell, `#!/bin/sh\ncp '${sessionDirectory}/runs' '${base}/seen' && printf %s "$1" > '${base}/ran'\n`);
  await chmod(shell, 0o700);
  const mcpCommand = { program: '/bin/echo', args: ['tools'] };
  const prefix = shellPrefix({ ...specOf(base, '/mcp.mjs'), sessionDirectory, shell, mcpCommand });
  const [[program, text] = ['', '']] = Object.entries(prefix?.programs ?? {});
  await writeFile(program, text);
  await chmod(program, 0o700);
  const read = (name: string) => readFile(join(base, name), 'utf8').catch(() => undefined);
  return { base, sessionDirectory, program, read, runs: () => new ClaudeRuns(nodeDisk, sessionDirectory).read() };
}

test('a command is recorded on one line before it runs, and runs as it is', async () => {
  const { program, read, runs } = await makeSession();
  const command = `a  'b'\n\\c *\n\t"$HOME" 'd`;
  expect(spawnSync(program, [command]).status).toBe(0);
  expect(await read('ran')).toBe(command);
  expect(await runs()).toEqual([`a  'b' \\c * \t"$HOME" 'd`]);
  expect(await read('seen')).toBe(`a  'b' \\c * \t"$HOME" 'd\n`);
});

test('of a long command the beginning is recorded', async () => {
  const { program, read, runs } = await makeSession();
  const command = 'x'.repeat(100_000);
  spawnSync(program, [command]);
  expect(await read('ran')).toBe(command);
  expect(await runs()).toEqual(['x'.repeat(4096)]);
});

test('commands that start at the same time are recorded each on a line of its own', async () => {
  const { program, runs } = await makeSession();
  const commands = Array.from({ length: 20 }, (_, n) => `${String(n).repeat(1500)}\n${n}`);
  await Promise.all(commands.map((command) => once(spawn(program, [command], { stdio: 'ignore' }), 'exit')));
  expect((await runs()).toSorted()).toEqual(commands.map((command) => command.replace('\n', ' ')).toSorted());
});

test('a command that cannot be recorded does not run', async () => {
  const { program, sessionDirectory, read } = await makeSession();
  await mkdir(join(sessionDirectory, 'runs'));
  expect(spawnSync(program, ['ls']).status).toBe(126);
  expect(await read('ran')).toBeUndefined();
});

test('the session tools are not recorded', async () => {
  const { program, runs } = await makeSession();
  const { stdout } = spawnSync(program, ['ignored'], { env: { RAVEL_SESSION_TOOLS: '1' } });
  expect(String(stdout)).toBe('tools\n');
  expect(await runs()).toEqual([]);
});

test('what was read is not read again, and nothing is recorded at first', async () => {
  const { sessionDirectory } = await makeSession();
  const reader = new ClaudeRuns(nodeDisk, sessionDirectory);
  expect(await reader.read()).toEqual([]);
  const file = join(sessionDirectory, 'runs');
  await writeFile(file, 'one\ntw');
  expect(await reader.read()).toEqual(['one']);
  await writeFile(file, 'one\ntwo\nthree\n');
  expect(await reader.read()).toEqual(['two', 'three']);
});
