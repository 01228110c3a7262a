import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { sessionAbove } from '../../src/harness/sessionAbove.ts';
import { testNeeding } from '../support/machine.ts';
import { startGroup } from '../support/shellGroup.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';

const session = '01HZY0000000000000000000S1';
const isKnown = async (id: string, rehearsed?: string) => id === session || rehearsed === '/rehearsed';
const found = { kind: 'session', session };

/** Who the last process of a chain of shells is, started by a shell with this environment. */
async function check(script: string, environment: Record<string, string>, expected: unknown): Promise<void> {
  const group = await startGroup(script, environment);
  const pid = await lastOf(group.pid);
  // It may have left the group that the test ends.
  onTestFinished(() => void process.kill(pid, 'SIGKILL'));
  expect(await sessionAbove(nodeDisk, pid, isKnown)).toEqual(expected);
}

async function lastOf(pid: number): Promise<number> {
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'latin1')).trim().split(' ').filter(Boolean);
  const [child] = children;
  return child === undefined ? pid : lastOf(Number(child));
}

testNeeding(['Linux'], 'a process is below the session in its own environment', () =>
  check('echo up; exec sleep 300', { RAVEL_SESSION: session }, found),
);
testNeeding(['Linux'], 'a process is below the session of a process above it, though it has dropped the variable', () =>
  check('env -i /bin/sh -c "echo up; sleep 300; true"; true', { RAVEL_SESSION: session }, found),
);
testNeeding(['Linux'], 'a process in a group and login session of its own is below the session of its parent', () =>
  check('env -i setsid --wait /bin/sh -c "echo up; sleep 300; true"; true', { RAVEL_SESSION: session }, found),
);
testNeeding(
  ['Linux'],
  'a process that outlived its parent is below the session of the leader of its group',
  async () => {
    const file = join(await makeTemporaryDirectory(), 'pid');
    await startGroup(`(env -i sleep 300 & echo $! > '${file}'); echo up; sleep 300; true`, { RAVEL_SESSION: session });
    const pid = Number(await readFile(file, 'utf8'));
    expect(await sessionAbove(nodeDisk, pid, isKnown)).toEqual(found);
  },
);
testNeeding(['Linux'], 'a process that carries another value too is below the one that is known', () =>
  check('RAVEL_SESSION=other /bin/sh -c "echo up; sleep 300; true"; true', { RAVEL_SESSION: session }, found),
);
testNeeding(['Linux'], 'a process below the session of another vault is anybody', () =>
  check('echo up; exec sleep 300', { RAVEL_SESSION: '01HZY0000000000000000000S2' }, { kind: 'other' }),
);
testNeeding(['Linux'], 'a process of a rehearsal is below its session for the vault that is rehearsed', async () => {
  const other = '01HZY0000000000000000000S2';
  const variables = { RAVEL_SESSION: other, RAVEL_REHEARSED_VAULT: '/rehearsed' };
  await check('echo up; exec sleep 300', variables, { kind: 'session', session: other });
});
testNeeding(['Linux'], 'a process with a variable of a similar name is anybody', () =>
  check('echo up; exec sleep 300', { X_RAVEL_SESSION: session, RAVEL_SESSIONS: session }, { kind: 'other' }),
);
testNeeding(['Linux'], 'a process that ended is gone', async () =>
  expect(await sessionAbove(nodeDisk, 2 ** 30, isKnown)).toEqual({ kind: 'gone' }),
);
