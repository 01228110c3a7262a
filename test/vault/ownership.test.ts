import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Disk } from '../../src/base/disk.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import type { ProcessIdentity } from '../../src/base/processes.ts';
import { acquireLock } from '../../src/vault/lock.ts';
import { Ownership } from '../../src/vault/ownership.ts';
import { failureOf } from '../support/failureOf.ts';
import { tableOf } from '../support/locks.ts';
import { ManualClock } from '../support/manualClock.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';
import { failingDisk, traceDisk } from '../support/tracingDisk.ts';

const own: ProcessIdentity = { pid: 10, startTime: 'own', bootId: 'boot', namespace: 'pid:[1]' };
const other: ProcessIdentity = { pid: 10, startTime: 'other', bootId: 'boot', namespace: 'pid:[2]' };
/** Between two looks. */
const beatMs = 5_000;
/** After which a change looks first. */
const leaseMs = 10_000;

async function makeOwner(disk: Disk = nodeDisk) {
  const vault = await makeTemporaryDirectory();
  const clock = new ManualClock(Date.now());
  const path = join(vault, 'daemon.lock');
  const taken = await acquireLock({ disk, processes: tableOf(own), clock, path });
  if (!taken.held) throw new Error('the lock is held');
  const ownership = new Ownership({ lock: taken.lock, disk, clock, vault });
  const file = join(vault, 'file');
  const write = async () => {
    const opened = await ownership.disk.open(file, 'append');
    await opened.write(Buffer.from('x')).finally(() => opened.close());
  };
  /** What a process does that takes the owner for dead. */
  const usurp = () => writeFile(`${path}.2`, JSON.stringify({ generation: 2, ...other }));
  return { vault, clock, path, lock: taken.lock, ownership, file, write, usurp };
}

describe('an owner', () => {
  test('whose vault another process has taken says so at its next look, and writes nothing more', async () => {
    const { vault, clock, ownership, file, write, usurp } = await makeOwner();
    const journal = await ownership.disk.open(file, 'append');
    await write();
    await usurp();
    clock.advance(beatMs);
    expect((await ownership.lost).diagnostic).toMatchObject({ code: 'vault/lost', subject: vault });
    expect(ownership.isLost).toBe(true);
    const moved = join(vault, 'moved');
    const changes: Readonly<Record<string, () => Promise<unknown>>> = {
      write,
      'write to what was open': () => journal.write(Buffer.from('y')),
      truncate: () => journal.truncate(0),
      rename: () => ownership.disk.rename(file, moved),
      'rename on a condition': () => ownership.disk.renameIf(file, moved, () => true),
      'removal on a condition': () => ownership.disk.unlinkIf(file, () => true),
      link: () => ownership.disk.link(file, moved),
      symlink: () => ownership.disk.symlink(file, moved),
      unlink: () => ownership.disk.unlink(file),
      makeDirectory: () => ownership.disk.makeDirectory(moved),
      removeDirectory: () => ownership.disk.removeDirectory(vault),
      changeMode: () => ownership.disk.changeMode(file, 0o600),
      cloneFile: () => ownership.disk.cloneFile(file, moved),
    };
    for (const [name, change] of Object.entries(changes)) {
      expect(await failureOf(change), name).toMatchObject({ code: 'vault/lost' });
    }
    await journal.close();
    expect(await readFile(file, 'utf8')).toBe('x');
    expect((await ownership.disk.readFile(file)).toString()).toBe('x');
    expect((await readdir(vault)).sort()).toEqual(['daemon.lock.1', 'daemon.lock.2', 'file']);
  });

  test('that was away for long looks before its first change', async () => {
    const { clock, ownership, write, usurp } = await makeOwner();
    await usurp();
    // As after a sleep of the machine: no timer has run yet.
    clock.jumpWall(leaseMs);
    await write();
    clock.jumpWall(1);
    expect(await failureOf(write)).toMatchObject({ code: 'vault/lost' });
    expect((await ownership.lost).diagnostic.code).toBe('vault/lost');
  });

  test('that still has its vault continues after a sleep', async () => {
    const { clock, ownership, file, write } = await makeOwner();
    clock.jumpWall(100 * leaseMs);
    await write();
    clock.jumpWall(-200 * leaseMs);
    await write();
    expect(await readFile(file, 'utf8')).toBe('xx');
    expect(ownership.isLost).toBe(false);
  });

  test('shows at each look that it lives', async () => {
    const touched: string[] = [];
    const disk = traceDisk(nodeDisk, (_n, name, path) => void (name === 'file.truncate' && touched.push(path)));
    const { clock, ownership, path } = await makeOwner(disk);
    clock.advance(beatMs);
    await ownership.check();
    expect(touched[0]).toBe(`${path}.1`);
    ownership.stop();
    expect(clock.scheduled).toBe(0);
  });

  test('that cannot look because of the disk has lost nothing, and looks again', async () => {
    let isBroken = false;
    const matches = (name: string) => isBroken && name === 'readDirectory';
    const { clock, ownership, write } = await makeOwner(
      failingDisk(nodeDisk, { code: 'EIO', at: 1, matches, forEver: true }),
    );
    isBroken = true;
    expect(await failureOf(() => ownership.check())).toMatchObject({ code: 'disk/failed' });
    expect(ownership.isLost).toBe(false);
    await write();
    clock.jumpWall(leaseMs + 1);
    expect(await failureOf(write)).toMatchObject({ code: 'disk/failed' });
    isBroken = false;
    await write();
  });
});
