import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';
import { installHost } from './support/installHost.mjs';

const script = fileURLToPath(new URL('./support/installHost.mjs', import.meta.url));

/** A folder for hosts, and an npm that makes what the real one would, in small, or fails. */
async function world(
  body: string,
): Promise<{ readonly root: string; readonly options: Parameters<typeof installHost>[0] }> {
  const root = await makeTemporaryDirectory();
  const npm = join(root, 'npm');
  writeFileSync(npm, `#!/bin/sh\nset -e\n${body}\n`, { mode: 0o755 });
  return { root, options: { directory: join(root, 'hosts', 'host'), npm } };
}

const makesParts = 'mkdir -p node_modules/code-server/lib/vscode; echo made >> node_modules/log';

test('a host is there under its name only when it is whole', async () => {
  const { root, options } = await world(makesParts);
  installHost(options);
  expect(readdirSync(join(root, 'hosts'))).toEqual(['host']);
  expect(readFileSync(join(root, 'hosts/host/node_modules/log'), 'utf8')).toBe('made\n');
});

test('of two that install at once the first wins, and the other uses it', async () => {
  const { root, options } = await world(`${makesParts}; mkdir -p "\${0%/*}/hosts/host/other"`);
  installHost(options);
  expect(readdirSync(join(root, 'hosts'))).toEqual(['host']);
  expect(readdirSync(join(root, 'hosts/host'))).toEqual(['other']);
});

test('what one left that ended midway is removed, and what one makes just now stays', async () => {
  const { root, options } = await world(makesParts);
  const ended = spawnSync('true').pid;
  for (const pid of [ended, process.ppid]) mkdirSync(join(root, 'hosts', `host.${pid}`), { recursive: true });
  installHost(options);
  expect(readdirSync(join(root, 'hosts')).sort()).toEqual(['host', `host.${process.ppid}`]);
});

test('a failure leaves nothing, and says what to type', async () => {
  const { root, options } = await world('exit 7');
  expect(() => installHost(options)).toThrow(/To try again: node test\/editor\/support\/installHost\.mjs/);
  expect(readdirSync(join(root, 'hosts'))).toEqual([]);
});

test('a machine without a browser is told in a line', async () => {
  const started = promisify(execFile)(process.execPath, [script], {
    env: { ...process.env, RAVEL_CHROMIUM: '/nowhere/chromium' },
  });
  await expect(started).rejects.toMatchObject({
    code: 1,
    stderr: 'RAVEL_CHROMIUM names /nowhere/chromium, which is not there.\n',
  });
});
