import { execFile } from 'node:child_process';
import { assert } from '../base/assert.ts';
import type { Disk } from '../base/disk.ts';
import { isRavelError, messageOf, systemCode } from '../base/errors.ts';
import type { ProcessIdentity, ProcessTable } from '../base/processes.ts';
import { failure } from '../model/codes.ts';
import { listFromProc, listFromPs } from './processList.ts';

/** Runs a system program; its standard output, or undefined when it exits with an error. */
export type RunProgram = (program: string, args: readonly string[]) => Promise<string | undefined>;

export interface ProcessTableOptions {
  readonly platform?: NodeJS.Platform;
  readonly run?: RunProgram;
}

/**
 * The operating system's processes. A zombie counts as gone: it does nothing any more. What the system does not tell just
 * now, such as without free descriptors, is `disk/failed` and says nothing about a process.
 */
export function createProcesses(disk: Disk, options: ProcessTableOptions = {}): ProcessTable {
  const { platform = process.platform } = options;
  const source = sourceOf(disk, platform, options.run ?? runProgram);
  const boot = onceKnown(() => source.bootId());
  const identify = async (pid: number): Promise<ProcessIdentity | undefined> => {
    if (!Number.isSafeInteger(pid) || pid < 1) return undefined;
    try {
      const startTime = await source.startTime(pid);
      return startTime === undefined ? undefined : { pid, startTime, bootId: await boot() };
    } catch (error) {
      throw lookupError(pid, error);
    }
  };
  const self = onceKnown(async () => {
    const own = await identify(process.pid);
    assert(own !== undefined, 'the running process is in the process table');
    const namespace = await source.namespace().catch((error: unknown) => {
      throw lookupError(process.pid, error);
    });
    return namespace === undefined ? own : { ...own, namespace };
  });
  return {
    identify,
    self,
    async isAlive(identity) {
      const now = await identify(identity.pid);
      return now !== undefined && now.startTime === identity.startTime && now.bootId === identity.bootId;
    },
    hasPid,
    list: (mark) => (platform === 'linux' ? listFromProc(disk, mark) : listFromPs(mark)),
    signal: (pid, signal) => void process.kill(pid, signal),
  };
}

/** What never changes is asked for once; a question that failed is asked again. */
function onceKnown<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined;
  return () => {
    answer ??= ask().catch((error: unknown) => {
      answer = undefined;
      throw error;
    });
    return answer;
  };
}

/** Whether the system refused or its program took too long, the same can succeed later; a defect stays one. */
function lookupError(pid: number, error: unknown): unknown {
  const isRefusal = systemCode(error) !== undefined || (error instanceof Error && 'killed' in error);
  if (isRavelError(error) || !isRefusal) return error;
  const message = `Process ${pid} cannot be looked up: ${messageOf(error)}.`;
  return failure('disk/failed', `process ${pid}`, message, { cause: error });
}

interface ProcessSource {
  /** Undefined when no such process runs. */
  startTime(pid: number): Promise<string | undefined>;
  bootId(): Promise<string>;
  /** Undefined if there are none, or the system does not tell. */
  namespace(): Promise<string | undefined>;
}

function sourceOf(disk: Disk, platform: NodeJS.Platform, run: RunProgram): ProcessSource {
  if (platform === 'linux') return linuxSource(disk);
  if (platform === 'darwin') return darwinSource(run);
  return bareSource;
}

/** What a system says that has no namespaces, or tells nothing of them. */
const untold: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'EINVAL', 'ENOSYS', 'EACCES', 'EPERM']);

function linuxSource(disk: Disk): ProcessSource {
  return {
    async startTime(pid) {
      try {
        return parseProcStat((await disk.readFile(`/proc/${pid}/stat`)).toString('latin1'));
      } catch (error) {
        if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ESRCH') return undefined;
        throw error;
      }
    },
    async bootId() {
      return (await disk.readFile('/proc/sys/kernel/random/boot_id')).toString('latin1').trim();
    },
    async namespace() {
      try {
        return await disk.readLink('/proc/self/ns/pid');
      } catch (error) {
        // Taken for none in a moment of want, a holder of another container would look dead from then on.
        if (untold.has(systemCode(error) ?? '')) return undefined;
        throw error;
      }
    },
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
    // It belongs to another user.
    if (systemCode(error) === 'EPERM') return true;
    throw lookupError(pid, error);
  }
}

function runProgram(program: string, args: readonly string[]): Promise<string | undefined> {
  // The format of dates must not depend on the user's settings.
  const environment = { LC_ALL: 'C', TZ: 'UTC' };
  return new Promise((resolve, reject) => {
    execFile(program, [...args], { env: environment, timeout: 10_000 }, (error, stdout) => {
      if (error === null) resolve(stdout);
      else if (typeof error.code === 'number') resolve(undefined);
      else reject(error);
    });
  });
}
