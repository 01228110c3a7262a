import { basename, join } from 'node:path';
import * as z from 'zod';
import { AwakeTime } from '../base/awakeTime.ts';
import { type Clock, delay, formatTimestamp } from '../base/clock.ts';
import type { Disk } from '../base/disk.ts';
import { systemCode } from '../base/errors.ts';
import { readTextIfExists, writeAtomic } from '../base/files.ts';
import { parseJson } from '../base/json.ts';
import type { OwnerState } from '../server/reconnecting.ts';

/** Milliseconds between two checks. */
const periodMs = 1_000;
/** The owner enforces the limits; the watchdog leaves it this much before it takes its place. */
const timeGraceMs = 30_000;
const outputGraceBytes = 1024 * 1024;
/** As long as an owner that crashed may stay away: a vault that was removed at once leaves no limits to read. */
const recordMs = 10 * 60_000;
/** No group has this number; members are then known by the session that they carry. */
const unknownGroup = -1;

const hostSchema = z.looseObject({
  session: z.string(),
  startedAt: z.string(),
  awakeMs: z.number().default(0),
  limits: z.looseObject({
    timeMs: z.number(),
    outputBytes: z.number(),
    orphanMs: z.number(),
    orphanAfterStopMs: z.number(),
  }),
});

type Host = z.infer<typeof hostSchema>;

export interface WatchdogOptions {
  readonly sessionDirectory: string;
  readonly disk: Disk;
  readonly clock: Clock;
  readonly owner: () => OwnerState;
  /** Ends the process group of a session: SIGTERM, 500 ms, SIGKILL. This process belongs to it as well. */
  readonly endGroup: (group: { readonly pid: number; readonly session: string }) => Promise<void>;
}

/**
 * Watches over a session whose owner may be gone: one that is too old, says too much, or has had no owner for too long
 * is ended with its whole group. The file `watchdog` says why, and is there before the first signal. Resolves with the
 * reason after it has acted; rejects when the signal aborts.
 */
export async function watchSession(options: WatchdogOptions, signal: AbortSignal): Promise<string> {
  const { clock, disk, sessionDirectory } = options;
  const awake = new AwakeTime(clock);
  const absence = new Absence(clock);
  let ageBeforeMs: number | undefined;
  let host: Host | undefined;
  let pid: number | undefined;
  for (;;) {
    await delay(clock, periodMs, signal);
    // What was read once still counts if the vault is removed.
    host = (await readHost(disk, sessionDirectory)) ?? host;
    pid = (await readPid(disk, sessionDirectory)) ?? pid;
    if (host === undefined) {
      if (awake.passedMs() <= recordMs) continue;
      const reason = 'The rights of this session are not known: its record is gone, or never came.';
      await end(options, { pid, session: basename(sessionDirectory) }, reason);
      return reason;
    }
    const awakeMs = awake.passedMs();
    ageBeforeMs ??= host.awakeMs;
    const reason = reasonToEnd(host.limits, {
      ageMs: ageBeforeMs + awakeMs,
      outputBytes: await outputBytes(disk, sessionDirectory),
      absence: absence.measure(options.owner()),
    });
    if (reason === undefined) continue;
    await end(options, { pid, session: host.session }, reason);
    return reason;
  }
}

interface Measured {
  readonly ageMs: number;
  readonly outputBytes: number;
  /** For how long no owner has been there, and whether the last one said goodbye; undefined while one is there. */
  readonly absence: { readonly ms: number; readonly orderly: boolean } | undefined;
}

/** How long an owner is absent, without the time that the machine sleeps: it cannot come back meanwhile. */
class Absence {
  readonly #clock: Clock;
  #since: { readonly ms: number; readonly awake: AwakeTime } | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  measure(owner: OwnerState): Measured['absence'] {
    if (owner.kind === 'connected') {
      this.#since = undefined;
      return undefined;
    }
    const { sinceMs, orderly } = owner;
    if (this.#since?.ms !== sinceMs) {
      const before = Math.min(this.#clock.monotonicMs() - sinceMs, periodMs);
      this.#since = { ms: sinceMs, awake: new AwakeTime(this.#clock, before) };
    }
    return { ms: this.#since.awake.passedMs(), orderly };
  }
}

/** Why a session must end, as a sentence. */
export function reasonToEnd(limits: Host['limits'], measured: Measured): string | undefined {
  const { ageMs, outputBytes, absence } = measured;
  if (ageMs > limits.timeMs + timeGraceMs) {
    return `The session ran for ${seconds(ageMs)}, longer than the ${seconds(limits.timeMs)} allowed.`;
  }
  if (outputBytes > limits.outputBytes + outputGraceBytes) {
    return `The session wrote ${outputBytes} bytes, more than the ${limits.outputBytes} allowed.`;
  }
  if (absence === undefined) return undefined;
  const allowedMs = absence.orderly ? limits.orphanAfterStopMs : limits.orphanMs;
  if (absence.ms <= allowedMs) return undefined;
  return `The session had no owner for ${seconds(absence.ms)}, longer than the ${seconds(allowedMs)} allowed.`;
}

function seconds(ms: number): string {
  return `${Math.round(ms / 1000)} s`;
}

async function end(
  options: WatchdogOptions,
  { pid, session }: { readonly pid: number | undefined; readonly session: string },
  reason: string,
): Promise<void> {
  const { clock, disk, sessionDirectory } = options;
  const note = `${JSON.stringify({ at: formatTimestamp(clock.wallMs()), reason })}\n`;
  try {
    await writeAtomic(disk, join(sessionDirectory, 'watchdog'), note);
  } finally {
    // A full disk must not keep a session alive.
    await options.endGroup({ pid: pid ?? unknownGroup, session });
  }
}

async function readHost(disk: Disk, sessionDirectory: string): Promise<Host | undefined> {
  const text = await readTextIfExists(disk, join(sessionDirectory, 'host.json'));
  if (text === undefined) return undefined;
  const host = hostSchema.safeParse(parseJson(text));
  return host.success && Number.isFinite(Date.parse(host.data.startedAt)) ? host.data : undefined;
}

/** The file starts with the number; what follows tells the process from a later one of the same number. */
async function readPid(disk: Disk, sessionDirectory: string): Promise<number | undefined> {
  const text = (await readTextIfExists(disk, join(sessionDirectory, 'pid'))) ?? '';
  const pid = Number(/^\s*(\d+)/.exec(text)?.[1]);
  return Number.isSafeInteger(pid) && pid > 1 ? pid : undefined;
}

async function outputBytes(disk: Disk, sessionDirectory: string): Promise<number> {
  const sizes = await Promise.all(
    ['spool', 'stderr'].map((name) =>
      disk.stat(join(sessionDirectory, name)).then(
        (stat) => stat.size,
        (error: unknown) => {
          if (systemCode(error) === 'ENOENT') return 0;
          throw error;
        },
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
