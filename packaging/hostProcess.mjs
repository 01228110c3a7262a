import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { hostParts } from './installHost.mjs';

/** For the environment of an editor: a gallery that has nothing, so that none is looked for. */
export const emptyGallery = { EXTENSIONS_GALLERY: '{"serviceUrl":"","itemUrl":"","resourceUrlTemplate":""}' };

/**
 * Starts the server of a VS Code whose window is a page, on a free port of this machine alone.
 *
 * @param {{ userData: string, extensions: string, args: readonly string[], env: Record<string, string | undefined> }} options
 */
export async function startHostProcess({ userData, extensions, args, env }) {
  const port = await freePort();
  const all = [
    ...[hostParts.codeServer, '--bind-addr', `127.0.0.1:${port}`, '--auth', 'none'],
    ...['--disable-telemetry', '--disable-update-check', '--disable-getting-started-override'],
    ...['--config', join(userData, 'config.yaml'), '--user-data-dir', userData, '--extensions-dir', extensions],
    ...args,
  ];
  const child = spawn(hostParts.node, all, {
    env: { ...env, ...emptyGallery },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const output = collect(child);
  await listening(child, output);
  return { address: `http://127.0.0.1:${port}`, pid: child.pid ?? 0, output, stop: () => endGroup(child) };
}

function collect(child) {
  let text = '';
  const add = (chunk) => {
    text = (text + chunk.toString('utf8')).slice(-200_000);
  };
  child.stdout.on('data', add);
  child.stderr.on('data', add);
  return () => text;
}

async function listening(child, output) {
  const told = new Promise((resolve) => {
    const look = () => {
      if (output().includes('HTTP server listening')) resolve();
    };
    child.stdout.on('data', look);
    child.stderr.on('data', look);
  });
  const gone = once(child, 'exit').then(() => {
    throw new Error(`The editor's host ended before it listened:\n${output()}`);
  });
  await Promise.race([told, gone]);
  gone.catch(() => undefined);
}

async function endGroup(child) {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  process.kill(-child.pid, 'SIGTERM');
  const timer = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), 5_000);
  await exited;
  clearTimeout(timer);
}

async function freePort() {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
