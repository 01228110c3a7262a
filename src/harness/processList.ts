import { execFile } from 'node:child_process';
import type { Disk } from '../base/disk.ts';
import type { ProcessRow, SessionMark } from '../base/processes.ts';
import { failure } from '../model/codes.ts';
import { readProcFile, readStatFields } from './procFile.ts';

/** Each reads one or two files; the usual limit of open files is 1,024 a process, and 256 on macOS. */
const batchSize = 32;
/** Field 22 of a process's line, counted behind its name, which is the second. */
const startTimeField = 22 - 3;

/** All processes by /proc; `since` is in clock ticks there. */
export async function listFromProc(disk: Disk, { session, variable, since = '' }: SessionMark): Promise<ProcessRow[]> {
  const mark = `${variable}=${session}`;
  const entries = await disk.readDirectory('/proc');
  const pids = entries.map((entry) => Number(entry.name)).filter((pid) => Number.isInteger(pid));
  const rows: ProcessRow[] = [];
  // In batches: a busy machine has more processes than one process may have files open.
  for (let start = 0; start < pids.length; start += batchSize) {
    const batch = pids.slice(start, start + batchSize).map((pid) => readProcess(disk, pid, mark, Number(since)));
    rows.push(...(await Promise.all(batch)).filter((row) => row !== undefined));
  }
  return rows;
}

/** All processes if there is no /proc. The environment stands behind the command, for processes of the same user. */
export async function listFromPs({ session, variable }: SessionMark): Promise<ProcessRow[]> {
  const text = await new Promise<string>((resolve, reject) => {
    const options = { maxBuffer: 64 * 1024 * 1024, env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' } };
    execFile('ps', ['axeww', '-o', 'pid=,pgid=,stat=,command='], options, (error, stdout) => {
      if (error === null) resolve(stdout);
      else reject(failure('harness/failed', session, 'The processes cannot be listed with ps.', { cause: error }));
    });
  });
  const rows: ProcessRow[] = [];
  for (const line of text.split('\n')) {
    const match = /^\s*(\d+)\s+(\d+)\s+(\S+)\s(.*)$/.exec(line);
    if (match === null || match[3]?.startsWith('Z') === true) continue;
    const carriesSession = ` ${match[4]} `.includes(` ${variable}=${session} `);
    rows.push({ pid: Number(match[1]), group: Number(match[2]), carriesSession });
  }
  return rows;
}

async function readProcess(disk: Disk, pid: number, mark: string, since: number): Promise<ProcessRow | undefined> {
  const fields = await readStatFields(disk, pid);
  if (fields === undefined) return undefined;
  const [state, , group] = fields;
  if (state === 'Z') return undefined;
  if (Number(fields[startTimeField]) < since) return { pid, group: Number(group), carriesSession: false };
  const environment = await readProcFile(disk, pid, 'environ');
  const carriesSession = `\0${environment}`.includes(`\0${mark}\0`);
  return { pid, group: Number(group), carriesSession };
}
