import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { connect } from '../../src/server/client.ts';
import type { CloseReason } from '../../src/server/socketTransport.ts';
import { Collector, createFakeApi, fakeEvent } from '../support/fakeApi.ts';
import { ManualClock } from '../support/manualClock.ts';
import { describeApiContract } from './apiContract.ts';
import { freshSocketPath, serve } from './socket.ts';

describeApiContract("the owner's own", async (fake) => ({ api: fake, stop: async () => undefined }));

describeApiContract('a client over a socket', async (fake) => {
  const server = await serve(fake);
  const client = await connect({ socketPath: server.socketPath, clock: systemClock });
  return {
    api: client,
    async stop() {
      client.close();
      await server.stop();
    },
  };
});

/** Serves a socket that answers each line with the text from `answer`. */
async function serveRaw(answer: (line: { id: number; request: string }) => string): Promise<string> {
  const socketPath = await freshSocketPath();
  await mkdir(dirname(socketPath), { recursive: true });
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      for (const line of chunk.toString().split('\n').filter(Boolean)) socket.write(answer(JSON.parse(line)));
    });
    socket.on('close', () => server.close());
  });
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  return socketPath;
}

function hello(protocol: number) {
  return (line: { id: number }) =>
    `${JSON.stringify({ id: line.id, result: { protocol, version: '9', vault: '/v', pid: 7 } })}\n`;
}

test('connecting without an owner fails with server/gone', async () => {
  const connecting = connect({ socketPath: await freshSocketPath(), clock: systemClock });
  await expect(connecting).rejects.toMatchObject({ diagnostic: { code: 'server/gone' } });
});

test('another protocol version is refused with both numbers', async () => {
  const connecting = connect({ socketPath: await serveRaw(hello(99)), clock: systemClock });
  await expect(connecting).rejects.toMatchObject({ diagnostic: { code: 'server/protocol', message: /99.* 1\b/ } });
});

test('connecting fails when the owner does not answer hello within five seconds', async () => {
  const clock = new ManualClock();
  const asked = new Collector<string>();
  const socketPath = await serveRaw((line) => {
    asked.add(line.request);
    return '';
  });
  const connecting = connect({ socketPath, clock });
  connecting.catch(() => undefined);
  await asked.waitFor(1);
  clock.advance(5_000);
  await expect(connecting).rejects.toMatchObject({ diagnostic: { code: 'server/gone' } });
});

test('blank lines from the owner are ignored', async () => {
  const socketPath = await serveRaw((line) => `\n \r\n${hello(1)(line)}\n`);
  const client = await connect({ socketPath, clock: systemClock });
  expect(await client.request('rescan', {})).toMatchObject({ pid: 7 });
  client.close();
});

test('a line that is not a JSON object closes the connection', async () => {
  const socketPath = await serveRaw((line) => (line.request === 'hello' ? hello(1)(line) : 'nonsense\n'));
  const client = await connect({ socketPath, clock: systemClock });
  await expect(client.request('list', {})).rejects.toMatchObject({ diagnostic: { code: 'server/gone' } });
});

test('after an orderly stop the reason is goodbye, and pending requests reject', async () => {
  const fake = createFakeApi({ run_phase: () => new Promise(() => undefined) });
  const server = await serve(fake);
  const client = await connect({ socketPath: server.socketPath, clock: systemClock });
  const reasons = new Collector<CloseReason>();
  client.onDidClose(reasons.add);
  const pending = client.request('run_phase', { plan: 'demo' });
  const rejection = expect(pending).rejects.toMatchObject({ diagnostic: { code: 'server/gone' } });
  await server.stop();
  await rejection;
  expect(await reasons.waitFor(1)).toEqual(['goodbye']);
  await expect(client.request('list', {})).rejects.toMatchObject({ diagnostic: { code: 'server/gone' } });
});

test('after a broken connection the reason is lost', async () => {
  const socketPath = await serveRaw((line) => (line.request === 'hello' ? hello(1)(line) : 'nonsense\n'));
  const client = await connect({ socketPath, clock: systemClock });
  const reasons = new Collector<CloseReason>();
  client.onDidClose(reasons.add);
  await client.request('list', {}).catch(() => undefined);
  expect(await reasons.waitFor(1)).toEqual(['lost']);
});

test('a client without listeners gets no events', async () => {
  const fake = createFakeApi({ rescan: () => ({ plans: 0, linked: [], diagnostics: [] }) });
  const server = await serve(fake);
  const client = await connect({ socketPath: server.socketPath, clock: systemClock });
  fake.emit(fakeEvent('before anybody listens'));
  await client.request('rescan', {});
  const seen = new Collector<unknown>();
  client.onEvent(seen.add);
  await client.request('rescan', {});
  expect(seen.values).toEqual([]);
  fake.emit(fakeEvent('now'));
  await seen.waitFor(1);
  client.close();
  await server.stop();
});

test('the first listener attaches and the last one detaches', async () => {
  const asked: string[] = [];
  const socketPath = await serveRaw((line) => {
    asked.push(line.request);
    return line.request === 'hello' ? hello(1)(line) : `{"id":${line.id},"result":{}}\n`;
  });
  const client = await connect({ socketPath, clock: systemClock });
  const listening = [client.onEvent(() => undefined), client.onEvent(() => undefined)];
  for (const one of listening) one.dispose();
  client.onEvent(() => undefined);
  await client.request('rescan', {});
  expect(asked).toEqual(['hello', 'attach', 'detach', 'attach', 'rescan']);
  client.close();
});

test('connecting can be cancelled', async () => {
  const signal = AbortSignal.abort();
  const connecting = connect({ socketPath: await freshSocketPath(), clock: systemClock, signal });
  await expect(connecting).rejects.toMatchObject({ diagnostic: { code: 'run/stopped' } });
});
