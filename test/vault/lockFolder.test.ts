import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import type { ProcessIdentity } from '../../src/base/processes.ts';
import { VaultLayout } from '../../src/vault/layout.ts';
import { countLocks, openLockFolder, tidyLockFolder } from '../../src/vault/lockFolder.ts';
import { failureOf } from '../support/failureOf.ts';
import { tableOf } from '../support/locks.ts';
import { ManualClock } from '../support/manualClock.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';

const own: ProcessIdentity = { pid: 10, startTime: 'own', bootId: 'boot' };
const other: ProcessIdentity = { pid: 20, startTime: 'other', bootId: 'boot' };
const dead: ProcessIdentity = { pid: 30, startTime: 'dead', bootId: 'boot' };

const claim = (identity: ProcessIdentity, more: object = {}) => `${JSON.stringify({ ...identity, ...more })}\n`;

class Runtime {
  readonly layout: VaultLayout;
  readonly clock = new ManualClock();
  /** Ends the other process, as far as its locks show. */
  readonly living = [own, other];

  constructor(root: string) {
    this.layout = new VaultLayout(root);
  }

  get ports() {
    const { layout, clock } = this;
    return { disk: nodeDisk, processes: tableOf(...this.living), clock, layout };
  }

  async write(path: string, text: string): Promise<void> {
    const file = join(this.layout.runtime, path);
    await mkdir(join(file, '..'), { recursive: true });
    await writeFile(file, text);
  }

  async names(): Promise<string[]> {
    const entries = await readdir(this.layout.runtime, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    return files.map(({ parentPath, name }) => join(parentPath, name).slice(this.layout.runtime.length + 1)).sort();
  }
}

async function makeRuntime(files: Readonly<Record<string, string>>): Promise<Runtime> {
  const runtime = new Runtime(await makeTemporaryDirectory());
  for (const [path, text] of Object.entries(files)) await runtime.write(path, text);
  return runtime;
}

describe('the locks of plans', () => {
  const files = {
    'locks/A%2Fproject-root.lock': claim(other),
    'locks/gone%2Fproject-root.lock': claim(dead),
    'locks/gone%2Fproject-root.lock.wanted': '',
    'locks/empty%2Fproject-root.lock': '',
    'plans/A%2Fproject-root.yaml': 'cycle: 1\n',
  };

  test('are counted as held or free', async () => {
    const runtime = await makeRuntime({ ...files, 'plans/B%2Fproject-root.lock.3': claim(dead, { generation: 3 }) });
    expect(await countLocks(runtime.ports)).toEqual({ held: 1, left: 3 });
    expect(await countLocks((await makeRuntime({})).ports)).toEqual({ held: 0, left: 0 });
  });

  test('are removed at the start of an owner, except those that are held', async () => {
    const runtime = await makeRuntime(files);
    await tidyLockFolder(runtime.ports);
    const kept = ['locks/A%2Fproject-root.lock', 'plans/A%2Fproject-root.yaml'];
    expect((await runtime.names()).filter((name) => !name.startsWith('locks/removal.'))).toEqual(kept);
    expect(await countLocks(runtime.ports)).toEqual({ held: 1, left: 0 });
  });
});

test('a half-made lock of a crashed process is removed at the start of an owner, and one that is being made stays', async () => {
  const suffix = '0123456789abcdef.tmp';
  const living = `locks/.A%2Fproject-root.lock.${suffix}`;
  const young = `locks/.B%2Fproject-root.lock.${suffix}`;
  const old = `locks/.C%2Fproject-root.lock.${suffix}`;
  const runtime = await makeRuntime({
    [living]: claim(own),
    [young]: '',
    [old]: '{"pid":3',
    [`locks/.D%2Fproject-root.lock.${suffix}`]: claim(dead),
    [`locks/.removal.4.${suffix}`]: claim(dead, { generation: 4, released: true }),
  });
  const stamp = async (path: string, ageMs: number) => {
    const date = new Date(runtime.clock.wallMs() - ageMs);
    await utimes(join(runtime.layout.runtime, path), date, date);
  };
  await stamp(young, 1000);
  await stamp(old, 61_000);
  await stamp(`locks/.removal.4.${suffix}`, 61_000);
  await tidyLockFolder(runtime.ports);
  expect(await runtime.names()).toEqual([living, young]);
});

describe('a vault of an earlier Ravel', () => {
  const lock = 'plans/A%2Fproject-root.lock.7';
  const files = {
    [lock]: claim(dead, { generation: 7 }),
    'plans/renamed%2Fproject-root.lock.2': claim(other, { generation: 2, released: true }),
    'plans/.A%2Fproject-root.lock.8.0123456789abcdef.tmp': claim(dead, { generation: 8 }),
    'plans/A%2Fproject-root.yaml': 'cycle: 1\n',
    'plans/A%2Fproject-root.replied.json': '{}',
  };
  const kept = ['plans/A%2Fproject-root.replied.json', 'plans/A%2Fproject-root.yaml'];

  test('loses its old locks once, before the first new one is taken', async () => {
    const runtime = await makeRuntime(files);
    await openLockFolder(runtime.ports);
    expect(await runtime.names()).toEqual(kept);
    await runtime.write(lock, claim(dead));
    await openLockFolder(runtime.ports);
    expect(await runtime.names()).toContain(lock);
    await tidyLockFolder(runtime.ports);
    expect(await runtime.names()).toEqual(kept);
  });

  test('in which a process of it changes a plan is opened once that has ended', async () => {
    const runtime = await makeRuntime({ ...files, [lock]: claim(other, { generation: 7 }) });
    const { clock, layout } = runtime;
    const opening = openLockFolder(runtime.ports);
    await clock.whenScheduled();
    await runtime.write(lock, claim(other, { generation: 7, released: true }));
    clock.advance(50);
    await opening;
    expect(await runtime.names()).toEqual(kept);
    expect(await readdir(layout.locks)).toEqual([]);
  });

  test('in which such a process does not end is not opened, and its lock stays', async () => {
    const runtime = await makeRuntime({ ...files, [lock]: claim(other, { generation: 7 }) });
    const { clock, layout } = runtime;
    const failed = failureOf(() => openLockFolder(runtime.ports));
    for (let waited = 0; waited < 10_000; waited += 50) {
      await clock.whenScheduled();
      clock.advance(50);
    }
    const path = join(layout.runtime, lock);
    const message = `${path} is held by process 20, an earlier Ravel.`;
    expect(await failed).toMatchObject({ code: 'vault/locked', message });
    expect(await runtime.names()).toContain(lock);
    expect(await readdir(layout.runtime)).toEqual(['plans']);
  });
});
