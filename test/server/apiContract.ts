import { describe, expect, test } from 'vitest';
import { createDeferred } from '../../src/base/async.ts';
import { RavelError } from '../../src/base/errors.ts';
import { failure } from '../../src/model/codes.ts';
import type { RavelEvent } from '../../src/model/event.ts';
import type { Api, RequestResults } from '../../src/model/protocol.ts';
import { Collector, createFakeApi, type FakeApi, fakeEvent, reasonOf } from '../support/fakeApi.ts';

/** An Api under test in front of the fake that answers it. */
export interface ApiUnderTest {
  readonly api: Api;
  stop(): Promise<void>;
}

/** What every face can rely on, whether the Api is the owner's own or a client's. */
export function describeApiContract(name: string, open: (fake: FakeApi) => Promise<ApiUnderTest>): void {
  async function withApi(fake: FakeApi, use: (api: Api) => Promise<void>): Promise<void> {
    const { api, stop } = await open(fake);
    try {
      await use(api);
    } finally {
      await stop();
    }
  }

  describe(`the contract of an Api: ${name}`, () => {
    test('a request gets the result for its name and parameters', async () => {
      const fake = createFakeApi({ state: (params) => ({ result: params, summary: '' }) });
      await withApi(fake, async (api) => {
        const params = { plan: 'demo', verb: 'memory/add', args: { title: 'π', body: 'a\nb' } };
        expect(await api.request('state', params)).toEqual({ result: params, summary: '' });
      });
    });

    test('a failure keeps its whole diagnostic', async () => {
      const error = failure('yaml/syntax', 'demo/project-root', 'Line 3 is wrong.', {
        file: '/a/backlog.yaml',
        range: { start: { line: 2, character: 0 }, end: { line: 2, character: 4 } },
      });
      const fake = createFakeApi({
        verify: () => {
          throw error;
        },
      });
      await withApi(fake, async (api) => {
        const caught = await api.request('verify', {}).catch((reason: unknown) => reason);
        expect(caught).toBeInstanceOf(RavelError);
        expect((caught as RavelError).diagnostic).toEqual(error.diagnostic);
      });
    });

    test('a slow request does not hold up a fast one', async () => {
      const slow = createDeferred<RequestResults['rescan']>();
      const fake = createFakeApi({ rescan: () => slow.promise, stop: () => ({ stopped: true }) });
      await withApi(fake, async (api) => {
        const first = api.request('rescan', {});
        expect(await api.request('stop', { plan: 'demo' })).toEqual({ stopped: true });
        slow.resolve({ plans: 3, linked: [], diagnostics: [] });
        expect(await first).toEqual({ plans: 3, linked: [], diagnostics: [] });
      });
    });

    test('an aborted request rejects, and its handler’s signal is aborted', async () => {
      const started = createDeferred<void>();
      const heard = createDeferred<void>();
      const fake = createFakeApi({
        run_cycle: (_params, signal) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => {
              heard.resolve();
              reject(failure('run/stopped', 'demo', 'Stopped.'));
            });
            started.resolve();
          }),
      });
      await withApi(fake, async (api) => {
        const controller = new AbortController();
        const result = api.request('run_cycle', { plan: 'demo' }, controller.signal);
        result.catch(() => undefined);
        await started.promise;
        controller.abort();
        await heard.promise;
        await expect(result).rejects.toMatchObject({ diagnostic: { code: 'run/stopped' } });
      });
    });

    test('every listener gets each event once and in order, until it is disposed', async () => {
      const fake = createFakeApi({ rescan: () => ({ plans: 0, linked: [], diagnostics: [] }) });
      await withApi(fake, async (api) => {
        const stays = new Collector<RavelEvent>();
        const leaves = new Collector<RavelEvent>();
        api.onEvent(stays.add);
        const listening = api.onEvent(leaves.add);
        await api.request('rescan', {});
        for (let n = 0; n < 100; n++) fake.emit(fakeEvent(`first ${n}`));
        await leaves.waitFor(100);
        listening.dispose();
        fake.emit(fakeEvent('last'));
        const seen = (await stays.waitFor(101)).map(reasonOf);
        expect(seen).toEqual([...Array.from({ length: 100 }, (_, n) => `first ${n}`), 'last']);
        expect(leaves.values).toHaveLength(100);
      });
    });

    test('a response does not overtake the events before it', async () => {
      const fake = createFakeApi({
        rescan: () => {
          fake.emit(fakeEvent('before the answer'));
          return { plans: 1, linked: [], diagnostics: [] };
        },
      });
      await withApi(fake, async (api) => {
        const seen = new Collector<RavelEvent>();
        api.onEvent(seen.add);
        await api.request('rescan', {});
        expect(seen.values.map(reasonOf)).toEqual(['before the answer']);
      });
    });
  });
}
