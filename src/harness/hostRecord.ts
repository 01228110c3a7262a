import { join } from 'node:path';
import * as z from 'zod';
import type { Disk } from '../base/disk.ts';
import { isRavelError } from '../base/errors.ts';
import { exists, readTextIfExists, writeAtomic } from '../base/files.ts';
import type { Processes, ProcessIdentity } from '../base/processes.ts';
import { failure } from '../model/codes.ts';
import { harnessNames } from '../model/harnesses.ts';
import type { SessionLimits } from './adapter.ts';
import { parseObject } from './jsonLine.ts';

/**
 * Files of a running session in its directory; `pid` and `exit` are written by the session itself, `tooLate` by an owner
 * that found it not started.
 */
export const sessionFiles = {
  host: 'host.json',
  pid: 'pid',
  tooLate: 'too-late',
  exit: 'exit',
  spool: 'spool',
  stderr: 'stderr',
  watchdog: 'watchdog',
} as const;

const hostRecordSchema = z.looseObject({
  state: z.enum(['starting', 'running', 'ending', 'ended']),
  session: z.string(),
  /** For people; absent in what an older version wrote. */
  actor: z.string().optional(),
  purpose: z.string().optional(),
  harness: z.enum(harnessNames),
  limits: z.looseObject({
    timeMs: z.number(),
    outputBytes: z.number(),
    costUsd: z.number(),
    orphanMs: z.number(),
    orphanAfterStopMs: z.number(),
  }) satisfies z.ZodType<SessionLimits>,
  /** Whether a person sits at its terminal, which decides how its spool is read. */
  interactive: z.boolean().optional(),
  /** Whether each of its commands is recorded before it runs; absent without a sandbox. */
  recordsRuns: z.boolean().optional(),
  /** ISO 8601 with milliseconds. */
  startedAt: z.iso.datetime(),
  /** How long it ran while the machine was awake, up to when this was written. */
  awakeMs: z.number().nonnegative().default(0),
  bootId: z.string(),
  pid: z.int().optional(),
  /** The process group's id; the same as `pid`. */
  group: z.int().optional(),
  startTime: z.string().optional(),
  /** Why the owner ended the session, on disk before the first signal. */
  end: z.enum(['timeLimit', 'byteLimit', 'costLimit', 'stopped']).optional(),
});

/** `host.json`: who a session is and who runs it. */
export type HostRecord = z.infer<typeof hostRecordSchema>;

export async function loadHostRecord(disk: Disk, directory: string): Promise<HostRecord> {
  const path = join(directory, sessionFiles.host);
  const text = await readTextIfExists(disk, path);
  if (text === undefined) throw failure('session/unknown', directory, `There is no ${path}.`, { file: path });
  const parsed = hostRecordSchema.safeParse(parseObject(text));
  if (parsed.success) return parsed.data;
  throw failure('session/unknown', directory, `${path} cannot be understood: ${z.prettifyError(parsed.error)}`, {
    file: path,
    cause: parsed.error,
  });
}

export function saveHostRecord(disk: Disk, directory: string, record: HostRecord): Promise<void> {
  const text = `${JSON.stringify(record, undefined, 2)}\n`;
  return writeAtomic(disk, join(directory, sessionFiles.host), text, { permissions: 0o600 });
}

/** Who the session's leading process is, by `host.json` or else by what the process itself wrote; undefined: none started. */
export async function leaderOf(
  disk: Disk,
  directory: string,
  record: HostRecord,
): Promise<ProcessIdentity | undefined> {
  const { pid, startTime, bootId } = record;
  if (pid !== undefined && startTime !== undefined) return { pid, startTime, bootId };
  const text = await readTextIfExists(disk, join(directory, sessionFiles.pid));
  const [, ownPid, stat = ''] = /^(\d+)\n(.*)\n$/.exec(text ?? '') ?? [];
  if (ownPid === undefined) return undefined;
  // Field 22 of the line, counted behind the command's name, which may hold anything.
  const ownStart = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  return { pid: Number(ownPid), startTime: ownStart, bootId };
}

/**
 * Whether a session whose owner died had started. One that had not never will: it writes down who it is before it looks
 * for the file that this leaves, so at least one of the two sees what the other wrote.
 */
export async function hasStarted(disk: Disk, directory: string): Promise<boolean> {
  const record = await loadHostRecord(disk, directory);
  const isKnown = async () => record.state !== 'starting' || (await leaderOf(disk, directory, record)) !== undefined;
  if (await isKnown()) return true;
  await writeAtomic(disk, join(directory, sessionFiles.tooLate), '');
  return isKnown();
}

/** The exit code as a shell counts it, if the session's wrapper lived to write it. */
export async function loadExitCode(disk: Disk, directory: string): Promise<number | undefined> {
  const text = await readTextIfExists(disk, join(directory, sessionFiles.exit));
  return text !== undefined && /^\d+\n$/.test(text) ? Number(text) : undefined;
}

/** Why the session's own watchdog ended it, as a sentence; undefined if it did not. */
export async function loadWatchdogReason(disk: Disk, directory: string): Promise<string | undefined> {
  const text = await readTextIfExists(disk, join(directory, sessionFiles.watchdog));
  if (text === undefined) return undefined;
  const reason = parseObject(text)?.['reason'];
  return typeof reason === 'string' ? reason : 'The session was ended by its own watchdog.';
}

/**
 * The process that leads a session, as long as it lives, for code that decides what can be removed: a session whose
 * leader is unknown counts as dead.
 */
export async function livingLeader(
  { disk, processes }: { readonly disk: Disk; readonly processes: Processes },
  directory: string,
): Promise<ProcessIdentity | undefined> {
  if (!(await exists(disk, join(directory, sessionFiles.host)))) return undefined;
  if ((await loadExitCode(disk, directory)) !== undefined) return undefined;
  try {
    const leader = await leaderOf(disk, directory, await loadHostRecord(disk, directory));
    return leader !== undefined && (await processes.isAlive(leader)) ? leader : undefined;
  } catch (error) {
    // A record that cannot be understood names no process.
    if (isRavelError(error, 'session/unknown')) return undefined;
    throw error;
  }
}
