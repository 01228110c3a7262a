import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Disk } from '../../src/base/disk.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import type { Processes, ProcessIdentity } from '../../src/base/processes.ts';
import { createProcesses } from '../../src/harness/processTable.ts';
import { acquireLock, type HeldLock, readHolder } from '../../src/vault/lock.ts';
import { startLockRacers } from '../support/lockRacers.ts';
import { tableOf } from '../support/locks.ts';
import { testNeeding } from '../support/machine.ts';
import { ManualClock } from '../support/manualClock.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';
import { failingDisk, traceDisk } from '../support/tracingDisk.ts';

const own: ProcessIdentity = { pid: 10, startTime: 'own', bootId: 'boot' };
const other: ProcessIdentity = { pid: 20, startTime: 'other', bootId: 'boot' };
const both = tableOf(own, other);
const clock = new ManualClock(Date.now());

async function makePath(): Promise<string> {
  return join(await makeTemporaryDirectory(), 'runtime', 'daemon.lock');
}

async function makeLockFile(path: string, generation: number, content: string): Promise<void> {
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(`${path}.${generation}`, content);
}

async function take(path: string, processes: Processes, disk: Disk = nodeDisk): Promise<HeldLock | number> {
  const acquired = await acquireLock({ disk, processes, clock, path });
  return acquired.held ? acquired.lock : acquired.holder.pid;
}

async function mustTake(path: string, processes: Processes, disk: Disk = nodeDisk): Promise<HeldLock> {
  const lock = await take(path, processes, disk);
  if (typeof lock === 'number') throw new Error(`held by ${lock}`);
  return lock;
}

describe('a lock file that was left behind', () => {
  const text = (identity: ProcessIdentity, more: object = {}) =>
    JSON.stringify({ generation: 3, ...identity, ...more });

  async function check(content: string, expected: 'held' | 'free'): Promise<void> {
    const path = await makePath();
    await makeLockFile(path, 3, content);
    const holder = await readHolder({ disk: nodeDisk, processes: both, clock, path });
    expect(holder).toEqual(expected === 'free' ? undefined : { generation: 3, ...other, info: {} });
    const lock = await take(path, both);
    if (expected === 'held') expect(lock).toBe(other.pid);
    else expect(lock).toMatchObject({ generation: 4 });
    expect(await readdir(join(path, '..'))).toEqual([expected === 'held' ? 'daemon.lock.3' : 'daemon.lock.4']);
  }

  test.each<[string, string, 'held' | 'free']>([
    ['by a living process is held', text(other), 'held'],
    ['by a living process that released it is free', text(other, { released: true }), 'free'],
    ['by a dead process is free', text({ ...other, pid: 30 }), 'free'],
    ['by a process whose pid was reused is free', text({ ...other, startTime: 'earlier' }), 'free'],
    ['from another boot is free', text({ ...other, bootId: 'before' }), 'free'],
    ['half written is free', text(other).slice(0, 20), 'free'],
    ['without content is free', '', 'free'],
    ['that is not an object is free', 'null', 'free'],
    ['with wrong types is free', text(other, { pid: '20' }), 'free'],
    ['with binary content is free', '\u0000\ufffd', 'free'],
  ])('%s', (_name, content, expected) => check(content, expected));

  test('does not count if its name has no generation', async () => {
    const path = await makePath();
    for (const suffix of ['', '.', '.0', '.x', '.7x', '.-1', '.1e9']) {
      await mkdir(join(path, '..'), { recursive: true });
      await writeFile(`${path}${suffix}`, text(other));
    }
    expect(await take(path, both)).toMatchObject({ generation: 1 });
  });

  test('a stale lock file that cannot be read is an error, not a free lock', async () => {
    const path = await makePath();
    await makeLockFile(path, 1, text(other));
    const disk = failingDisk(nodeDisk, { code: 'EACCES', at: 1, matches: (name) => name === 'readFile' });
    await expect(take(path, both, disk)).rejects.toMatchObject({ code: 'disk/denied' });
  });
});

describe('HeldLock', () => {
  test('shows its holder and the details the holder published', async () => {
    const path = await makePath();
    const acquired = await acquireLock({ disk: nodeDisk, processes: both, clock, path, info: { socket: 'a' } });
    const holder = () => readHolder({ disk: nodeDisk, processes: both, clock, path });
    expect(await holder()).toEqual({ generation: 1, ...own, info: { socket: 'a' } });
    if (!acquired.held) throw new Error('not held');
    await acquired.lock.update({ socket: 'b', more: 'c' });
    expect(await holder()).toEqual({ generation: 1, ...own, info: { socket: 'b', more: 'c' } });
    const content = JSON.parse(await readFile(`${path}.1`, 'utf8'));
    expect(content).toEqual({ generation: 1, ...own, socket: 'b', more: 'c' });
    await expect(acquired.lock.update({ pid: '1' })).rejects.toThrow('by itself');
  });

  test('is free once released, and its file stays until the next generation', async () => {
    const path = await makePath();
    const first = await mustTake(path, both);
    expect(await take(path, both)).toBe(own.pid);
    await first.release();
    await first.release();
    expect(await readdir(join(path, '..'))).toEqual(['daemon.lock.1']);
    await expect(first.update({})).rejects.toThrow('held lock');
    const second = await mustTake(path, both);
    expect(second.generation).toBe(2);
    expect(await readdir(join(path, '..'))).toEqual(['daemon.lock.2']);
  });

  test('can be released on a full disk', async () => {
    const path = await makePath();
    const matches = (name: string) => name === 'file.write';
    const disk = failingDisk(nodeDisk, { code: 'ENOSPC', at: 2, matches, forEver: true });
    await (await mustTake(path, both, disk)).release();
    expect(await readHolder({ disk: nodeDisk, processes: both, clock, path })).toBeUndefined();
    expect(await mustTake(path, both)).toMatchObject({ generation: 2 });
  });

  test('keeps the order of concurrent updates and releases', async () => {
    const path = await makePath();
    const lock = await mustTake(path, both);
    await Promise.all([lock.update({ n: '1' }), lock.update({ n: '2' }), lock.release()]);
    expect(JSON.parse(await readFile(`${path}.1`, 'utf8'))).toMatchObject({ n: '2', released: true });
    expect(await readdir(join(path, '..'))).toEqual(['daemon.lock.1']);
  });
});

describe('acquireLock', () => {
  test('withdraws if others took and released the lock in the meantime', async () => {
    const path = await makePath();
    await makeLockFile(path, 1, '');
    let overtaken = false;
    const slow = traceDisk(nodeDisk, async (_n, name) => {
      if (name !== 'link' || overtaken) return;
      overtaken = true;
      await (await mustTake(path, both)).release();
      await mustTake(path, tableOf(other));
    });
    expect(await take(path, both, slow)).toBe(other.pid);
    expect(await readdir(join(path, '..'))).toEqual(['daemon.lock.3']);
  });

  test('says so if the file system has no hard links', async () => {
    const path = await makePath();
    const disk = failingDisk(nodeDisk, { code: 'EPERM', at: 1, matches: (name) => name === 'link' });
    await expect(take(path, both, disk)).rejects.toMatchObject({ code: 'disk/noLinks' });
    expect(await readdir(join(path, '..'))).toEqual([]);
  });

  test('tries again if its generation was taken', async () => {
    const path = await makePath();
    let overtaken = false;
    const slow = traceDisk(nodeDisk, async (_n, name) => {
      if (name !== 'link' || overtaken) return;
      overtaken = true;
      await mustTake(path, tableOf(other));
    });
    expect(await take(path, both, slow)).toBe(other.pid);
  });

  test('does not trust a single listing, which can miss a file', async () => {
    const path = await makePath();
    await makeLockFile(path, 1, '');
    let listings = 0;
    const disk: Disk = {
      ...nodeDisk,
      link: async (from, to) => {
        if (listings === 1) await makeLockFile(path, 7, JSON.stringify({ generation: 7, ...other }));
        return nodeDisk.link(from, to);
      },
      readDirectory: async (directory) => {
        listings++;
        const entries = await nodeDisk.readDirectory(directory);
        return listings === 2 ? entries.filter(({ name }) => name !== 'daemon.lock.7') : entries;
      },
    };
    expect(await take(path, both, disk)).toBe(other.pid);
  });

  test('leaves the lock available after an error or a crash at any operation', async () => {
    const path = await makePath();
    await makeLockFile(path, 1, '');
    const counting = traceDisk(nodeDisk, () => undefined);
    await (await mustTake(path, both, counting)).release();
    expect(counting.operationCount()).toBeGreaterThan(8);
    for (const forEver of [false, true]) {
      for (let at = 1; at <= counting.operationCount(); at++) {
        const failing = failingDisk(nodeDisk, { code: 'EIO', at, forEver });
        const crashed = { pid: 1000 + at, startTime: `${forEver}`, bootId: 'boot' };
        const lock = await take(path, tableOf(crashed), failing).catch(() => undefined);
        if (typeof lock === 'object') await lock.release().catch(() => (forEver ? undefined : lock.release()));
        const survivors = forEver ? both : tableOf(own, crashed);
        const next = await take(path, survivors);
        expect(next, `operation ${at}`).toBeTypeOf('object');
        if (typeof next === 'object') await next.release();
      }
    }
  });
});

describe('a process of another container', () => {
  const processes = createProcesses(nodeDisk);
  const takeHere = (path: string, wallMs: number) =>
    acquireLock({ disk: nodeDisk, processes, clock: new ManualClock(wallMs), path });

  testNeeding(['Linux', 'pid namespaces'], 'sees that the holder lives, and is seen', async () => {
    const [racer] = await startLockRacers(1, 'container');
    const folder = await makeTemporaryDirectory();
    const [ours, theirs] = [join(folder, 'ours.lock'), join(folder, 'theirs.lock')];
    const taken = await takeHere(ours, Date.now());
    expect(taken.held).toBe(true);
    expect(await racer?.ask(`race ${ours}`)).toBe(`lost ${process.pid}`);
    expect(await racer?.ask(`race ${theirs}`)).toBe('won');
    const { pid, namespace } = await processes.self();
    const found = await takeHere(theirs, Date.now());
    expect(found.held).toBe(false);
    if (!found.held) expect(found.holder.namespace).not.toBe(namespace);
    expect(pid).toBe(process.pid);
    // Nobody touches it any more.
    expect((await takeHere(theirs, Date.now() + 60_000)).held).toBe(true);
  });
});

describe('eight processes', () => {
  const dead = { pid: 2 ** 31 - 1, startTime: 'long ago', bootId: 'before' };

  test('racing for a stale lock have one winner, and the others know its pid', { timeout: 60_000 }, async () => {
    const racers = await startLockRacers(8);
    const directory = await makeTemporaryDirectory();
    for (let round = 0; round < 60; round++) {
      const path = join(directory, `${round}`, 'daemon.lock');
      await makeLockFile(path, 5, JSON.stringify({ generation: 5, ...dead }));
      const answers = await Promise.all(racers.map((racer) => racer.ask(`race ${path}`)));
      const winner = racers[answers.indexOf('won')]?.child.pid;
      const expected = racers.map(({ child }) => (child.pid === winner ? 'won' : `lost ${winner}`));
      expect(answers, `round ${round}`).toEqual(expected);
    }
  });
});
