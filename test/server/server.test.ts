import { mkdir, stat, symlink, writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createDeferred } from '../../src/base/async.ts';
import { failure } from '../../src/model/codes.ts';
import { createFakeApi, fakeEvent } from '../support/fakeApi.ts';
import { ManualClock } from '../support/manualClock.ts';
import { connectRaw, freshSocketPath, serve, withServer } from './socket.ts';

describe('a line to the server', () => {
  /** Writes the text and checks the answers. */
  async function check(text: string | Buffer, expected: readonly unknown[]): Promise<void> {
    const fake = createFakeApi({
      rescan: () => ({ plans: 4, linked: [], diagnostics: [] }),
      run_cycle: (params) => {
        throw failure('server/badParams', 'run_cycle', `No number: ${params.cycles}.`);
      },
    });
    await withServer(fake, async (client) => {
      client.socket.write(text);
      expect(await client.lines.waitFor(expected.length)).toMatchObject(expected);
    });
  }

  test('can be a request before any hello', () =>
    check('{"id":1,"request":"rescan"}\n', [{ id: 1, result: { plans: 4, linked: [], diagnostics: [] } }]));
  test('can have unknown fields', () =>
    check('{"id":1,"request":"rescan","x-trace":"a","params":{"later":true}}\n', [
      { id: 1, result: { plans: 4, linked: [], diagnostics: [] } },
    ]));
  test('can have a text as its id, also one of digits beside that number', () =>
    check('{"id":"a-1","request":"rescan"}\n{"id":"1","request":"fly"}\n{"id":1}\n{"id":"b"}\n', [
      { id: 1, error: { code: 'server/badParams' } },
      { id: 'b', error: { code: 'server/badParams' } },
      { id: '1', error: { code: 'server/unknownRequest' } },
      { id: 'a-1', result: { plans: 4 } },
    ]));
  test('is ignored when it is blank', () =>
    check('\n  \n\r\n{"id":2,"request":"rescan"}\r\n', [{ id: 2, result: { plans: 4, linked: [], diagnostics: [] } }]));
  test('with an unknown request is refused', () =>
    check('{"id":3,"request":"fly"}\n', [{ id: 3, error: { code: 'server/unknownRequest', subject: 'fly' } }]));
  test('with the name of an inherited property is refused', () =>
    check('{"id":3,"request":"toString"}\n', [{ id: 3, error: { code: 'server/unknownRequest' } }]));
  test('with bad parameters is refused with the message of the Api', () =>
    check('{"id":4,"request":"run_cycle","params":{"plan":"a","cycles":"two"}}\n', [
      { id: 4, error: { code: 'server/badParams', subject: 'run_cycle', message: 'No number: two.' } },
    ]));
  test('a line to the server that is not JSON is refused without an id', () =>
    check('nonsense\n{"id":5,"request":"rescan"}\n', [
      { id: -1, error: { code: 'server/badParams' } },
      { id: 5, result: { plans: 4, linked: [], diagnostics: [] } },
    ]));
  test('a line to the server that is not UTF-8 is refused', () =>
    check(Buffer.from('7b226964223a372c2272657175657374223a22ff227d0a', 'hex'), [
      { id: 7, error: { code: 'server/badParams', message: expect.stringContaining('UTF-8') } },
    ]));
  test('with a raw NUL byte is not JSON, but an escaped one is a character', () =>
    check('{"id":8,\0"request":"rescan"}\n{"id":9,"request":"re\\u0000scan"}\n', [
      { id: -1, error: { code: 'server/badParams' } },
      { id: 9, error: { code: 'server/unknownRequest' } },
    ]));
  test('a line to the server that is not a request is refused with its id', () =>
    check('{"id":6}\n', [
      { id: 6, error: { code: 'server/badParams', message: expect.stringContaining('request: ') } },
    ]));
});

test('a line can arrive in pieces, cut within a character', async () => {
  const fake = createFakeApi({ state: (params) => ({ result: params.verb, summary: 'did it' }) });
  await withServer(fake, async (client) => {
    const bytes = Buffer.from('{"id":1,"request":"state","params":{"plan":"a","verb":"é","args":{}}}\n');
    const cut = bytes.indexOf(0xa9);
    client.socket.write(bytes.subarray(0, cut));
    await new Promise((resolve) => client.socket.write(bytes.subarray(cut), resolve));
    expect(await client.lines.waitFor(1)).toEqual([{ id: 1, result: { result: 'é', summary: 'did it' } }]);
  });
});

test('a line over 8 MiB is refused and its connection closed, while other connections stay', async () => {
  await withServer(
    createFakeApi({ rescan: () => ({ plans: 1, linked: [], diagnostics: [] }) }),
    async (client, server) => {
      const other = await connectRaw(server.socketPath);
      client.socket.write(`{"id":1,"request":"${'x'.repeat(8 * 1024 * 1024)}`);
      expect(await client.lines.waitFor(1)).toMatchObject([{ id: -1, error: { code: 'server/lineTooLong' } }]);
      await client.closed;
      other.send({ id: 1, request: 'rescan' });
      expect(await other.lines.waitFor(1)).toEqual([{ id: 1, result: { plans: 1, linked: [], diagnostics: [] } }]);
      other.socket.destroy();
    },
  );
});

test('a client that keeps sending after a refused line is cut off after two seconds', async () => {
  const clock = new ManualClock();
  const server = await serve(createFakeApi({}), undefined, clock);
  const socket = createConnection({ path: server.socketPath, allowHalfOpen: true });
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const told = new Promise((resolve) => socket.once('end', resolve));
  socket.resume();
  socket.write('x'.repeat(9 * 1024 * 1024));
  await told;
  expect(server.clients()).toBe(1);
  clock.advance(2_000);
  await closed;
  await server.stop();
});

test('half a line from a client that dies is dropped', async () => {
  const fake = createFakeApi({ rescan: () => ({ plans: 1, linked: [], diagnostics: [] }) });
  await withServer(fake, async (client, server) => {
    const dying = await connectRaw(server.socketPath);
    await new Promise((resolve) => dying.socket.write('{"id":1,"request":"res', resolve));
    dying.socket.destroy();
    client.send({ id: 2, request: 'rescan' });
    expect(await client.lines.waitFor(1)).toMatchObject([{ id: 2 }]);
    expect(fake.requested).toEqual(['rescan']);
  });
});

test('an answer over 8 MiB becomes an error', async () => {
  const fake = createFakeApi({ state: () => ({ result: 'x'.repeat(8 * 1024 * 1024), summary: '' }) });
  await withServer(fake, async (client) => {
    client.send({ id: 1, request: 'state', params: { plan: 'a', verb: 'b', args: {} } });
    expect(await client.lines.waitFor(1)).toMatchObject([{ id: 1, error: { code: 'server/lineTooLong' } }]);
  });
});

describe('a client that closes its own side', () => {
  /** Checks every answer up to the end of the connection. */
  async function check(sent: readonly unknown[], expected: readonly unknown[]): Promise<void> {
    const fake = createFakeApi({
      rescan: () => new Promise((resolve) => setImmediate(() => resolve({ plans: 4, linked: [], diagnostics: [] }))),
    });
    await withServer(fake, async (client, server) => {
      client.socket.end(sent.map((line) => `${JSON.stringify(line)}\n`).join(''));
      await client.closed;
      expect(client.lines.values).toEqual(expected);
      expect(server.clients()).toBe(0);
    });
  }

  test('gets all its answers', () =>
    check(
      [
        { id: 1, request: 'rescan' },
        { id: 2, request: 'rescan' },
      ],
      [
        { id: 1, result: { plans: 4, linked: [], diagnostics: [] } },
        { id: 2, result: { plans: 4, linked: [], diagnostics: [] } },
      ],
    ));
  test('gets nothing when it asked for nothing', () => check([], []));

  test('keeps getting events once it has attached', async () => {
    const fake = createFakeApi({});
    await withServer(fake, async (client) => {
      client.socket.end('{"id":1,"request":"attach"}\n');
      await client.lines.waitFor(1);
      fake.emit(fakeEvent('one'));
      expect(await client.lines.waitFor(2)).toEqual([{ id: 1, result: {} }, { event: fakeEvent('one') }]);
    });
  });
});

test('a thrown error becomes the answer, and one without a diagnostic is logged', async () => {
  const fake = createFakeApi({
    verify: () => {
      throw new Error('the disk is made of cheese');
    },
    rescan: () => {
      throw failure('vault/none', 'x', 'No vault.');
    },
  });
  await withServer(fake, async (client, server) => {
    client.send({ id: 1, request: 'verify' }, { id: 2, request: 'rescan' });
    const answers = (await client.lines.waitFor(2)) as { readonly id: number }[];
    expect(answers.toSorted((a, b) => a.id - b.id)).toMatchObject([
      { id: 1, error: { code: 'base/internal', message: 'the disk is made of cheese' } },
      { id: 2, error: { code: 'vault/none' } },
    ]);
    expect(server.logged).toHaveLength(1);
  });
});

test('cancel aborts only the request that it names', async () => {
  const signals = new Map<string, AbortSignal>();
  const bothRun = createDeferred<void>();
  const fake = createFakeApi({
    run_phase: (params, signal) =>
      new Promise((_resolve, reject) => {
        signals.set(params.plan, signal);
        signal.addEventListener('abort', () => reject(signal.reason));
        if (signals.size === 2) bothRun.resolve();
      }),
  });
  await withServer(fake, async (client) => {
    client.send({ id: 1, request: 'run_phase', params: { plan: 'a' } });
    client.send({ id: 2, request: 'run_phase', params: { plan: 'b' } });
    await bothRun.promise;
    client.send({ id: 3, request: 'cancel', params: { id: 2 } }, { id: 4, request: 'cancel', params: { id: 77 } });
    const lines = await client.lines.waitFor(3);
    expect(lines).toContainEqual({ id: 3, result: { cancelled: true } });
    expect(lines).toContainEqual({ id: 4, result: { cancelled: false } });
    expect(lines).toContainEqual(
      expect.objectContaining({ id: 2, error: expect.objectContaining({ code: 'run/stopped' }) }),
    );
    expect(signals.get('a')?.aborted).toBe(false);
  });
});

test('an id in use is refused', async () => {
  await withServer(createFakeApi({ rescan: () => new Promise(() => undefined) }), async (client) => {
    client.send({ id: 1, request: 'rescan' }, { id: 1, request: 'rescan' });
    expect(await client.lines.waitFor(1)).toMatchObject([{ id: 1, error: { code: 'server/badParams' } }]);
  });
});

test('who stops the last run is answered before the owner leaves, however soon that is', async () => {
  const ended = createDeferred<{ stopped: boolean }>();
  const asked = createDeferred<void>();
  const fake = createFakeApi({
    stop: () => {
      asked.resolve();
      return ended.promise;
    },
  });
  const server = await serve(fake);
  const client = await connectRaw(server.socketPath);
  client.send({ id: 1, request: 'stop', params: { plan: 'a' } });
  await asked.promise;
  const left = server.stop();
  ended.resolve({ stopped: true });
  await left;
  await client.closed;
  expect(client.lines.values).toEqual([{ id: 1, result: { stopped: true } }, { goodbye: true }]);
});

test('stop says goodbye, aborts no run and removes the socket', async () => {
  const started = createDeferred<AbortSignal>();
  const fake = createFakeApi({
    run_cycle: (_params, signal) => {
      started.resolve(signal);
      return new Promise(() => undefined);
    },
  });
  const server = await serve(fake);
  const client = await connectRaw(server.socketPath);
  client.send({ id: 1, request: 'run_cycle', params: { plan: 'a' } });
  const signal = await started.promise;
  await server.stop();
  await client.closed;
  expect(client.lines.values).toEqual([{ goodbye: true }]);
  expect(signal.aborted).toBe(false);
  await expect(stat(server.socketPath)).rejects.toMatchObject({ code: 'ENOENT' });
});

test('stop does not wait forever for a client that does not read', async () => {
  const asked = createDeferred<void>();
  const fake = createFakeApi({
    state: () => {
      asked.resolve();
      return { result: 'x'.repeat(4 * 1024 * 1024), summary: '' };
    },
  });
  const server = await serve(fake);
  const client = await connectRaw(server.socketPath);
  client.socket.pause();
  client.send({ id: 1, request: 'state', params: { plan: 'a', verb: 'b', args: {} } });
  await asked.promise;
  await server.stop();
  expect(server.clients()).toBe(0);
  client.socket.destroy();
});

test('only the user can connect, and the socket of a dead owner is replaced', async () => {
  const socketPath = await freshSocketPath();
  await mkdir(dirname(socketPath), { recursive: true, mode: 0o755 });
  await writeFile(socketPath, 'left over');
  const server = await serve(createFakeApi({}), socketPath);
  expect((await stat(socketPath)).mode & 0o777).toBe(0o600);
  expect((await stat(dirname(socketPath))).mode & 0o777).toBe(0o700);
  await server.stop();
});

test('a socket folder that is a link is refused', async () => {
  const socketPath = await freshSocketPath();
  await mkdir(`${dirname(socketPath)}-real`, { recursive: true });
  await symlink(`${dirname(socketPath)}-real`, dirname(socketPath));
  const starting = serve(createFakeApi({}), socketPath);
  await expect(starting).rejects.toMatchObject({
    diagnostic: { code: 'disk/failed', subject: socketPath, message: expect.stringContaining('not a folder') },
  });
});
