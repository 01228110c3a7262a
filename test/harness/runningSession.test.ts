import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Disk } from '../../src/base/disk.ts';
import { silentLogger } from '../../src/base/log.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import type { ProcessTable } from '../../src/base/processes.ts';
import { type HostRecord, loadHostRecord } from '../../src/harness/hostRecord.ts';
import { RunningSession } from '../../src/harness/runningSession.ts';
import { ManualClock } from '../support/manualClock.ts';
import { shellAdapter, specOf } from '../support/sessions.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';

const leader = { pid: 4242, startTime: '7', bootId: 'boot-1' };

/** A session whose process lives until the test says otherwise. */
async function watchSession(given: Partial<HostRecord> = {}) {
  const root = await makeTemporaryDirectory();
  const spec = specOf(root, '/nowhere/mcp.mjs');
  const directory = spec.sessionDirectory;
  await mkdir(directory);
  for (const name of ['spool', 'stderr']) await writeFile(join(directory, name), '');
  const clock = new ManualClock();
  const asked: string[] = [];
  const processes: ProcessTable = {
    self: () => Promise.reject(new Error('not asked')),
    identify: async () => void asked.push('identify') as undefined,
    isAlive: async () => asked.push('isAlive') > 0,
    hasPid: () => asked.push('hasPid') > 0,
    list: async () => [],
    signal: () => undefined,
  };
  const looks = { count: 0 };
  const disk: Disk = {
    ...nodeDisk,
    stat: (path) => {
      if (path.endsWith('spool')) looks.count += 1;
      return nodeDisk.stat(path);
    },
  };
  const gone = new AbortController();
  const record: HostRecord = {
    state: 'running',
    session: spec.session,
    harness: 'scripted',
    limits: { ...spec.limits, timeMs: 3_600_000 },
    startedAt: new Date(clock.wallMs()).toISOString(),
    awakeMs: 0,
    ...leader,
    ...given,
  };
  const adapter = shellAdapter('true');
  const ports = { disk, clock, processes, log: silentLogger };
  const never = new AbortController().signal;
  const session = new RunningSession({
    ...ports,
    adapter,
    directory,
    record,
    leader,
    gone: gone.signal,
    released: never,
  });
  onTestFinished(async () => {
    gone.abort();
    await session.ended;
  });
  const pass = async (ms: number, stepMs = 5) => {
    const endMs = clock.monotonicMs() + ms;
    while (clock.monotonicMs() < endMs) {
      await clock.whenScheduled();
      clock.advance(stepMs);
    }
    await clock.whenScheduled();
  };
  const end = () => {
    gone.abort();
    return session.ended;
  };
  return { directory, clock, asked, looks, pass, end };
}

test('a session that this process started is watched without a look at the process table', async () => {
  const { asked, pass } = await watchSession();
  await pass(5000);
  expect(asked).toEqual([]);
});

test('a silent session is looked at about four times a second', async () => {
  const { looks, pass } = await watchSession();
  await pass(15_000);
  looks.count = 0;
  await pass(10_000);
  expect(looks.count).toBeLessThanOrEqual(42);
  expect(looks.count).toBeGreaterThanOrEqual(38);
});

describe('the time limit of a session', () => {
  const limits = { timeMs: 120_000, outputBytes: 1e9, costUsd: 10, orphanMs: 60_000, orphanAfterStopMs: 60_000 };
  const startedAt = new Date(new ManualClock().wallMs() - 125 * 60_000).toISOString();

  test('does not count what the machine slept before the next owner came', async () => {
    const { pass, end } = await watchSession({ limits, startedAt, awakeMs: 60_000 });
    await pass(55_000, 250);
    expect((await end()).end).toBe('lost');
  });

  test('counts what the session ran under owners before', async () => {
    const { pass, end } = await watchSession({ limits, startedAt, awakeMs: 60_000 });
    await pass(65_000, 250);
    expect((await end()).end).toBe('timeLimit');
  });

  test('starts again if the record does not say what the session ran', async () => {
    const directory = await makeTemporaryDirectory();
    const record = { state: 'running', session: 'S1', harness: 'scripted', limits, startedAt, bootId: 'boot' };
    await writeFile(join(directory, 'host.json'), JSON.stringify(record));
    expect((await loadHostRecord(nodeDisk, directory)).awakeMs).toBe(0);
  });

  test('does not count the time the machine sleeps under one owner, although the clock continues', async () => {
    const { pass, clock, end } = await watchSession({ limits, awakeMs: 0 });
    await pass(30_000, 250);
    clock.advance(7_200_000);
    await pass(30_000, 250);
    expect((await end()).end).toBe('lost');
  });

  test('is kept for the next owner every minute', async () => {
    const { pass, directory, end } = await watchSession({ awakeMs: 60_000 });
    const kept = async () => JSON.parse(await readFile(join(directory, 'host.json'), 'utf8').catch(() => '{}'));
    await pass(55_000, 250);
    expect(await kept()).toEqual({});
    await pass(10_000, 250);
    const { state, awakeMs } = await kept();
    expect(state).toBe('running');
    expect(awakeMs).toBeGreaterThanOrEqual(120_000);
    await end();
    expect(await kept()).toMatchObject({ state: 'ended' });
  });
});
