import type { Disk } from '../base/disk.ts';
import type { Caller } from '../base/processes.ts';
import { rehearsedVault } from '../model/rehearsal.ts';
import { readProcFile, readStatFields } from './procFile.ts';

/** Nothing runs so deep below the first process of a machine. */
const generationsMax = 200;

type IsKnown = (session: string, rehearsed: string | undefined) => Promise<boolean>;

/**
 * Whether a process is below a session, by `/proc`: it or a process above it, or a leader of its process group or login
 * session, was started with the session's id in its environment. What a process does to its own environment later does
 * not show there. One that cleared its environment, left its group with `setsid` and outlived its parents is not found.
 *
 * `isKnown` tells sessions of this vault from those of others, below which people may well work; it is given the vault that
 * a session rehearses.
 */
export async function sessionAbove(disk: Disk, pid: number, isKnown: IsKnown): Promise<Caller> {
  const seen = new Set<number>();
  let next: number | undefined = pid;
  for (let n = 0; next !== undefined && next > 0 && n < generationsMax; n++) {
    const row = await readStat(disk, next);
    if (row === undefined) return next === pid ? { kind: 'gone' } : { kind: 'other' };
    for (const one of [next, row.group, row.leader]) {
      if (one <= 0 || seen.has(one)) continue;
      seen.add(one);
      const session = await sessionOf(disk, one, isKnown);
      if (session !== undefined) return { kind: 'session', session };
    }
    next = row.parent;
  }
  return { kind: 'other' };
}

interface StatRow {
  readonly parent: number;
  readonly group: number;
  readonly leader: number;
}

async function readStat(disk: Disk, pid: number): Promise<StatRow | undefined> {
  const fields = await readStatFields(disk, pid);
  if (fields === undefined) return undefined;
  const [, parent, group, leader] = fields;
  return { parent: Number(parent), group: Number(group), leader: Number(leader) };
}

async function sessionOf(disk: Disk, pid: number, isKnown: IsKnown): Promise<string | undefined> {
  const environment = await readProcFile(disk, pid, 'environ');
  const [of] = valuesIn(environment, rehearsedVault);
  for (const session of valuesIn(environment, 'RAVEL_SESSION')) if (await isKnown(session, of)) return session;
  return undefined;
}

/** The values of a variable in an environment as `/proc` has it; a name can stand there more than once. */
function valuesIn(environment: string, name: string): readonly string[] {
  const rows = environment.split('\0').filter((row) => row.startsWith(`${name}=`));
  return rows.map((row) => row.slice(name.length + 1)).filter((value) => value !== '');
}
