import { describe, expect, test } from 'vitest';
import { createDeferred, nextTurn } from '../../src/base/async.ts';
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
    await nextTurn();
  };
  for (const id of [1, 2, 3]) await ask(id);
  expect(calls).toEqual(['pause']);
  // A line that still arrived waits as well.
  await ask(4);
  expect(api.requested).toHaveLength(3);
  connection.onDrain();
  await nextTurn();
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
  await nextTurn();
  const { id, error } = JSON.parse(written.join(''));
  expect([id, error.code, error.severity]).toEqual([1, 'state/unknownRecord', 'error']);
  expect(error.message).toMatch(/^There is no task "+…$/);
  expect(error.help).toMatch(/^Not "+…$/);
  expect(written.join('').length).toBeLessThan(20_000);
});

/** Enough for a thousand lines, of which 64 are begun in each turn. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await nextTurn();
}

describe('concurrent requests of one connection', () => {
  /** A client that sends one line for each of `names`; the Api answers when `settle` is called. */
  async function flood(names: readonly ('rescan' | 'run_cycle' | 'status' | 'cancel')[]) {
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
    const api = createFakeApi({
      rescan: () => answered.promise,
      run_cycle: () => answered.promise,
      status: () => answered.promise,
    });
    const connection = new Connection({ api, socket, log: silent, flushEvents: () => undefined });
    const lines = names.map((request, id) => ({
      id,
      request,
      params: request === 'cancel' ? { id: 0 } : { plan: 'a' },
    }));
    connection.onData(Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join('')));
    const settle = async () => {
      answered.resolve({} as never);
      await turns();
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

  test('that only look run 4 at a time, each in its turn, beside the others', async () => {
    const looks = Array.from({ length: 60 }, () => 'status' as const);
    const { api, written, settle } = await flood([...looks, 'rescan']);
    await turns();
    expect(api.requested).toHaveLength(5);
    await settle();
    expect(api.requested).toHaveLength(61);
    expect(written.map((line) => JSON.parse(line).id).sort((a, b) => a - b)).toEqual([...Array(61).keys()]);
  });

  test('that wait to look do not begin once the client is gone', async () => {
    const { api, connection, settle } = await flood(Array.from({ length: 20 }, () => 'status' as const));
    connection.onClose();
    await settle();
    expect(api.requested).toHaveLength(4);
  });

  test('that wait to look are answered as soon as they are cancelled', async () => {
    const { api, connection, written } = await flood(Array.from({ length: 6 }, () => 'status' as const));
    connection.onData(Buffer.from('{"id":"stop","request":"cancel","params":{"id":5}}\n'));
    await turns();
    const lines = written.map((line) => JSON.parse(line));
    expect(lines).toMatchObject([
      { id: 'stop', result: { cancelled: true } },
      { id: 5, error: { code: 'run/stopped' } },
    ]);
    expect(api.requested).toHaveLength(4);
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
    await turns();
    expect(api.requested).toHaveLength(101);
    expect(calls).toEqual(['pause', 'resume']);
    expect(JSON.parse(written[0] ?? '')).toEqual({ id: 100, result: { cancelled: true } });
  });

  test('begin 64 in each turn of the event loop, so that other clients have theirs in between', async () => {
    const { written } = await flood(Array.from({ length: 200 }, () => 'cancel' as const));
    const after: number[] = [written.length];
    while (written.length < 200) {
      await nextTurn();
      after.push(written.length);
    }
    expect(after).toEqual([64, 128, 192, 200]);
  });

  test('are refused beyond 1,000 runs', async () => {
    const { api, written } = await flood(Array.from({ length: 1_001 }, () => 'run_cycle' as const));
    await turns();
    expect(api.requested).toHaveLength(1_000);
    expect(written.map((line) => JSON.parse(line))).toMatchObject([{ id: 1_000, error: { code: 'server/busy' } }]);
  });
});
