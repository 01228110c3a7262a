import { mkdir, stat } from 'node:fs/promises';
import { createConnection, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/log.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import type { Caller } from '../../src/base/processes.ts';
import { type ServerOptions, startServer } from '../../src/server/server.ts';
import { createFakeApi, fakeEvent } from '../support/fakeApi.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';
import { connectRaw } from './socket.ts';

const tools = { tools: [], phase: 'work' } as const;

async function serveBoth(options: Partial<ServerOptions> = {}) {
  const root = await makeTemporaryDirectory();
  const [socketPath, sessionSocketPath] = [join(root, 'run/s'), join(root, 'run/tools/s')];
  const api = createFakeApi({
    session_tools: () => tools,
    list: () => ({ plans: [], diagnostics: [] }),
    stop: () => ({ stopped: true }),
  });
  const ports = { disk: nodeDisk, clock: systemClock, log: silentLogger };
  const server = await startServer({ api, socketPath, sessionSocketPath, ...ports, ...options });
  onTestFinished(() => server.stop());
  const open = async (path: string) => {
    const client = await connectRaw(path);
    onTestFinished(() => void client.socket.destroy());
    return client;
  };
  return { root, socketPath, sessionSocketPath, api, server, open };
}

test('sessions have their own socket, in a folder that only this user can enter', async () => {
  const { sessionSocketPath, open } = await serveBoth();
  expect((await stat(sessionSocketPath)).mode & 0o777).toBe(0o600);
  expect((await stat(dirname(sessionSocketPath))).mode & 0o777).toBe(0o700);
  const client = await open(sessionSocketPath);
  client.send({ id: 1, request: 'session_tools', params: { session: 'S', token: 't' } });
  expect(await client.lines.waitFor(1)).toEqual([{ id: 1, result: tools }]);
});

test('the socket of sessions refuses what is not a request of theirs, and hears no events', async () => {
  const { sessionSocketPath, api, open } = await serveBoth();
  const client = await open(sessionSocketPath);
  client.send(
    { id: 1, request: 'attach' },
    { id: 2, request: 'list' },
    { id: 3, request: 'stop', params: { plan: 'a' } },
  );
  const code = 'server/sessionsOnly';
  expect(await client.lines.waitFor(3)).toMatchObject([{ error: { code } }, { error: { code } }, { error: { code } }]);
  api.emit(fakeEvent('e'));
  client.send({ id: 4, request: 'session_tools', params: {} });
  expect((await client.lines.waitFor(4)).at(-1)).toEqual({ id: 4, result: tools });
  expect(api.requested).toEqual(['session_tools']);
});

test('garbage and a long line harm the socket of sessions no more than the other', async () => {
  const { sessionSocketPath, open } = await serveBoth();
  const client = await open(sessionSocketPath);
  client.socket.write(Buffer.concat([Buffer.from([0xff, 0xfe, 0x0a]), Buffer.from('[]\n{"id":7}\n')]));
  const code = 'server/badParams';
  expect(await client.lines.waitFor(3)).toMatchObject([
    { error: { code } },
    { error: { code } },
    { id: 7, error: { code } },
  ]);
  client.socket.write(Buffer.alloc(8 * 1024 * 1024 + 10, 'x'));
  expect((await client.lines.waitFor(4)).at(-1)).toMatchObject({ error: { code: 'server/lineTooLong' } });
  const next = await open(sessionSocketPath);
  next.send({ id: 1, request: 'session_tools', params: {} });
  expect(await next.lines.waitFor(1)).toHaveLength(1);
});

test('1,000 connections to the socket of sessions block neither socket', async () => {
  const { socketPath, sessionSocketPath, server, open } = await serveBoth();
  const sockets: Socket[] = [];
  onTestFinished(() => sockets.forEach((socket) => void socket.destroy()));
  const connectOne = async () => {
    const socket = createConnection(sessionSocketPath);
    sockets.push(socket);
    socket.write('{"id":1,"request":"hello","params":{"protocol":1}}\n');
    await new Promise((resolve, reject) => socket.once('data', resolve).once('error', reject));
  };
  // No more at once than wait in the line of a socket.
  for (let n = 0; n < 10; n++) await Promise.all(Array.from({ length: 100 }, connectOne));
  const client = await open(socketPath);
  client.send({ id: 1, request: 'list' });
  expect(await client.lines.waitFor(1)).toHaveLength(1);
  const session = await open(sessionSocketPath);
  session.send({ id: 1, request: 'session_tools', params: {} });
  expect(await session.lines.waitFor(1)).toHaveLength(1);
  expect(server.clients()).toBe(1002);
});

test('a server whose second socket cannot be made leaves the first one free', async () => {
  const root = await makeTemporaryDirectory();
  await mkdir(join(root, 'run'));
  const socketPath = join(root, 'run/s');
  const ports = { disk: nodeDisk, clock: systemClock, log: silentLogger };
  const start = (sessionSocketPath: string) =>
    startServer({ api: createFakeApi({}), socketPath, sessionSocketPath, ...ports });
  await expect(start('/proc/none/s')).rejects.toMatchObject({ diagnostic: { subject: '/proc/none/s' } });
  await expect(start(join(root, 'x'.repeat(120), 's'))).rejects.toMatchObject({ diagnostic: { code: 'disk/failed' } });
  const server = await start(join(root, 'run/tools/s'));
  await server.stop();
});

const refused = { error: { code: 'session/personOnly' } };

test.each<[string, Caller, object]>([
  ['a process of a session', { kind: 'session', session: 'S1' }, refused],
  ['a process that is gone', { kind: 'gone' }, refused],
  ['any other process', { kind: 'other' }, { result: { stopped: true } }],
])('%s can read, and is identified once before it acts', async (_name, caller, expected) => {
  const asked: unknown[] = [];
  const identify = async (descriptor: number | undefined) => {
    asked.push(descriptor);
    return caller;
  };
  const { socketPath, open } = await serveBoth({ identify });
  const client = await open(socketPath);
  client.send({ id: 1, request: 'list' }, { id: 2, request: 'session_tools', params: {} });
  expect(await client.lines.waitFor(2)).toMatchObject([{ result: {} }, { result: {} }]);
  expect(asked).toEqual([]);
  client.send({ id: 3, request: 'stop', params: { plan: 'a' } }, { id: 4, request: 'stop', params: { plan: 'b' } });
  expect((await client.lines.waitFor(4)).slice(2)).toMatchObject([expected, expected]);
  expect(asked).toEqual([expect.any(Number)]);
});
