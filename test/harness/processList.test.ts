import { describe, expect, test } from 'vitest';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { listFromProc, listFromPs } from '../../src/harness/processList.ts';
import { startGroup } from '../support/shellGroup.ts';

const variable = 'RAVEL_SESSION';

const lists = [
  ['/proc', (session: string) => listFromProc(nodeDisk, { session, variable })],
  ['ps', (session: string) => listFromPs({ session, variable })],
] as const;

describe.each(lists)('the process list from %s', (_name, list) => {
  test('has the groups and the processes that carry the session', async () => {
    const ours = await startGroup('sleep 300 & echo up; wait', { RAVEL_SESSION: 'S1' });
    const other = await startGroup('sleep 300 & echo up; wait', { RAVEL_SESSION: 'S11' });
    const rows = await list('S1');
    const group = rows.filter((row) => row.group === ours.pid);
    expect(group).toHaveLength(2);
    expect(group.every((row) => row.carriesSession)).toBe(true);
    expect(rows.filter((row) => row.carriesSession)).toHaveLength(2);
    expect(rows.filter((row) => row.group === other.pid)).toHaveLength(2);
  });
});
