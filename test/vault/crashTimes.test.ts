import { mkdir, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { exists } from '../../src/base/files.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { toQualifiedId } from '../../src/model/id.ts';
import { loadCrashTimes, saveCrashTimes } from '../../src/vault/crashTimes.ts';
import { VaultLayout } from '../../src/vault/layout.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';

const plan = toQualifiedId('Demo/project-root');
const expert = toQualifiedId('expert:cats');

async function makeLayout(): Promise<VaultLayout> {
  const layout = new VaultLayout(await makeTemporaryDirectory());
  await mkdir(layout.plans, { recursive: true });
  return layout;
}

test('each actor has its own crash times, and they are kept on disk', async () => {
  const layout = await makeLayout();
  expect(await loadCrashTimes({ disk: nodeDisk, layout }, plan)).toEqual([]);
  await saveCrashTimes({ disk: nodeDisk, layout }, plan, [1, 2]);
  await saveCrashTimes({ disk: nodeDisk, layout }, expert, [3]);
  expect(await loadCrashTimes({ disk: nodeDisk, layout }, plan)).toEqual([1, 2]);
  expect(await loadCrashTimes({ disk: nodeDisk, layout }, expert)).toEqual([3]);
});

test('saving no crash times removes the file', async () => {
  const layout = await makeLayout();
  await saveCrashTimes({ disk: nodeDisk, layout }, plan, [1]);
  await saveCrashTimes({ disk: nodeDisk, layout }, plan, []);
  await saveCrashTimes({ disk: nodeDisk, layout }, plan, []);
  expect(await exists(nodeDisk, layout.crashTimes(plan))).toBe(false);
});

test.each(['', '{', '{"a":1}', '["a"]'])('a file that holds %j counts as no crash times', async (text) => {
  const layout = await makeLayout();
  await writeFile(layout.crashTimes(plan), text);
  expect(await loadCrashTimes({ disk: nodeDisk, layout }, plan)).toEqual([]);
});
