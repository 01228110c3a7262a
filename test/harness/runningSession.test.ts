import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Disk } from '../../src/base/disk.ts';
import { silentLogger } from '../../src/base/log.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import type { ProcessTable } from '../../src/base/processes.ts';
import type { HostRecord } from '../../src/harness/hostRecord.ts';
import { RunningSession } from '../../src/harness/runningSession.ts';
import { ManualClock } from '../support/manualClock.ts';
import { shellAdapter, specOf } from '../support/sessions.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';

const leader = { pid: 4242, startTime: '7', bootId: 'boot-1' };

/** A session whose process lives until the test says otherwise. */
async function watchSession() {
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
    ...leader,
  };
  const adapter = shellAdapter('true');
  const ports = { disk, clock, processes, log: silentLogger };
  const session = new RunningSession({ ...ports, adapter, directory, record, leader, gone: gone.signal });
  onTestFinished(async () => {
    gone.abort();
    await session.ended;
  });
  const pass = async (ms: number) => {
    const endMs = clock.monotonicMs() + ms;
    while (clock.monotonicMs() < endMs) {
      await clock.whenScheduled();
      clock.advance(5);
    }
  };
  return { directory, clock, asked, looks, pass, session };
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
