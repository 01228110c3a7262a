import { existsSync } from 'node:fs';
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import type { ProcessTable } from '../../src/base/processes.ts';
import {
  findStaleRehearsals,
  makeRehearsalFolder,
  removeStaleRehearsals,
} from '../../src/rehearsal/rehearsalFolder.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';

const self = { pid: 1, startTime: '1', bootId: 'boot' };
const processes = { self: async () => self, isAlive: async () => false } as unknown as ProcessTable;
const ports = { disk: nodeDisk, clock: systemClock, processes };
const user = process.getuid?.();

async function setAge(path: string, seconds: number): Promise<void> {
  const at = Date.now() / 1000 - seconds;
  await utimes(path, at, at);
}

test('a folder that another user made is none of ours, whatever marker it holds', async () => {
  const temporary = await makeTemporaryDirectory();
  const { path } = await makeRehearsalFolder(ports, temporary, 'vault');
  const paths = async (uid: number | undefined) =>
    (await findStaleRehearsals(ports, { temporary, user: uid })).map((one) => one.path);
  expect(await paths((user ?? 0) + 1)).toEqual([]);
  expect(await paths(user)).toEqual([path]);
});

test('a folder whose rehearsal was killed before it wrote the marker is removed once it is old', async () => {
  const temporary = await makeTemporaryDirectory();
  const folders = ['empty', 'half', 'young', 'full'].map((name) => join(temporary, `ravel-rehearsal-${name}`));
  for (const path of folders) await mkdir(path, { mode: 0o700 });
  const [empty = '', half = '', young = '', full = ''] = folders;
  await writeFile(join(half, '.rehearsal.json.abc.tmp'), '{');
  await writeFile(join(full, 'mine.txt'), 'x');
  for (const path of [empty, half, full]) await setAge(path, 120);
  expect((await removeStaleRehearsals(ports, { temporary, user })).sort()).toEqual([empty, half]);
  expect([young, full].map((path) => existsSync(path))).toEqual([true, true]);
});
