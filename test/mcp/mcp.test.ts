import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { runMcp } from '../../src/mcp/mcp.ts';
import { failure } from '../../src/model/codes.ts';
import { freshSocketPath, serve } from '../server/socket.ts';
import { Collector, createFakeApi, type FakeHandlers, fakePlan } from '../support/fakeApi.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';

const tools: FakeHandlers['session_tools'] = () => ({
  plan: fakePlan,
  phase: 'work',
  tools: [
    {
      name: 'backlog_list',
      description: 'Tasks',
      inputSchema: { type: 'object', properties: { id: { type: 'string' } } },
    },
  ],
});

interface Harness {
  readonly answers: Collector<{ readonly id: number; readonly result?: unknown; readonly error?: unknown }>;
  readonly running: Promise<void>;
  readonly ended: number[];
  send(id: number, method: string, params?: unknown): void;
  close(): void;
}

/** Runs `ravel mcp` in this process and plays the harness's side. */
function startMcp(environment: Readonly<Record<string, string>>): Harness {
  const input = new PassThrough();
  const output = new PassThrough();
  const answers: Harness['answers'] = new Collector();
  let text = '';
  output.on('data', (chunk: Buffer) => {
    const lines = (text + chunk.toString()).split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) answers.add(JSON.parse(line));
  });
  const ended: number[] = [];
  const running = runMcp({
    environment: { RAVEL_SESSION: 'S1', RAVEL_TOKEN: 'secret', RAVEL_VAULT: '/none', ...environment },
    input,
    output,
    clock: systemClock,
    disk: nodeDisk,
    version: '1.2.3',
    endGroup: async ({ pid }) => {
      ended.push(pid);
    },
  });
  onTestFinished(() => {
    input.end();
  });
  return {
    answers,
    running,
    ended,
    send: (id, method, params = {}) => {
      input.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    },
    close: () => {
      input.end();
    },
  };
}

function initialize(harness: Harness): void {
  harness.send(0, 'initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  });
}

test('ravel mcp lists the tools of its session and passes on each call with its own id', async () => {
  const calls: unknown[] = [];
  const server = await serve(
    createFakeApi({
      session_tools: tools,
      session_call: (params) => {
        calls.push(params);
        return { text: `called ${params.tool}`, isError: params.tool === 'wrong' };
      },
    }),
  );
  const harness = startMcp({ RAVEL_SOCKET: server.socketPath });
  initialize(harness);
  expect(await harness.answers.waitFor(1)).toMatchObject([
    { id: 0, result: { serverInfo: { name: 'ravel', version: '1.2.3' } } },
  ]);
  harness.send(1, 'tools/list');
  const [, listed] = await harness.answers.waitFor(2);
  expect(listed).toMatchObject({
    id: 1,
    result: { tools: [{ name: 'backlog_list', inputSchema: { properties: { id: { type: 'string' } } } }] },
  });
  harness.send(2, 'tools/call', { name: 'backlog_list', arguments: { status: 'done' } });
  await harness.answers.waitFor(3);
  harness.send(3, 'tools/call', { name: 'wrong' });
  const answers = await harness.answers.waitFor(4);
  expect(answers.slice(2)).toMatchObject([
    { id: 2, result: { content: [{ type: 'text', text: 'called backlog_list' }], isError: false } },
    { id: 3, result: { content: [{ type: 'text', text: 'called wrong' }], isError: true } },
  ]);
  expect(calls).toMatchObject([
    { session: 'S1', token: 'secret', tool: 'backlog_list', args: { status: 'done' } },
    { session: 'S1', token: 'secret', tool: 'wrong', args: {} },
  ]);
  expect(new Set(calls.map((call) => (call as { call: string }).call)).size).toBe(2);
  harness.close();
  await harness.running;
  await server.stop();
});

test('ravel mcp passes a refusal with its help to the model', async () => {
  const server = await serve(
    createFakeApi({
      session_tools: tools,
      session_call: () => {
        throw failure('state/reasonMissing', 'demo', 'No reason was given.');
      },
    }),
  );
  const harness = startMcp({ RAVEL_SOCKET: server.socketPath });
  initialize(harness);
  harness.send(1, 'tools/call', { name: 'backlog_list' });
  const answers = await harness.answers.waitFor(2);
  expect(answers[1]).toMatchObject({
    result: { isError: true, content: [{ text: 'No reason was given. Give a reason: a blocked task must have one.' }] },
  });
  harness.close();
  await harness.running;
  await server.stop();
});

test('ravel mcp repeats a call with the next owner when the owner dies', async () => {
  const vault = await makeTemporaryDirectory();
  await mkdir(join(vault, 'runtime'));
  const seen = new Collector<string>();
  const first = await serve(
    createFakeApi({
      session_tools: tools,
      session_call: ({ call }) => {
        seen.add(call);
        return new Promise(() => undefined);
      },
    }),
  );
  const harness = startMcp({ RAVEL_SOCKET: first.socketPath, RAVEL_VAULT: vault });
  initialize(harness);
  harness.send(1, 'tools/call', { name: 'finish_phase', arguments: { outcome: 'done', summary: 'x' } });
  await seen.waitFor(1);
  await first.stop();
  const second = await serve(
    createFakeApi({
      session_call: ({ call }) => {
        seen.add(call);
        return { text: 'accepted', isError: false };
      },
    }),
    await freshSocketPath(),
  );
  await writeFile(join(vault, 'runtime', 'daemon.lock.2'), JSON.stringify({ socket: second.socketPath }));
  const answers = await harness.answers.waitFor(2);
  expect(answers[1]).toMatchObject({ id: 1, result: { content: [{ text: 'accepted' }] } });
  expect(seen.values).toHaveLength(2);
  expect(seen.values[0]).toBe(seen.values[1]);
  harness.close();
  await harness.running;
  await second.stop();
});

test('ravel mcp starts without an owner and waits for one', async () => {
  const socketPath = await freshSocketPath();
  const harness = startMcp({ RAVEL_SOCKET: socketPath });
  initialize(harness);
  await harness.answers.waitFor(1);
  harness.send(1, 'tools/list');
  const server = await serve(createFakeApi({ session_tools: tools }), socketPath);
  expect((await harness.answers.waitFor(2))[1]).toMatchObject({ result: { tools: [{ name: 'backlog_list' }] } });
  harness.close();
  await harness.running;
  await server.stop();
});

test('ravel mcp ends its session and itself when the session is too old', async () => {
  const directory = await makeTemporaryDirectory();
  const limits = { timeMs: 1, outputBytes: 1, orphanMs: 600_000, orphanAfterStopMs: 600_000 };
  const startedAt = new Date().toISOString();
  await writeFile(join(directory, 'host.json'), JSON.stringify({ session: 'S1', startedAt, awakeMs: 31_000, limits }));
  await writeFile(join(directory, 'pid'), '4242');
  const harness = startMcp({ RAVEL_SOCKET: await freshSocketPath(), RAVEL_SESSION_DIRECTORY: directory });
  await harness.running;
  expect(harness.ended).toEqual([4242]);
  expect(await readFile(join(directory, 'watchdog'), 'utf8')).toContain('longer than');
});

test('ravel mcp refuses to start outside a session', async () => {
  const harness = startMcp({ RAVEL_TOKEN: '' });
  await expect(harness.running).rejects.toMatchObject({
    diagnostic: { code: 'session/unknown', message: expect.stringContaining('RAVEL_TOKEN') },
  });
});
