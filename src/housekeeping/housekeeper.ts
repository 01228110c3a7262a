import * as z from 'zod';
import { formatTimestamp } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import { messageOf } from '../base/errors.ts';
import { readTextIfExists, writeAtomic } from '../base/files.ts';
import { parseJson } from '../base/json.ts';
import { dayMs } from '../base/units.ts';
import type { PlanServices } from '../plans/services.ts';
import type { VaultPorts } from '../vault/vaultPorts.ts';

/** What a chore removed or archived, and what it could not. */
export interface ChoreReport {
  readonly removed: number;
  readonly bytes: number;
  /** Whole sentences. */
  readonly problems: readonly string[];
}

/** A part of the daily run. It may be cut short at any moment and finds its own way when it runs again. */
export interface Chore {
  readonly name: string;
  run(signal: AbortSignal): Promise<ChoreReport>;
}

export interface HousekeeperParts {
  readonly services: Pick<PlanServices, 'disk' | 'clock' | 'layout' | 'log' | 'ledger' | 'settings'>;
  /** Whether no session runs. */
  readonly isIdle: () => boolean;
  readonly chores: readonly Chore[];
}

const runSchema = z.object({
  /** When it ended. */
  at: z.iso.datetime(),
  removed: z.number(),
  bytes: z.number(),
  problems: z.array(z.string()),
});

/** The last daily run, `runtime/housekeeping.json`. */
export type HousekeepingRun = z.infer<typeof runSchema>;

/** A day's run begins at most this late; a check reads one small file. */
const checkEveryMs = 5 * 60_000;
/** A vault in which sessions never cease is tidied all the same: nothing that is removed is in use. */
const overdueMs = 7 * dayMs;
/** Number of problems that are kept for doctor to show. */
const problemsKept = 20;

/**
 * Removes by itself what may go, once a day and if it can when no session runs. When it last did is on disk, so that
 * owners which come and go do it no more often. A chore that fails is told, and the others are done all the same.
 */
export class Housekeeper {
  readonly #parts: HousekeeperParts;
  readonly #stopping = new AbortController();
  #timer: Disposable | undefined;
  #done: Promise<void> = Promise.resolve();

  constructor(parts: HousekeeperParts) {
    this.#parts = parts;
  }

  /** Runs the chores from now on when they are due. */
  begin(): void {
    const { clock, log } = this.#parts.services;
    if (this.#stopping.signal.aborted) return;
    this.#timer = clock.schedule(checkEveryMs, () => {
      this.#done = this.runIfDue()
        .catch((error: unknown) => {
          if (!this.#stopping.signal.aborted) log.warn('the vault could not be tidied', { error: messageOf(error) });
        })
        .finally(() => this.begin());
    });
  }

  /** Runs the chores if they are due. */
  async runIfDue(): Promise<void> {
    const { services, isIdle } = this.#parts;
    // It may be turned off and on while the vault is open.
    if (!services.settings.retention.automatic) return;
    const sinceMs = services.clock.wallMs() - (await lastMs(services));
    // A clock that was set back would otherwise keep it waiting until then.
    const isDue = sinceMs >= dayMs || sinceMs < 0;
    const isOverdue = sinceMs >= overdueMs;
    if (isDue) await this.#run(() => isOverdue || isIdle());
  }

  /** Drops what is under way. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#timer?.dispose();
    await this.#done;
  }

  /** Ends before the next chore if it may not go on, and is then none that is kept: the next check begins again. */
  async #run(mayContinue: () => boolean): Promise<void> {
    const { services, chores } = this.#parts;
    const { disk, clock, layout, log, ledger } = services;
    const reports: ChoreReport[] = [];
    for (const chore of chores) {
      this.#stopping.signal.throwIfAborted();
      if (!mayContinue()) break;
      reports.push(await contain(chore, this.#stopping.signal));
    }
    if (reports.length === 0) return;
    const problems = reports.flatMap((report) => report.problems);
    const run: HousekeepingRun = {
      at: formatTimestamp(clock.wallMs()),
      removed: sum(reports.map(({ removed }) => removed)),
      bytes: sum(reports.map(({ bytes }) => bytes)),
      problems: problems.slice(0, problemsKept),
    };
    for (const problem of run.problems) log.warn(problem);
    log.info('what is old was removed', { removed: run.removed, bytes: run.bytes, problems: problems.length });
    const { removed, bytes } = run;
    if (removed > 0)
      await ledger?.append({ at: run.at, plan: 'vault', what: 'housekeeping', outcome: 'removed', removed, bytes });
    if (reports.length < chores.length) return;
    await writeAtomic(disk, layout.housekeeping, `${JSON.stringify(run, undefined, 2)}\n`);
  }
}

/** The last daily run; undefined if there was none, or nothing that can be read says so. */
export async function loadHousekeeping({ disk, layout }: VaultPorts): Promise<HousekeepingRun | undefined> {
  return runSchema.safeParse(parseJson((await readTextIfExists(disk, layout.housekeeping)) ?? '')).data;
}

async function lastMs(services: VaultPorts): Promise<number> {
  const last = await loadHousekeeping(services);
  return last === undefined ? 0 : Date.parse(last.at);
}

async function contain({ name, run }: Chore, signal: AbortSignal): Promise<ChoreReport> {
  try {
    return await run(signal);
  } catch (error) {
    if (signal.aborted) throw error;
    return { removed: 0, bytes: 0, problems: [`${name}: ${messageOf(error)}`] };
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
