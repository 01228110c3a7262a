import { expect, test } from 'vitest';
import { failure } from '../../src/model/codes.ts';
import type { ClientLine } from '../../src/model/protocol.ts';
import { ApiClient } from '../../src/wire/apiClient.ts';
import type { ApiLine } from '../../src/wire/lineTransport.ts';
import { fakeEvent, reasonOf } from '../support/fakeApi.ts';

/** A client whose other end is the test. */
function makeClient() {
  const sent: ClientLine[] = [];
  const listening: boolean[] = [];
  const listeners: ((line: ApiLine) => void)[] = [];
  const transport = {
    send: (line: ClientLine) => sent.push(line),
    onLine: (listener: (line: ApiLine) => void) => listeners.push(listener),
  };
  const onError = (error: unknown) => {
    throw error;
  };
  const client = new ApiClient(transport, { onError, onListening: (isListening) => listening.push(isListening) });
  return {
    ...{ client, sent, listening },
    hear: (line: ApiLine) => {
      for (const listener of listeners) listener(line);
    },
  };
}

test('once the other end is gone, nothing is sent and every request rejects with the reason', async () => {
  const { client, sent } = makeClient();
  const waiting = client.api.request('list', {});
  client.close((subject) => failure('server/gone', subject, 'The owner is gone.'));
  client.close((subject) => failure('run/stopped', subject, 'Stopped.'));
  client.tell('attach', {});
  for (const asked of [waiting, client.api.request('list', {})]) {
    await expect(asked).rejects.toMatchObject({ diagnostic: { code: 'server/gone' } });
  }
  expect(sent).toEqual([{ id: 0, request: 'list', params: {} }]);
});

test('an answer that nothing waits for changes nothing, also if the request was handed on by itself', async () => {
  const { client, hear } = makeClient();
  const { request } = client.api;
  const asked = request('list', {});
  hear({ id: 7, result: 'another' });
  hear({ id: 'text', error: failure('base/internal', 'a', 'b').diagnostic });
  hear({ id: 0, result: 'its own' });
  hear({ id: 0, result: 'once more' });
  expect(await asked).toBe('its own');
});

test('a request that was answered is not cancelled afterwards', async () => {
  const { client, hear, sent } = makeClient();
  const controller = new AbortController();
  const asked = client.api.request('list', {}, controller.signal);
  hear({ id: 0, result: {} });
  await asked;
  controller.abort();
  expect(sent.map(({ request }) => request)).toEqual(['list']);
});

test('the first listener and the last one are told apart from those between', () => {
  const { client, hear, listening } = makeClient();
  const heard: string[] = [];
  const both = [1, 2].map((name) => client.api.onEvent((event) => heard.push(`${name} ${reasonOf(event)}`)));
  hear({ event: fakeEvent('begun') });
  for (const one of [...both, ...both]) one.dispose();
  hear({ event: fakeEvent('over') });
  expect([heard, listening]).toEqual([
    ['1 begun', '2 begun'],
    [true, false],
  ]);
});
