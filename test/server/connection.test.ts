import { expect, test } from 'vitest';
import { Connection } from '../../src/server/connection.ts';
import { createFakeApi } from '../support/fakeApi.ts';

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

test('a client that asks much and reads nothing is not read any further until it reads', async () => {
  const calls: string[] = [];
  const socket = {
    write: () => false,
    pause: () => calls.push('pause'),
    resume: () => calls.push('resume'),
    end: () => calls.push('end'),
  };
  const api = createFakeApi({ state: () => ({ result: 'x'.repeat(700_000), summary: '' }) });
  const connection = new Connection({ api, socket, log: silent, flushEvents: () => undefined });
  const ask = async (id: number) => {
    const line = { id, request: 'state', params: { plan: 'a', verb: 'b', args: {} } };
    connection.onData(Buffer.from(`${JSON.stringify(line)}\n`));
    await new Promise((resolve) => setImmediate(resolve));
  };
  for (const id of [1, 2, 3, 4]) await ask(id);
  expect(calls).toEqual(['pause']);
  connection.onDrain();
  expect(calls).toEqual(['pause']);
  connection.onDrain();
  expect(calls).toEqual(['pause', 'resume']);
});
