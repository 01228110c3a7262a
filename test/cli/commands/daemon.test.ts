import { describe, expect, test } from 'vitest';
import { createDeferred } from '../../../src/base/async.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { runCommandLine } from '../../../src/cli/commandLine.ts';
import { failure } from '../../../src/model/codes.ts';
import { type ClientApi, connect } from '../../../src/server/client.ts';
import { freshSocketPath } from '../../server/socket.ts';
import { createFakePorts, type FakePorts, jsonLines } from '../fakePorts.ts';

async function start(): Promise<{ ports: FakePorts; code: Promise<number>; client: ClientApi }> {
  const ports = await createFakePorts({
    shutdown: () => ({}),
    rescan: () => ({ plans: 2, linked: [], diagnostics: [] }),
  });
  const code = runCommandLine(['daemon'], ports);
  await ports.printed('Stop with');
  const socketPath = /at (.+)\. Stop/.exec(ports.written.stdout)?.[1] ?? '';
  return { ports, code, client: await connect({ socketPath, clock: systemClock }) };
}

test('ravel daemon serves the vault until it is interrupted', async () => {
  const { ports, code, client } = await start();
  expect(await client.request('rescan', {})).toEqual({ plans: 2, linked: [], diagnostics: [] });
  ports.interrupt('SIGTERM');
  expect(await code).toBe(0);
  expect(ports.asked).toEqual(['open /vault as owner', 'stop']);
});

test('ravel daemon answers a request to shut down, and ends', async () => {
  const { code, client } = await start();
  expect(await client.request('shutdown', {})).toEqual({});
  expect(await code).toBe(0);
});

test('ravel daemon --json says that it is ready, and why it stopped', async () => {
  const ports = await createFakePorts({ shutdown: () => ({}) });
  const code = runCommandLine(['daemon', '--json'], ports);
  await ports.printed('\n');
  const [line] = jsonLines(ports.written.stdout) as [{ started: { socketPath: string } }];
  expect(line).toEqual({ started: { vault: '/vault', socketPath: line.started.socketPath, pid: 1, version: '0.0.0' } });
  const client = await connect({ socketPath: line.started.socketPath, clock: systemClock });
  await client.request('shutdown', {});
  expect(await code).toBe(0);
  expect(jsonLines(ports.written.stdout)[1]).toEqual({
    result: { vault: '/vault', stopped: true, because: 'shutdown' },
  });
});

test('a second signal ends ravel daemon without waiting for the stop', async () => {
  const stopping = createDeferred<void>();
  const ports: FakePorts = await createFakePorts(
    {},
    {
      core: {
        open: async () => ({
          api: ports.api,
          socketPath: await freshSocketPath(),
          sessionSocketPath: await freshSocketPath(),
          stop: async () => {
            stopping.resolve();
            await new Promise(() => undefined);
          },
        }),
      },
    },
  );
  const code = runCommandLine(['daemon'], ports);
  await ports.printed('Stop with');
  ports.interrupt('SIGTERM');
  await stopping.promise;
  ports.interrupt('SIGINT');
  expect(await code).toBe(130);
});

describe('ravel shutdown', () => {
  test('asks the owner, and returns once the vault is free', async () => {
    const { ports, code, client } = await start();
    const socketPath = /at (.+)\. Stop/.exec(ports.written.stdout)?.[1] ?? '';
    client.close();
    let looks = 0;
    const findOwner = async () => (looks++ < 2 ? { socketPath, pid: 1 } : undefined);
    const asking = await createFakePorts({}, { core: { findOwner } });
    expect(await runCommandLine(['shutdown', '--json'], asking)).toBe(0);
    expect(jsonLines(asking.written.stdout)).toEqual([{ result: { vault: '/vault', pid: 1, stopped: true } }]);
    expect(looks).toBe(3);
    expect(await code).toBe(0);
  });

  test('fails if the vault has no owner', async () => {
    const ports = await createFakePorts({});
    expect(await runCommandLine(['shutdown'], ports)).toBe(3);
    expect(ports.written.stderr).toContain('cli/noOwner');
  });
});

test('ravel daemon does not start beside another owner', async () => {
  const open = async () => {
    throw failure('vault/owned', '/vault', 'Owned.');
  };
  const ports = await createFakePorts({}, { core: { open } });
  expect(await runCommandLine(['daemon'], ports)).toBe(5);
});
