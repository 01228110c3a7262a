import { describe, expect, test } from 'vitest';
import { createDeferred } from '../../src/base/async.ts';
import { systemClock } from '../../src/base/clock.ts';
import { Emitter } from '../../src/base/emitter.ts';
import { RavelError } from '../../src/base/errors.ts';
import { failure } from '../../src/model/codes.ts';
import type { RequestResults } from '../../src/model/protocol.ts';
import { type EditorLine, type PageApi, pageProtocol } from '../../src/model/webview.ts';
import { connect } from '../../src/server/client.ts';
import { PageConnection } from '../../src/ui/runner/pageConnection.ts';
import { ApiClient } from '../../src/wire/apiClient.ts';
import { pageTransport } from '../../src/wire/pageLines.ts';
import { serve } from '../server/socket.ts';
import { createFakeApi, type FakeApi, fakeEvent, fakePlan, reasonOf } from '../support/fakeApi.ts';

/** A client at one end of a transport, and an Api at the other. */
interface Pair {
  readonly api: PageApi;
  /** The client goes away. */
  leave(): void;
  stop(): Promise<void>;
}

async function overSocket(fake: FakeApi): Promise<Pair> {
  const server = await serve(fake);
  const client = await connect({ socketPath: server.socketPath, clock: systemClock });
  return {
    api: { request: (name, params, signal) => client.request(name, params as never, signal), onEvent: client.onEvent },
    leave: () => client.close(),
    async stop() {
      client.close();
      await server.stop();
    },
  };
}

function rethrow(error: unknown): never {
  throw error;
}

/** The editor clones the lines between it and a page, as it does here. */
async function overPage(fake: FakeApi): Promise<Pair> {
  const lines = new Emitter<EditorLine>(rethrow);
  const connection = new PageConnection(
    { plan: fakePlan },
    {
      ...{ api: fake, clock: systemClock, open: () => undefined, requireTrust: () => undefined },
      async send(line) {
        lines.emit(structuredClone(line));
        return true;
      },
      windowState: () => ({}),
      drafts: { all: {}, set: () => undefined },
      onLateFailure: () => undefined,
      log: { warn: rethrow },
    },
  );
  const transport = pageTransport({
    send: (line) => connection.take(structuredClone(line)),
    onLine: (listener) => void lines.event(listener),
  });
  const client = new ApiClient(transport, { onError: rethrow });
  connection.take({ type: 'ready', protocol: pageProtocol });
  return {
    api: client.api,
    leave: () => connection.leave(),
    stop: async () => connection.dispose(),
  };
}

async function withPair(
  open: (fake: FakeApi) => Promise<Pair>,
  fake: FakeApi,
  use: (pair: Pair) => Promise<void>,
): Promise<void> {
  const pair = await open(fake);
  try {
    await use(pair);
  } finally {
    await pair.stop();
  }
}

const plans: RequestResults['list'] = { plans: [] } as never;

describe.each([
  ['a socket', overSocket],
  ['a page', overPage],
] as const)('requests over %s', (_name, open) => {
  test('get the results of their own names and parameters', async () => {
    const fake = createFakeApi({ state: (params) => ({ result: params, summary: 'π' }), list: () => plans });
    await withPair(open, fake, async ({ api }) => {
      const params = { plan: 'demo', verb: 'memory/add', args: { title: 'π', body: 'a\nb' } };
      const both = await Promise.all([api.request('state', params), api.request('list', {})]);
      expect(both).toEqual([{ result: params, summary: 'π' }, plans]);
    });
  });

  test('fail with the whole diagnostic', async () => {
    const error = failure('yaml/syntax', 'demo/project-root', 'Line 3 is wrong.', {
      file: '/a/backlog.yaml',
      range: { start: { line: 2, character: 0 }, end: { line: 2, character: 4 } },
    });
    await withPair(open, createFakeApi({ list: () => Promise.reject(error) }), async ({ api }) => {
      const caught = await api.request('list', {}).catch((reason: unknown) => reason);
      expect(caught).toBeInstanceOf(RavelError);
      expect((caught as RavelError).diagnostic).toEqual(error.diagnostic);
    });
  });

  test('fail with the message of an error that has no diagnostic', async () => {
    await withPair(open, createFakeApi({ list: () => Promise.reject(new Error('torn')) }), async ({ api }) => {
      await expect(api.request('list', {})).rejects.toMatchObject({ diagnostic: { message: 'torn' } });
    });
  });

  test('do not hold up each other', async () => {
    const slow = createDeferred<RequestResults['list']>();
    const fake = createFakeApi({ list: () => slow.promise, stop: () => ({ stopped: true }) });
    await withPair(open, fake, async ({ api }) => {
      const first = api.request('list', {});
      expect(await api.request('stop', { plan: 'demo' })).toEqual({ stopped: true });
      slow.resolve(plans);
      expect(await first).toEqual(plans);
    });
  });

  test('reject as soon as they are given up, and the other end hears of it', async () => {
    const begun = createDeferred<void>();
    const heard = createDeferred<void>();
    const late = createDeferred<RequestResults['list']>();
    const fake = createFakeApi({
      list(_params, signal) {
        signal.addEventListener('abort', () => heard.resolve());
        begun.resolve();
        return late.promise;
      },
      stop: () => ({ stopped: true }),
    });
    await withPair(open, fake, async ({ api }) => {
      const controller = new AbortController();
      const asked = api.request('list', {}, controller.signal);
      const rejected = expect(asked).rejects.toMatchObject({ diagnostic: { code: 'run/stopped' } });
      await begun.promise;
      controller.abort();
      await rejected;
      await heard.promise;
      // An answer that comes all the same is dropped, and the next request gets its own.
      late.resolve(plans);
      expect(await api.request('stop', { plan: 'demo' })).toEqual({ stopped: true });
    });
  });

  test('that were given up before are not sent', async () => {
    const fake = createFakeApi({ list: () => plans, stop: () => ({ stopped: true }) });
    await withPair(open, fake, async ({ api }) => {
      const asked = api.request('list', {}, AbortSignal.abort());
      await expect(asked).rejects.toMatchObject({ diagnostic: { code: 'run/stopped' } });
      await api.request('stop', { plan: 'demo' });
      expect(fake.requested).not.toContain('list');
    });
  });

  test('are answered after the events that came before the answer', async () => {
    const answer = createDeferred<RequestResults['list']>();
    const fake = createFakeApi({ list: () => answer.promise, stop: () => ({ stopped: true }) });
    await withPair(open, fake, async ({ api }) => {
      const order: string[] = [];
      api.onEvent((event) => order.push(reasonOf(event)));
      await api.request('stop', { plan: 'demo' });
      const asked = api.request('list', {}).then(() => order.push('answer'));
      for (const reason of ['first', 'second']) fake.emit(fakeEvent(reason));
      answer.resolve(plans);
      await asked;
      expect(order).toEqual(['first', 'second', 'answer']);
    });
  });

  test('that only look end with their client, and runs go on', async () => {
    const ended = createDeferred<void>();
    const begun = { list: createDeferred<AbortSignal>(), run_phase: createDeferred<AbortSignal>() };
    const never = new Promise<never>(() => undefined);
    const fake = createFakeApi({
      list(_params, signal) {
        signal.addEventListener('abort', () => ended.resolve());
        begun.list.resolve(signal);
        return never;
      },
      run_phase(_params, signal) {
        begun.run_phase.resolve(signal);
        return never;
      },
    });
    await withPair(open, fake, async ({ api, leave }) => {
      for (const asked of [api.request('list', {}), api.request('run_phase', { plan: 'demo' })]) {
        asked.catch(() => undefined);
      }
      const [, run] = await Promise.all([begun.list.promise, begun.run_phase.promise]);
      leave();
      await ended.promise;
      expect(run.aborted).toBe(false);
    });
  });
});
