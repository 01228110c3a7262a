import { execFile } from 'node:child_process';
import { assert } from '../base/assert.ts';
import type { Disk } from '../base/disk.ts';
import { systemCode } from '../base/errors.ts';
import type { ProcessIdentity, ProcessTable } from '../base/processes.ts';
import { listFromProc, listFromPs } from './processList.ts';

/** Runs a system program; its standard output, or undefined when it exits with an error. */
export type RunProgram = (program: string, args: readonly string[]) => Promise<string | undefined>;

export interface ProcessTableOptions {
  readonly platform?: NodeJS.Platform;
  readonly run?: RunProgram;
}

/** The operating system's processes. A zombie counts as gone: it does nothing any more. */
export function createProcesses(disk: Disk, options: ProcessTableOptions = {}): ProcessTable {
  const { platform = process.platform } = options;
  const source = sourceOf(disk, platform, options.run ?? runProgram);
  let boot: Promise<string> | undefined;
  let namespace: Promise<string | undefined> | undefined;
  const identify = async (pid: number): Promise<ProcessIdentity | undefined> => {
    if (!Number.isSafeInteger(pid) || pid < 1) return undefined;
    const startTime = await source.startTime(pid);
    if (startTime === undefined) return undefined;
    boot ??= source.bootId();
    return { pid, startTime, bootId: await boot };
  };
  return {
    identify,
    async self() {
      const own = await identify(process.pid);
      assert(own !== undefined, 'the running process is in the process table');
      namespace ??= source.namespace();
      const found = await namespace;
      return found === undefined ? own : { ...own, namespace: found };
    },
    async isAlive(identity) {
      const now = await identify(identity.pid);
      return now !== undefined && now.startTime === identity.startTime && now.bootId === identity.bootId;
    },
    hasPid,
    list: (mark) => (platform === 'linux' ? listFromProc(disk, mark) : listFromPs(mark)),
    signal: (pid, signal) => void process.kill(pid, signal),
  };
}

interface ProcessSource {
  /** Undefined when no such process runs. */
  startTime(pid: number): Promise<string | undefined>;
  bootId(): Promise<string>;
  /** Undefined where there are none, or the system does not tell. */
  namespace(): Promise<string | undefined>;
}

function sourceOf(disk: Disk, platform: NodeJS.Platform, run: RunProgram): ProcessSource {
  if (platform === 'linux') return linuxSource(disk);
  if (platform === 'darwin') return darwinSource(run);
  return bareSource;
}

function linuxSource(disk: Disk): ProcessSource {
  return {
    async startTime(pid) {
      try {
        return parseProcStat((await disk.readFile(`/proc/${pid}/stat`)).toString('latin1'));
      } catch (error) {
        if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ESRCH') return undefined;
        throw new Error(`process ${pid} cannot be looked up`, { cause: error });
      }
    },
    async bootId() {
      return (await disk.readFile('/proc/sys/kernel/random/boot_id')).toString('latin1').trim();
    },
    namespace: () => disk.readLink('/proc/self/ns/pid').catch(() => undefined),
  };
}

/**
 * Field 22 of `/proc/<pid>/stat`, in clock ticks since boot. The second field is the program's name in parentheses, which
 * may itself hold blanks and parentheses, so counting starts after the last one.
 */
function parseProcStat(text: string): string | undefined {
  // A process that ends between the opening of its file and the reading leaves nothing to read.
  if (text === '') return undefined;
  const afterName = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const state = afterName[0] ?? '';
  if (state === 'Z' || state === 'X' || state === 'x') return undefined;
  const startTime = afterName[22 - 3];
  assert(startTime !== undefined, 'a line of the process table has a start time');
  return startTime;
}

function darwinSource(run: RunProgram): ProcessSource {
  return {
    async startTime(pid) {
      const line = (await run('/bin/ps', ['-o', 'state=,lstart=', '-p', `${pid}`]))?.trim() ?? '';
      const separator = line.indexOf(' ');
      if (separator === -1 || line.startsWith('Z')) return undefined;
      return line.slice(separator).trim().replace(/\s+/g, ' ');
    },
    async bootId() {
      // Not kern.boottime, which moves when the clock is set.
      const id = await run('/usr/sbin/sysctl', ['-n', 'kern.bootsessionuuid']);
      assert(id !== undefined && id.trim() !== '', 'the system names its boot session');
      return id.trim();
    },
    namespace: async () => undefined,
  };
}

/**
 * Elsewhere only "is there such a pid" costs nothing. A recycled pid then passes for the old process, so a stale lock can
 * stay until that process ends; two owners can never come of it.
 */
const bareSource: ProcessSource = {
  startTime: async (pid) => (hasPid(pid) ? 'unknown' : undefined),
  bootId: async () => 'unknown',
  namespace: async () => undefined,
};

function hasPid(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    if (systemCode(error) === 'ESRCH') return false;
    // It is somebody else's.
    if (systemCode(error) === 'EPERM') return true;
    throw new Error(`process ${pid} cannot be looked up`, { cause: error });
  }
}

function runProgram(program: string, args: readonly string[]): Promise<string | undefined> {
  // The form of dates must depend on nobody's settings.
  const environment = { LC_ALL: 'C', TZ: 'UTC' };
  return new Promise((resolve, reject) => {
    execFile(program, [...args], { env: environment, timeout: 10_000 }, (error, stdout) => {
      if (error === null) resolve(stdout);
      else if (typeof error.code === 'number') resolve(undefined);
      else reject(error);
    });
  });
}
