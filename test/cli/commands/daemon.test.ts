import { expect, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { runCommandLine } from '../../../src/cli/commandLine.ts';
import { failure } from '../../../src/model/codes.ts';
import { type ClientApi, connect } from '../../../src/server/client.ts';
import { createFakePorts, type FakePorts } from '../fakePorts.ts';

async function start(): Promise<{ ports: FakePorts; code: Promise<number>; client: ClientApi }> {
  const ports = await createFakePorts({
    shutdown: () => ({}),
    rescan: () => ({ plans: 2, linked: [], diagnostics: [] }),
  });
  const code = runCommandLine(['daemon'], ports);
  for (;;) {
    const socketPath = /at (\S+)\. Stop/.exec(ports.written.stdout)?.[1];
    if (socketPath !== undefined) return { ports, code, client: await connect({ socketPath, clock: systemClock }) };
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test('serves the vault until it is interrupted', async () => {
  const { ports, code, client } = await start();
  expect(await client.request('rescan', {})).toEqual({ plans: 2, linked: [], diagnostics: [] });
  ports.interrupt('SIGTERM');
  expect(await code).toBe(0);
  expect(ports.asked).toEqual(['open /vault as owner', 'stop']);
});

test('answers a request to shut down, and ends', async () => {
  const { code, client } = await start();
  expect(await client.request('shutdown', {})).toEqual({});
  expect(await code).toBe(0);
});

test('does not start beside another owner', async () => {
  const open = async () => {
    throw failure('vault/owned', '/vault', 'Owned.');
  };
  const ports = await createFakePorts({}, { core: { open } });
  expect(await runCommandLine(['daemon'], ports)).toBe(5);
});
