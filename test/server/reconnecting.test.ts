import { expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { RavelError } from '../../src/base/errors.ts';
import { failure } from '../../src/model/codes.ts';
import { type ClientApi, connect } from '../../src/server/client.ts';
import { ReconnectingClient } from '../../src/server/reconnecting.ts';
import type { CloseReason } from '../../src/server/socketTransport.ts';
import { Collector, createFakeApi } from '../support/fakeApi.ts';
import { ManualClock } from '../support/manualClock.ts';
import { freshSocketPath, serve } from './socket.ts';

interface FakeOwner {
  readonly client: ClientApi;
  leave(reason: CloseReason): void;
}

function fakeOwner(answer: () => unknown): FakeOwner {
  const closes = new Set<(reason: CloseReason) => void>();
  const leaving = new Set<(error: unknown) => void>();
  const client = {
    ...createFakeApi({}),
    request: () =>
      new Promise((resolve, reject) => {
        leaving.add(reject);
        const result = answer();
        if (result instanceof RavelError) reject(result);
        else if (result !== undefined) resolve(result);
      }),
    owner: { protocol: 1, version: '0', vault: '/v', pid: 1 },
    close: () => undefined,
    onDidClose(listener: (reason: CloseReason) => void) {
      closes.add(listener);
      return { dispose: () => closes.delete(listener) };
    },
    onDidDrop: () => ({ dispose: () => undefined }),
  } as unknown as ClientApi;
  return {
    client,
    leave(reason) {
      for (const reject of leaving) reject(failure('server/gone', 'connection', 'Gone.'));
      for (const listener of closes) listener(reason);
    },
  };
}

test('the reconnecting client tries every place, then waits longer each time, up to a second', async () => {
  const clock = new ManualClock();
  const tried: string[] = [];
  const client = new ReconnectingClient({
    clock,
    locate: async () => ['/first', '/second'],
    connect: async ({ socketPath }) => {
      tried.push(`${clock.monotonicMs()} ${socketPath}`);
      throw failure('server/gone', socketPath, 'Nobody.');
    },
  });
  for (const pause of [50, 100, 200, 400, 800, 1000, 1000]) {
    await clock.whenScheduled();
    clock.advance(pause);
  }
  await clock.whenScheduled();
  const starts = tried.filter((text) => text.endsWith('/first')).map((text) => Number(text.split(' ')[0]));
  expect(starts).toEqual([0, 50, 150, 350, 750, 1550, 2550, 3550]);
  expect(tried).toHaveLength(16);
  client.stop();
  await expect(client.request('list', {})).rejects.toMatchObject({ diagnostic: { code: 'run/stopped' } });
});

test('an open request is repeated with the next owner and the same parameters', async () => {
  const seen = new Collector<string>();
  const call = { session: 's', token: 't', call: 'the same', tool: 'x', args: {} };
  const first = await serve(
    createFakeApi({
      session_call: (params) => {
        seen.add(`first ${params.call}`);
        return new Promise(() => undefined);
      },
    }),
  );
  const places = [first.socketPath];
  const client = new ReconnectingClient({ clock: systemClock, locate: async () => places });
  const result = client.request('session_call', call);
  await seen.waitFor(1);
  expect(client.owner).toEqual({ kind: 'connected' });
  await first.stop();
  const second = await serve(
    createFakeApi({
      session_call: (params) => {
        seen.add(`second ${params.call}`);
        return { text: 'done', isError: false };
      },
    }),
    await freshSocketPath(),
  );
  places.push(second.socketPath);
  expect(await result).toEqual({ text: 'done', isError: false });
  expect(seen.values).toEqual(['first the same', 'second the same']);
  client.stop();
  await second.stop();
});

test('an error from the owner is not repeated, even when its code is server/gone', async () => {
  let asked = 0;
  const owner = fakeOwner(() => {
    asked++;
    return failure('server/gone', 'somebody', 'Gone.');
  });
  const client = new ReconnectingClient({
    clock: new ManualClock(),
    locate: async () => ['/s'],
    connect: async () => owner.client,
  });
  await expect(client.request('list', {})).rejects.toMatchObject({ diagnostic: { subject: 'somebody' } });
  expect(asked).toBe(1);
  client.stop();
});

test('the client knows since when the owner is absent and whether it said goodbye', async () => {
  const clock = new ManualClock();
  const owners = [fakeOwner(() => ({})), fakeOwner(() => ({}))];
  let here: FakeOwner | undefined = owners[0];
  const client = new ReconnectingClient({
    clock,
    locate: async () => ['/s'],
    connect: async () => {
      if (here === undefined) throw failure('server/gone', '/s', 'Nobody.');
      return here.client;
    },
  });
  expect(client.owner).toEqual({ kind: 'absent', sinceMs: 0, orderly: false });
  await client.request('list', {});
  expect(client.owner).toEqual({ kind: 'connected' });
  here = undefined;
  clock.advance(10);
  owners[0]?.leave('goodbye');
  expect(client.owner).toEqual({ kind: 'absent', sinceMs: 10, orderly: true });
  await clock.whenScheduled();
  here = owners[1];
  clock.advance(50);
  await client.request('list', {});
  expect(client.owner).toEqual({ kind: 'connected' });
  here = undefined;
  owners[1]?.leave('lost');
  expect(client.owner).toMatchObject({ orderly: false });
  client.stop();
});

test('an owner with another protocol version fails the request, and the next request connects again', async () => {
  const connecting: (() => Promise<ClientApi>)[] = [
    async () => {
      throw failure('server/protocol', '/s', 'Another version.');
    },
    async () => fakeOwner(() => ({ plans: [] })).client,
  ];
  const client = new ReconnectingClient({
    clock: new ManualClock(),
    locate: async () => ['/s'],
    connect: () => (connecting.shift() ?? (() => connect({ socketPath: '/none', clock: systemClock })))(),
  });
  await expect(client.request('list', {})).rejects.toMatchObject({ diagnostic: { code: 'server/protocol' } });
  expect(await client.request('list', {})).toEqual({ plans: [] });
  client.stop();
});
