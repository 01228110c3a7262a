import { expect, test } from 'vitest';
import { listMembers, terminateSession } from '../../src/harness/terminate.ts';
import { ports, processes } from '../support/sessions.ts';
import { startGroup } from '../support/shellGroup.ts';

test('group members that dropped the environment are found while the leader proves the group', async () => {
  const child = await startGroup('env -i /bin/sleep 300 & echo up; wait', { RAVEL_SESSION: 'S2' });
  expect(await listMembers(ports, { pid: child.pid, session: 'S2' })).toHaveLength(2);
  // Found by the leader's identity only: no process carries this session.
  const leader = await processes.identify(child.pid);
  if (leader === undefined) throw new Error('the leader is gone');
  expect(await listMembers(ports, { pid: child.pid, session: 'none', leader })).toHaveLength(2);
  const recycled = { ...leader, startTime: '1' };
  expect(await listMembers(ports, { pid: child.pid, session: 'none', leader: recycled })).toEqual([]);
});

test('a group with another leader is not touched', async () => {
  const child = await startGroup('echo up; exec sleep 300', {});
  await terminateSession(ports, {
    pid: child.pid,
    session: 'S3',
    leader: { pid: child.pid, startTime: '1', bootId: '' },
  });
  expect(await processes.identify(child.pid)).toBeDefined();
});

test('terminating a session kills processes that ignore SIGTERM after half a second', async () => {
  const child = await startGroup(`trap '' TERM; sleep 300 & echo up; while :; do sleep 1; done`, {
    RAVEL_SESSION: 'S4',
  });
  const started = performance.now();
  await terminateSession(ports, { pid: child.pid, session: 'S4' });
  expect(performance.now() - started).toBeGreaterThanOrEqual(490);
  expect(await listMembers(ports, { pid: child.pid, session: 'S4' })).toEqual([]);
});
