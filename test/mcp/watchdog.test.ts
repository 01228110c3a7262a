import { readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Disk } from '../../src/base/disk.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { reasonToEnd, watchSession } from '../../src/mcp/watchdog.ts';
import type { OwnerState } from '../../src/server/reconnecting.ts';
import { ManualClock } from '../support/manualClock.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';

const limits = { timeMs: 60_000, outputBytes: 1_000_000, orphanMs: 20_000, orphanAfterStopMs: 5_000 };
const connected: OwnerState = { kind: 'connected' };

describe('the watchdog’s reason to end a session', () => {
  function check(measured: Partial<Parameters<typeof reasonToEnd>[1]>, expected: RegExp | undefined): void {
    const reason = reasonToEnd(limits, { ageMs: 0, outputBytes: 0, absence: undefined, ...measured });
    if (expected === undefined) expect(reason).toBeUndefined();
    else expect(reason).toMatch(expected);
  }
  const absent = (ms: number, orderly: boolean) => ({ absence: { ms, orderly } });

  test('is undefined when all is well', () => check({}, undefined));
  test('is undefined within 30 s past the time limit, when the owner still ends it', () =>
    check({ ageMs: 90_000 }, undefined));
  test('is the age more than 30 s past the time limit', () =>
    check({ ageMs: 90_001 }, /ran for 90 s, longer than the 60 s/));
  test('is undefined within 1 MiB past the byte limit, when the owner still ends it', () =>
    check({ outputBytes: 1_000_000 + 1_048_576 }, undefined));
  test('is the output more than 1 MiB past the byte limit', () =>
    check({ outputBytes: 1_000_001 + 1_048_576 }, /2048577 bytes, more than the 1000000/));
  test('is undefined while a crashed owner can still come back', () => check(absent(20_000, false), undefined));
  test('is a missing owner too long after a crash', () => check(absent(20_001, false), /no owner for 20 s/));
  test('is undefined while a stopped owner can be restarted', () => check(absent(5_000, true), undefined));
  test('is a missing owner too long after an orderly stop', () => check(absent(5_001, true), /no owner for 5 s/));
});

interface Watched {
  readonly directory: string;
  readonly clock: ManualClock;
  readonly ended: { readonly pid: number; readonly session: string; readonly note: string }[];
  readonly result: Promise<string>;
  readonly stop: AbortController;
  owner: OwnerState;
  /** Lets `count` seconds pass, one check at a time. */
  seconds(count: number): Promise<void>;
}

async function watch(options: { startedMsAgo?: number; awakeMs?: number; disk?: Disk } = {}): Promise<Watched> {
  const directory = await makeTemporaryDirectory();
  const clock = new ManualClock();
  const startedAt = new Date(clock.wallMs() - (options.startedMsAgo ?? 0)).toISOString();
  const { awakeMs } = options;
  const host = { state: 'running', session: 'S1', startedAt, awakeMs, limits };
  await writeFile(join(directory, 'host.json'), JSON.stringify(host));
  await writeFile(join(directory, 'pid'), '4242\n4242 (sh) S 1 4242');
  const stop = new AbortController();
  const ended: Watched['ended'] = [];
  const watched = { directory, clock, ended, stop, owner: connected };
  const result = watchSession(
    {
      sessionDirectory: directory,
      disk: options.disk ?? nodeDisk,
      clock,
      owner: () => watched.owner,
      async endGroup(group) {
        ended.push({ ...group, note: await readFile(join(directory, 'watchdog'), 'utf8').catch(() => '') });
      },
    },
    stop.signal,
  );
  let settled = false;
  const end = () => {
    settled = true;
  };
  const settling = result.then(end, end);
  const seconds = async (count: number) => {
    for (let n = 0; n < count && !settled; n++) {
      await Promise.race([clock.whenScheduled(), settling]);
      clock.advance(1_000);
    }
    await Promise.race([clock.whenScheduled(), settling]);
  };
  return Object.assign(watched, { result, seconds });
}

test('a session that is too old is ended, and the reason is on disk before the first signal', async () => {
  const watched = await watch();
  await watched.seconds(90);
  expect(watched.ended).toEqual([]);
  await watched.seconds(1);
  expect(await watched.result).toMatch(/ran for 91 s/);
  expect(watched.ended).toMatchObject([{ pid: 4242, session: 'S1', note: expect.stringContaining('ran for 91 s') }]);
});

test('the age counts from the start of the session', async () => {
  const watched = await watch({ awakeMs: 89_000 });
  await watched.seconds(2);
  expect(await watched.result).toMatch(/ran for 91 s/);
});

test('time that the machine slept does not count for the age', async () => {
  const watched = await watch({ startedMsAgo: 7_200_000, awakeMs: 30_000 });
  await watched.seconds(3);
  // The clock of some systems goes on meanwhile.
  watched.clock.advance(7_200_000);
  await watched.seconds(40);
  expect(watched.ended).toEqual([]);
  await watched.seconds(15);
  expect(await watched.result).toMatch(/ran for 9\d s/);
});

test('time that the machine slept does not count for the absence of an owner', async () => {
  const watched = await watch();
  watched.owner = { kind: 'absent', sinceMs: 0, orderly: false };
  await watched.seconds(3);
  watched.clock.advance(7_200_000);
  await watched.seconds(5);
  expect(watched.ended).toEqual([]);
  await watched.seconds(10);
  expect(await watched.result).toMatch(/no owner for 2\d s/);
});

test('a wall clock that jumps forward does not end a session', async () => {
  const watched = await watch();
  await watched.seconds(1);
  watched.clock.jumpWall(24 * 3_600_000);
  await watched.seconds(3);
  expect(watched.ended).toEqual([]);
  watched.stop.abort(new Error('over'));
  await expect(watched.result).rejects.toThrow('over');
});

test('the output of both streams counts', async () => {
  const watched = await watch();
  await writeFile(join(watched.directory, 'spool'), Buffer.alloc(1_500_000));
  await watched.seconds(2);
  expect(watched.ended).toEqual([]);
  await writeFile(join(watched.directory, 'stderr'), Buffer.alloc(600_000));
  await watched.seconds(1);
  expect(await watched.result).toMatch(/2100000 bytes/);
});

test('a session without an owner is ended, unless the owner comes back in time', async () => {
  const watched = await watch();
  watched.owner = { kind: 'absent', sinceMs: 0, orderly: true };
  await watched.seconds(4);
  watched.owner = connected;
  await watched.seconds(10);
  expect(watched.ended).toEqual([]);
  watched.owner = { kind: 'absent', sinceMs: watched.clock.monotonicMs(), orderly: true };
  await watched.seconds(6);
  expect(await watched.result).toMatch(/no owner for 6 s/);
});

test('a session is ended even on a full disk', async () => {
  const full: Disk = {
    ...nodeDisk,
    async open(path, mode, permissions) {
      if (mode === 'exclusive') throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
      return nodeDisk.open(path, mode, permissions);
    },
  };
  const watched = await watch({ awakeMs: 100_000, disk: full });
  watched.result.catch(() => undefined);
  await watched.seconds(1);
  await expect(watched.result).rejects.toMatchObject({ diagnostic: { code: 'disk/full' } });
  expect(watched.ended).toMatchObject([{ pid: 4242 }]);
});

test('a session is ended even when its vault is removed', async () => {
  const watched = await watch();
  watched.result.catch(() => undefined);
  await watched.seconds(1);
  await rm(watched.directory, { recursive: true });
  await watched.seconds(90);
  await expect(watched.result).rejects.toThrow();
  expect(watched.ended).toMatchObject([{ pid: 4242, session: 'S1' }]);
});

test('a session is ended after ten minutes when its vault was removed before anything was read', async () => {
  const watched = await watch();
  watched.result.catch(() => undefined);
  await rm(watched.directory, { recursive: true });
  await watched.seconds(600);
  expect(watched.ended).toEqual([]);
  await watched.seconds(1);
  await expect(watched.result).rejects.toThrow();
  expect(watched.ended).toMatchObject([{ pid: -1, session: basename(watched.directory) }]);
});
