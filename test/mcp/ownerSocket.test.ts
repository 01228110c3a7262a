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

test('there is no owner socket without a runtime folder', () => check(undefined, undefined));
test('there is no owner socket without a lock', () => check({ 'daemon.log': '' }, undefined));
test('the owner socket is in the lock with the highest number', () =>
  check({ 'daemon.lock.9': '{"socket":"/nine"}', 'daemon.lock.10': '{"socket":"/ten"}' }, '/ten'));
test('sessions find the socket that is theirs', () =>
  check({ 'daemon.lock.1': '{"socket":"/main","session-socket":"/tools/s"}' }, '/tools/s'));
test('a temporary lock file does not count', () =>
  check({ 'daemon.lock.2': '{"socket":"/two"}', 'daemon.lock.3.tmp': '{"socket":"/three"}' }, '/two'));
test('there is no owner socket in a half-written lock', () => check({ 'daemon.lock.1': '{"socket":"/on' }, undefined));
test('there is no owner socket in a lock that names none', () => check({ 'daemon.lock.1': '{"pid":3}' }, undefined));
