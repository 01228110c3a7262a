import { describe, expect, test } from 'vitest';
import { createDeferred } from '../../src/base/async.ts';
import type { RequestName } from '../../src/model/protocol.ts';
import { createFakeApi, fakeEvent } from '../support/fakeApi.ts';
import { connectRaw, type RawClient, serve, withServer } from './socket.ts';

describe('a client that disconnects', () => {
  /** Checks whether a request is aborted when its client disconnects. */
  async function check(request: RequestName, params: unknown, expected: boolean): Promise<void> {
    const started = createDeferred<AbortSignal>();
    const handler = (_params: unknown, signal: AbortSignal) => {
      started.resolve(signal);
      return new Promise<never>(() => undefined);
    };
    const server = await serve(createFakeApi({ [request]: handler }));
    const client = await connectRaw(server.socketPath);
    client.send({ id: 1, request, params });
    const signal = await started.promise;
    const other = await connectRaw(server.socketPath);
    client.socket.destroy();
    // No event tells that the server has seen the end of the first client: it counts one client then.
    while (server.clients() > 1) {
      other.send({ id: 1, request: 'hello', params: { protocol: 1 } });
      await other.lines.waitFor(other.lines.values.length + 1);
    }
    expect(signal.aborted).toBe(expected);
    other.socket.destroy();
    await server.stop();
  }

  test('aborts a request that only it waits for', () => check('status', { plan: 'a' }, true));
  test('does not abort a phase', () => check('run_phase', { plan: 'a' }, false));
  test('does not abort a cycle', () => check('run_cycle', { plan: 'a' }, false));
  test('does not abort a retry', () => check('retry', { plan: 'a' }, false));
  test('does not abort a session call', () =>
    check('session_call', { session: 's', token: 't', call: 'c', tool: 'x', args: {} }, false));
});

test('two clients get the same events, each from when it attached', async () => {
  const fake = createFakeApi({});
  await withServer(fake, async (first, server) => {
    const second = await connectRaw(server.socketPath);
    first.send({ id: 1, request: 'attach' });
    await first.lines.waitFor(1);
    fake.emit(fakeEvent('one'));
    await first.lines.waitFor(2);
    second.send({ id: 1, request: 'attach' });
    await second.lines.waitFor(1);
    fake.emit(fakeEvent('two'));
    expect(await first.lines.waitFor(3)).toEqual([
      { id: 1, result: {} },
      { event: fakeEvent('one') },
      { event: fakeEvent('two') },
    ]);
    expect(await second.lines.waitFor(2)).toEqual([{ id: 1, result: {} }, { event: fakeEvent('two') }]);
    second.socket.destroy();
  });
});

test('a client that detached gets answers and no events', async () => {
  const fake = createFakeApi({ rescan: () => ({ plans: 1, linked: [], diagnostics: [] }) });
  await withServer(fake, async (client) => {
    client.send({ id: 1, request: 'attach' }, { id: 2, request: 'detach' });
    await client.lines.waitFor(2);
    fake.emit(fakeEvent('unheard'));
    client.send({ id: 3, request: 'rescan' });
    expect((await client.lines.waitFor(3))[2]).toMatchObject({ id: 3 });
  });
});

test('a flood from one client does not starve another', async () => {
  const order: string[] = [];
  const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
  const fake = createFakeApi({
    rescan: async () => {
      await turn();
      order.push('flood');
      return { plans: 1, linked: [], diagnostics: [] };
    },
    stop: async () => {
      await turn();
      order.push('other');
      return { stopped: true };
    },
  });
  await withServer(fake, async (client, server) => {
    const other = await connectRaw(server.socketPath);
    const total = 20_000;
    client.socket.write(Array.from({ length: total }, (_, id) => `{"id":${id},"request":"rescan"}\n`).join(''));
    await client.lines.waitFor(1);
    other.send({ id: 1, request: 'stop', params: { plan: 'a' } });
    await other.lines.waitFor(1);
    expect(order.indexOf('other')).toBeLessThan(total / 2);
    expect((await client.lines.waitFor(total)).length).toBe(total);
    other.socket.destroy();
  });
});

test('a client that does not read loses its oldest events, learns how many, and does not slow other clients', async () => {
  const fake = createFakeApi({ rescan: () => ({ plans: 1, linked: [], diagnostics: [] }) });
  await withServer(fake, async (fast, server) => {
    const slow = await connectRaw(server.socketPath);
    for (const client of [fast, slow]) client.send({ id: 1, request: 'attach' });
    await Promise.all([fast.lines.waitFor(1), slow.lines.waitFor(1)]);
    slow.socket.pause();
    const text = 'x'.repeat(1_000);
    const total = 6_000;
    for (let n = 0; n < total; n++) {
      fake.emit(fakeEvent(`${n} ${text}`));
      if (n % 200 === 199) await fast.lines.waitFor(n + 2);
    }
    await fast.lines.waitFor(total + 1);
    slow.send({ id: 2, request: 'rescan' });
    slow.socket.resume();
    const answer = await waitForId(slow, 2);
    expect(numbersOf(fast)).toEqual(Array.from({ length: total }, (_, n) => n));
    const lines = slow.lines.values.slice(1, answer);
    const told = lines.findIndex((line) => 'dropped' in line);
    const before = lines.slice(0, told).map(numberOf);
    const after = lines.slice(told + 1).map(numberOf);
    const dropped = Number(lines[told]?.['dropped']);
    expect(dropped).toBeGreaterThan(1_000);
    expect([...before, ...Array.from({ length: dropped }, (_, n) => before.length + n), ...after]).toEqual(
      Array.from({ length: total }, (_, n) => n),
    );
    expect(after.length).toBeGreaterThan(500);
    slow.socket.destroy();
  });

  function numbersOf(client: RawClient): number[] {
    return client.lines.values.filter((line) => 'event' in line).map(numberOf);
  }
  function numberOf(line: Record<string, unknown>): number {
    return Number(String((line['event'] as { reason: string }).reason).split(' ')[0]);
  }
  async function waitForId(client: RawClient, id: number): Promise<number> {
    for (let seen = 1; ; seen = client.lines.values.length + 1) {
      const at = client.lines.values.findIndex((line) => line['id'] === id);
      if (at >= 0) return at;
      await client.lines.waitFor(seen);
    }
  }
});

test('an event longer than a line can be is reported as dropped', async () => {
  const fake = createFakeApi({});
  await withServer(fake, async (client) => {
    client.send({ id: 1, request: 'attach' });
    await client.lines.waitFor(1);
    fake.emit(fakeEvent('x'.repeat(8 * 1024 * 1024)));
    fake.emit(fakeEvent('after'));
    expect((await client.lines.waitFor(3)).slice(1)).toEqual([{ dropped: 1 }, { event: fakeEvent('after') }]);
  });
});
