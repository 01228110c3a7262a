import { spawn } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { describe, expect, test } from 'vitest';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { listFromProc } from '../../src/harness/processList.ts';
import { serve } from '../server/socket.ts';
import { commandLinePath } from '../support/commandLine.ts';
import { createFakeApi, fakePlan } from '../support/fakeApi.ts';
import { runRavel, startRavel } from '../support/runProgram.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';
import { makeWorld, startCore } from '../support/world.ts';

describe('the ravel program', () => {
  test('prints the version of the package', async () => {
    const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(await runRavel(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  test('beside an owner loads neither the core nor YAML, which take longer than the answer', async () => {
    const world = await makeWorld();
    await startCore(world);
    const loaded = join(world.root, 'loaded');
    const environment = { ...world.environment, NODE_V8_COVERAGE: loaded };
    const { code, stdout } = await runRavel(['status', '--vault', world.vault], { environment });
    expect([code, stdout]).toEqual([0, expect.stringContaining('greeter')]);
    const [report = ''] = await readdir(loaded);
    const { result }: { result: { url: string }[] } = JSON.parse(await readFile(join(loaded, report), 'utf8'));
    const files = result.map(({ url }) => url).filter((url) => url.startsWith('file:'));
    expect(files.map((url) => basename(url))).toContain('ravel.mjs');
    expect(files.map((url) => basename(url))).not.toContain('core.mjs');
    const texts = await Promise.all(files.map((url) => readFile(new URL(url), 'utf8')));
    expect(texts.some((text) => text.includes('YAMLParseError'))).toBe(false);
  });

  test('exits with 2 after a usage error, and prints it on standard error', async () => {
    const { code, stdout, stderr } = await runRavel(['fly']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('error cli/usage');
  });

  test('exits with 3 if it finds no vault', async () => {
    const { code, stdout } = await runRavel(['status', '--json']);
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'vault/none' } });
  });

  test('as mcp fails in a session without its environment', async () => {
    const environment = { RAVEL_SESSION: 'none' };
    const { code, stderr } = await runRavel(['mcp'], { environment });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^ravel mcp: session\/unknown: RAVEL_VAULT is not set/);
  });

  test('as mcp says how it is called, also in a session', async () => {
    const environment = { RAVEL_SESSION: 'none' };
    const { code, stdout } = await runRavel(['mcp', '--help'], { environment });
    expect([code, stdout]).toEqual([0, expect.stringContaining('Usage: ravel mcp')]);
  });

  test('as mcp fails outside of a session if no vault is named', async () => {
    const { code, stderr } = await runRavel(['mcp']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^ravel mcp: vault\/none: No vault is named/);
  });

  test.each<[string, number, object]>([
    [
      'blocks a tool if no owner can judge it',
      2,
      { tool_use_id: 'a', tool_name: 'Bash', tool_input: { command: 'ls' } },
    ],
    ['blocks a tool that is described in another way', 2, { tool: 'Bash' }],
  ])('as hook %s', async (_title, code, rest) => {
    const stdin = JSON.stringify({ hook_event_name: 'PreToolUse', ...rest });
    const ended = await runRavel(['hook'], { stdin });
    expect(ended).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(/^ravel hook: [A-Z].*\n$/) });
  });

  test('as a hook fails without blocking if there is no tool to block', async () => {
    const stdin = JSON.stringify({ hook_event_name: 'Stop' });
    expect(await runRavel(['hook'], { stdin })).toMatchObject({ code: 1, stdout: '' });
  });

  test('exits with 0 if its reader closes the pipe early', async () => {
    const program = startRavel(['--help']);
    program.child.stdout?.destroy();
    expect((await program.ended).code).toBe(0);
  });
});

test('a daemon owns the vault, answers another process, and stops in order on SIGTERM', async () => {
  const vault = join(await makeTemporaryDirectory(), 'vault');
  const environment = { RAVEL_VAULT: vault, HOME: vault };
  expect((await runRavel(['init', vault], { environment })).code).toBe(0);
  const daemon = startRavel(['daemon'], { environment });
  await daemon.printed('Serving');
  expect(await runRavel(['daemon', '--json'], { environment })).toMatchObject({ code: 5 });
  const status = await runRavel(['status', '--json'], { environment });
  expect(JSON.parse(status.stdout)).toEqual({ result: { plans: [], diagnostics: [] } });
  daemon.child.kill('SIGTERM');
  expect((await daemon.ended).code).toBe(0);
});

test('the official MCP client lists and calls the tools of a session', async () => {
  const server = await serve(
    createFakeApi({
      session_tools: () => ({
        plan: fakePlan,
        phase: 'work',
        tools: [{ name: 'backlog_list', description: 'Tasks', inputSchema: { type: 'object' } }],
      }),
      session_call: ({ tool }) => ({ text: `called ${tool}`, isError: false }),
    }),
  );
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [commandLinePath(), 'mcp'],
      env: { RAVEL_SESSION: 'S1', RAVEL_TOKEN: 'secret', RAVEL_VAULT: '/none', RAVEL_SOCKET: server.socketPath },
    }),
  );
  expect((await client.listTools()).tools.map((tool) => tool.name)).toEqual(['backlog_list']);
  expect(await client.callTool({ name: 'backlog_list' })).toMatchObject({ content: [{ text: 'called backlog_list' }] });
  await client.close();
  await server.stop();
});

test('the watchdog kills the whole process group of its session, and writes down why', async () => {
  const directory = await makeTemporaryDirectory();
  const limits = { timeMs: 1, outputBytes: 1, orphanMs: 600_000, orphanAfterStopMs: 600_000 };
  const startedAt = new Date().toISOString();
  await writeFile(join(directory, 'host.json'), JSON.stringify({ session: 'S1', startedAt, awakeMs: 60_000, limits }));
  // The shell plays the harness. Every process ignores the first signal, and one is younger than the watchdog.
  const script = `trap '' TERM; echo $$ > "${directory}/pid"; sleep 60 | "$0" "$1" mcp & sleep 0.3; sleep 60; wait`;
  const harness = spawn('/bin/sh', ['-c', script, process.execPath, commandLinePath()], {
    detached: true,
    stdio: 'ignore',
    env: {
      PATH: process.env['PATH'],
      RAVEL_SESSION: 'S1',
      RAVEL_TOKEN: 'secret',
      RAVEL_VAULT: directory,
      RAVEL_SESSION_DIRECTORY: directory,
    },
  });
  const signal = await new Promise((resolve) => harness.once('exit', (_code, by) => resolve(by)));
  expect(signal).toBe('SIGKILL');
  expect(JSON.parse(await readFile(join(directory, 'watchdog'), 'utf8'))).toMatchObject({
    reason: expect.stringContaining('longer than'),
  });
  // No event tells when the processes of another process are gone.
  const survivors = async () =>
    (await listFromProc(nodeDisk, { session: 'S1', variable: 'RAVEL_SESSION' })).filter(
      (row) => row.group === harness.pid,
    );
  while ((await survivors()).length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
});
