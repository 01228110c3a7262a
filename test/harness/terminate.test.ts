import { type ChildProcess, spawn } from 'node:child_process';
import { describe, expect, onTestFinished, test } from 'vitest';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { listFromProc, listFromPs, listMembers, terminateSession } from '../../src/harness/terminate.ts';
import { ports, processes } from '../support/sessions.ts';

/** A shell that leads a group, runs the script and prints `up` when it is ready. */
async function start(script: string, environment: Record<string, string>): Promise<ChildProcess & { pid: number }> {
  const env = { PATH: process.env['PATH'], ...environment };
  const child = spawn('/bin/sh', ['-c', script], { detached: true, env, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => {
    try {
      process.kill(-(child.pid ?? 0), 'SIGKILL');
    } catch {
      // Gone, as most tests want it.
    }
  });
  await new Promise((resolve) => child.stdout?.once('data', resolve));
  if (child.pid === undefined) throw new Error('the shell did not start');
  return Object.assign(child, { pid: child.pid });
}

const lists = [
  ['/proc', (session: string) => listFromProc(nodeDisk, session)],
  ['ps', listFromPs],
] as const;

describe.each(lists)('the process table of %s', (_name, list) => {
  test('knows groups, and who carries a session', async () => {
    const ours = await start('sleep 300 & echo up; wait', { RAVEL_SESSION: 'S1' });
    const other = await start('sleep 300 & echo up; wait', { RAVEL_SESSION: 'S11' });
    const rows = await list('S1');
    const group = rows.filter((row) => row.group === ours.pid);
    expect(group).toHaveLength(2);
    expect(group.every((row) => row.carriesSession)).toBe(true);
    expect(rows.filter((row) => row.carriesSession)).toHaveLength(2);
    expect(rows.filter((row) => row.group === other.pid)).toHaveLength(2);
  });
});

test('members of the group that dropped the environment are found while the group is provably the session’s', async () => {
  const child = await start('env -i /bin/sleep 300 & echo up; wait', { RAVEL_SESSION: 'S2' });
  expect(await listMembers(ports, { pid: child.pid, session: 'S2' })).toHaveLength(2);
  // By the leader's identity alone: nobody carries this session.
  const leader = await processes.identify(child.pid);
  if (leader === undefined) throw new Error('the leader is gone');
  expect(await listMembers(ports, { pid: child.pid, session: 'none', leader })).toHaveLength(2);
  const recycled = { ...leader, startTime: '1' };
  expect(await listMembers(ports, { pid: child.pid, session: 'none', leader: recycled })).toEqual([]);
});

test('a group whose leader is somebody else is not touched', async () => {
  const child = await start('echo up; exec sleep 300', {});
  await terminateSession(ports, {
    pid: child.pid,
    session: 'S3',
    leader: { pid: child.pid, startTime: '1', bootId: '' },
  });
  expect(await processes.identify(child.pid)).toBeDefined();
});

test('all are gone afterwards, those without mercy last', async () => {
  const child = await start(`trap '' TERM; sleep 300 & echo up; while :; do sleep 1; done`, { RAVEL_SESSION: 'S4' });
  const started = performance.now();
  await terminateSession(ports, { pid: child.pid, session: 'S4' });
  expect(performance.now() - started).toBeGreaterThanOrEqual(490);
  expect(await listMembers(ports, { pid: child.pid, session: 'S4' })).toEqual([]);
});
