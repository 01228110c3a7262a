import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeTemporaryDirectory } from './temporaryDirectory.ts';
import { makeTemporaryRoot } from './temporaryRoot.ts';

const plenty = 64 * 1024 ** 3;
const name = `ravel-t${process.pid}`;

test('a run keeps its worlds in memory if there is room', async () => {
  const elsewhere = await makeTemporaryDirectory();
  const memory = await makeTemporaryDirectory();
  expect(makeTemporaryRoot({ memory, elsewhere, freeBytes: plenty })).toBe(join(memory, name));
  expect(readdirSync(memory)).toEqual([name]);
});

test.each([
  ['little memory is free', (memory: string) => ({ memory, freeBytes: 1024 ** 3 })],
  ['there is no file system in memory', (memory: string) => ({ memory: join(memory, 'gone'), freeBytes: plenty })],
])('a run keeps its worlds in the usual folder if %s', async (_why, optionsOf) => {
  const elsewhere = await makeTemporaryDirectory();
  const options = optionsOf(await makeTemporaryDirectory());
  expect(makeTemporaryRoot({ ...options, elsewhere })).toBe(join(elsewhere, name));
});

test('a run removes the folders of killed runs, and leaves those of running ones and of everyone else', async () => {
  const elsewhere = await makeTemporaryDirectory();
  const ended = spawnSync('true').pid;
  for (const kept of [`ravel-t${process.ppid}`, 'ravel-templates', 'other']) mkdirSync(join(elsewhere, kept));
  mkdirSync(join(elsewhere, `ravel-t${ended}`, 'vault'), { recursive: true });
  makeTemporaryRoot({ elsewhere, freeBytes: 0 });
  expect(readdirSync(elsewhere).sort()).toEqual(['other', 'ravel-templates', `ravel-t${process.ppid}`, name].sort());
});
