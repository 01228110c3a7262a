import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { readOwnerSocket } from '../../src/mcp/ownerSocket.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';

async function check(files: Readonly<Record<string, string>> | undefined, expected: string | undefined): Promise<void> {
  const vault = await makeTemporaryDirectory();
  if (files !== undefined) await mkdir(join(vault, 'runtime'));
  for (const [name, text] of Object.entries(files ?? {})) await writeFile(join(vault, 'runtime', name), text);
  expect(await readOwnerSocket(nodeDisk, vault)).toBe(expected);
}

test('no runtime folder', () => check(undefined, undefined));
test('no lock', () => check({ 'daemon.log': '' }, undefined));
test('the highest number wins, not the last name', () =>
  check({ 'daemon.lock.9': '{"socket":"/nine"}', 'daemon.lock.10': '{"socket":"/ten"}' }, '/ten'));
test('what only looks like a lock does not count', () =>
  check({ 'daemon.lock.2': '{"socket":"/two"}', 'daemon.lock.3.tmp': '{"socket":"/three"}' }, '/two'));
test('a lock half written', () => check({ 'daemon.lock.1': '{"socket":"/on' }, undefined));
test('a lock without a socket', () => check({ 'daemon.lock.1': '{"pid":3}' }, undefined));
