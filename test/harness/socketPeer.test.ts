import { spawn as systemSpawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { socketPeer } from '../../src/harness/socketPeer.ts';
import { testNeeding } from '../support/machine.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';

const client = 'const s = require("node:net").createConnection(process.argv[1]); s.resume(); s.on("close", () => {});';

/** A connection of another process: its pid, and the descriptor of our end. */
async function connection() {
  const path = join(await makeTemporaryDirectory(), 's');
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(path, resolve));
  const child = systemSpawn(process.execPath, ['-e', client, path], { stdio: 'ignore' });
  onTestFinished(() => {
    child.kill('SIGKILL');
    server.close();
  });
  const [socket] = await once(server, 'connection');
  onTestFinished(() => void socket.destroy());
  const handle: unknown = Reflect.get(socket, '_handle');
  const descriptor: unknown = typeof handle === 'object' && handle !== null ? Reflect.get(handle, 'fd') : undefined;
  if (typeof descriptor !== 'number') throw new Error('the connection has no descriptor');
  return { pid: child.pid, socket, descriptor };
}

testNeeding(['Linux'], 'the kernel says which process connected, and the connection goes on', async () => {
  const { pid, socket, descriptor } = await connection();
  const asked = () => socketPeer(descriptor, { clock: systemClock });
  expect(await Promise.all([asked(), asked()])).toEqual([pid, pid]);
  expect(socket.write('x')).toBe(true);
});

test('no process is named if the system does not tell', async () => {
  const { descriptor } = await connection();
  const missing = { clock: systemClock, spawn: () => systemSpawn('/no/such/program', []) };
  expect(await socketPeer(descriptor, missing)).toBeUndefined();
  const failing = {
    clock: systemClock,
    spawn: () => systemSpawn('/bin/sh', ['-c', 'echo 12; echo 13; exit 1'], { stdio: ['ignore', 'pipe', 'ignore'] }),
  };
  expect(await socketPeer(descriptor, failing)).toBeUndefined();
});
