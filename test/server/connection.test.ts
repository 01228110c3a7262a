import { describe, expect, test } from 'vitest';
import { createDeferred } from '../../src/base/async.ts';
import { failure } from '../../src/model/codes.ts';
import { Connection } from '../../src/server/connection.ts';
import { createFakeApi } from '../support/fakeApi.ts';

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

test('a client that asks for much but reads nothing is not read until it reads', async () => {
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
  for (const id of [1, 2, 3]) await ask(id);
  expect(calls).toEqual(['pause']);
  // A line that still arrived waits as well.
  await ask(4);
  expect(api.requested).toHaveLength(3);
  connection.onDrain();
  await new Promise((resolve) => setImmediate(resolve));
  expect(api.requested).toHaveLength(4);
  expect(calls).toEqual(['pause', 'resume', 'pause']);
  connection.onDrain();
  expect(calls).toEqual(['pause', 'resume', 'pause', 'resume']);
});

test('a refusal with very long texts is shortened to fit a line', async () => {
  const written: string[] = [];
  const socket = {
    write: (bytes: Uint8Array) => written.push(Buffer.from(bytes).toString()) > 0,
    ...{ pause: () => undefined, resume: () => undefined, end: () => undefined },
  };
  // A quote takes more bytes in JSON than as text.
  const large = '"'.repeat(3_000_000);
  const problem = failure('state/unknownRecord', large, `There is no task ${large}.`, { help: `Not ${large}?` });
  const api = createFakeApi({ state: () => Promise.reject(problem) });
  const connection = new Connection({ api, socket, log: silent, flushEvents: () => undefined });
  connection.onData(Buffer.from('{"id":1,"request":"state","params":{"plan":"a","verb":"b","args":{}}}\n'));
  await new Promise((resolve) => setImmediate(resolve));
  const { id, error } = JSON.parse(written.join(''));
  expect([id, error.code, error.severity]).toEqual([1, 'state/unknownRecord', 'error']);
  expect(error.message).toMatch(/^There is no task "+…$/);
  expect(error.help).toMatch(/^Not "+…$/);
  expect(written.join('').length).toBeLessThan(20_000);
});

describe('concurrent requests of one connection', () => {
  /** A client that sends one line for each of `names`; the Api answers when `settle` is called. */
  async function flood(names: readonly ('rescan' | 'run_cycle' | 'cancel')[]) {
    const answered = createDeferred<never>();
    const written: string[] = [];
    const calls: string[] = [];
    const socket = {
      write: (bytes: Uint8Array) => {
        written.push(...Buffer.from(bytes).toString().trimEnd().split('\n'));
        return true;
      },
      pause: () => calls.push('pause'),
      resume: () => calls.push('resume'),
      end: () => calls.push('end'),
    };
    const api = createFakeApi({ rescan: () => answered.promise, run_cycle: () => answered.promise });
    const connection = new Connection({ api, socket, log: silent, flushEvents: () => undefined });
    const lines = names.map((request, id) => ({
      id,
      request,
      params: request === 'cancel' ? { id: 0 } : { plan: 'a' },
    }));
    connection.onData(Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join('')));
    const settle = async () => {
      answered.resolve({} as never);
      await new Promise((resolve) => setImmediate(resolve));
    };
    return { api, connection, written, calls, settle };
  }

  test('run 64 at a time, all get their answers, and reading resumes then', async () => {
    const { api, written, calls, settle } = await flood(Array.from({ length: 1_000 }, () => 'rescan' as const));
    expect(api.requested).toHaveLength(64);
    expect(calls).toEqual(['pause']);
    await settle();
    expect(written.map((line) => JSON.parse(line).id)).toEqual(Array.from({ length: 1_000 }, (_, n) => n));
    expect(calls).toEqual(['pause', 'resume']);
  });

  test('get all their answers before the connection ends', async () => {
    const { connection, written, calls, settle } = await flood(Array.from({ length: 100 }, () => 'rescan' as const));
    connection.onEnd();
    await settle();
    expect(written.filter((line) => line !== '')).toHaveLength(100);
    expect(calls.at(-1)).toBe('end');
  });

  test('do not begin after the client is gone', async () => {
    const { api, connection, settle } = await flood(Array.from({ length: 100 }, () => 'rescan' as const));
    connection.onClose();
    await settle();
    expect(api.requested).toHaveLength(64);
  });

  test('do not wait for runs, and runs can be cancelled', async () => {
    const { api, written, calls } = await flood([
      ...Array.from({ length: 100 }, () => 'run_cycle' as const),
      'cancel',
      'rescan',
    ]);
    expect(api.requested).toHaveLength(101);
    expect(calls).toEqual([]);
    expect(JSON.parse(written[0] ?? '')).toEqual({ id: 100, result: { cancelled: true } });
  });

  test('are refused beyond 1,000 runs', async () => {
    const { api, written } = await flood(Array.from({ length: 1_001 }, () => 'run_cycle' as const));
    await new Promise((resolve) => setImmediate(resolve));
    expect(api.requested).toHaveLength(1_000);
    expect(written.map((line) => JSON.parse(line))).toMatchObject([{ id: 1_000, error: { code: 'server/busy' } }]);
  });
});
