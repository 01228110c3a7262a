import { settleAll } from '../../base/async.ts';
import { CachedPromise } from '../../base/cachedPromise.ts';
import { formatTimestamp } from '../../base/clock.ts';
import type { Journal } from '../../base/journal.ts';
import { createDividedJournal, readDividedJournal } from '../../base/journalParts.ts';
import { SerialQueue } from '../../base/semaphore.ts';
import { formatDollars } from '../../base/text.ts';
import { timeOfUlid } from '../../base/ulid.ts';
import { dayMs } from '../../base/units.ts';
import { diagnostic, failure } from '../../model/codes.ts';
import type { EventActor } from '../../model/event.ts';
import type { QualifiedId, Ulid } from '../../model/id.ts';
import type { PlanState } from '../../model/planState.ts';
import type { Settings } from '../../model/settings.ts';
import {
  addSpending,
  costOf,
  type DaySum,
  localDay,
  nextLocalDayMs,
  nothingSpent,
  type SpendingRecord,
  spendingRecordSchema,
} from '../../model/spending.ts';
import type { Usage } from '../../model/usage.ts';
import { settingsOfPlan } from '../planSettings.ts';
import { emitFor, type PlanServices } from '../services.ts';

type SpendingPorts = Pick<PlanServices, 'disk' | 'clock' | 'layout' | 'settings' | 'emit'>;

/** The limits of a plan; a daily limit of 0 means no limit. */
export interface SpendingLimits {
  readonly sessionUsd: number;
  readonly planUsdPerDay: number;
  readonly vaultUsdPerDay: number;
}

export function budgetOf(settings: Settings, own: PlanState | undefined): SpendingLimits {
  const { limits, budget } = settingsOfPlan(settings, own);
  return {
    sessionUsd: limits['session-usd'],
    planUsdPerDay: budget['plan-usd-per-day'],
    vaultUsdPerDay: budget['vault-usd-per-day'],
  };
}

interface Reservation {
  readonly payer: EventActor;
  readonly usd: number;
}

/** Whose session was paid; a consultation may be the vault's own. */
interface Booked {
  readonly plan: EventActor;
  readonly session: Ulid;
  readonly phase: SpendingRecord['phase'];
}

/** What is to be noted of a session. */
interface Due {
  readonly booked: Booked;
  readonly record: SpendingRecord;
}

/**
 * What sessions have cost and may still cost. A session's limit is reserved before it starts, so that sessions that run
 * side by side cannot overspend together; its cost is booked when it ends, durably and once.
 */
export class Spending {
  readonly #ports: SpendingPorts;
  readonly #reserved = new Map<Ulid, Reservation>();
  /** One after the other: two that look at the same time would both take the last dollar. */
  readonly #reserving = new SerialQueue();
  readonly #journal: Journal;
  /** Bookings that the disk refused. The next booking tries them again, and their reservations stay until then. */
  #owed: Due[] = [];
  /**
   * By session, from a day on. Read on first use, so a vault without limits never waits for it. Read again when a
   * caller asks for earlier days, and when it has become long, since an owner can live for years.
   */
  readonly #records = new CachedPromise<Known>();

  constructor(ports: SpendingPorts) {
    this.#ports = ports;
    this.#journal = createDividedJournal(ports.disk, ports.layout.spending);
  }

  /**
   * Sets aside what the session may cost, and returns it: its own limit, or what is left of the day if that is less.
   * Throws `budget/exceeded` if nothing is left.
   */
  reserve(payer: EventActor, session: Ulid, budget: SpendingLimits): Promise<number> {
    return this.#reserving.run(async () => {
      const rooms = await this.#roomsLeft(payer, budget);
      const full = rooms.find(({ leftUsd }) => leftUsd <= 0);
      if (full !== undefined) throw this.#exceeded(payer, full);
      const usd = Math.min(budget.sessionUsd, ...rooms.map(({ leftUsd }) => leftUsd));
      this.#reserved.set(session, { payer, usd });
      return usd;
    });
  }

  /** A session that an earlier owner started keeps its reservation. */
  adopt(plan: QualifiedId, session: Ulid, usd: number): void {
    this.#reserved.set(session, { payer: plan, usd });
  }

  /** Releases the reservation of a session that never ran. */
  release(session: Ulid): void {
    this.#reserved.delete(session);
  }

  /**
   * Notes what a session has cost; a second time changes nothing. Cost over what was set aside is told. Rejects with
   * `disk/full`, `disk/denied` or `disk/failed`; the cost is then noted by the next booking that the disk takes.
   */
  async book(booked: Booked, usage: Usage | undefined, model: string | undefined): Promise<void> {
    const { clock, settings } = this.#ports;
    const { plan, session, phase } = booked;
    const cost = costOf(usage, model, settings.budget.prices);
    const now = clock.wallMs();
    const record = { session, plan, phase, at: formatTimestamp(now), day: localDay(now), ...cost };
    await this.#save({ booked, record });
  }

  /**
   * Sums by plan for the last `days` local days, today the last; a process that does not own the file reads it afresh.
   */
  async byDay(days: number): Promise<readonly { readonly day: string; readonly plans: ReadonlyMap<string, DaySum> }[]> {
    const dates = lastDays(this.#ports.clock.wallMs(), days);
    const records = [...(await this.#load(dates[0] ?? '')).values()];
    return dates.map((day) => ({
      day,
      plans: sumByPlan(records.filter((record) => record.day === day)),
    }));
  }

  /** What was booked since a time, for plans, experts and the vault itself. */
  async since(sinceMs: number): Promise<readonly SpendingRecord[]> {
    const records = await this.#load(localDay(sinceMs));
    return [...records.values()].filter(({ at }) => Date.parse(at) >= sinceMs);
  }

  /** What each of the sessions has cost, as far as it is known. */
  async costsOf(sessions: readonly Ulid[]): Promise<ReadonlyMap<Ulid, number>> {
    // A session is booked on the day of its end, which no time zone puts a day before its beginning.
    const beganMs = sessions.map(timeOfUlid).reduce((a, b) => Math.min(a, b), this.#ports.clock.wallMs());
    const records = await this.#load(localDay(beganMs - dayMs));
    return new Map(
      sessions.flatMap((session) => {
        const usd = records.get(session)?.usd;
        return usd === undefined ? [] : [[session, usd] as const];
      }),
    );
  }

  /** The sum reserved for running sessions, of one plan or of all. */
  reservedUsd(payer?: EventActor): number {
    const counted = [...this.#reserved.values()].filter((one) => payer === undefined || one.payer === payer);
    return counted.reduce((sum, { usd }) => sum + usd, 0);
  }

  /**
   * Tries once more to write what the disk refused. Never rejects for that: the caller that booked it already knows.
   */
  async stop(): Promise<void> {
    await this.#save().catch(() => undefined);
    await this.#journal.close();
  }

  /** New bookings and refused ones, which go to the disk together. */
  async #save(...now: readonly Due[]): Promise<void> {
    const due = [...this.#owed, ...now];
    this.#owed = [];
    await settleAll(due.map((one) => this.#write(one)));
  }

  async #write(due: Due): Promise<void> {
    const { booked, record } = due;
    const { plan, session } = booked;
    try {
      await this.#journal.append(record);
    } catch (error) {
      this.#owed.push(due);
      throw error;
    }
    const known = await this.#records.current;
    if (known !== undefined && !known.records.has(session)) known.records.set(session, record);
    if (known !== undefined && known.records.size > recordsKept) this.#records.forget();
    const reserved = this.#reserved.get(session);
    this.#reserved.delete(session);
    const over = (record.usd ?? 0) - (reserved?.usd ?? Number.POSITIVE_INFINITY);
    if (reserved === undefined || over <= 0) return;
    const message = `The session cost ${formatDollars(over)} more than the ${formatDollars(reserved.usd)} that it was given.`;
    const problem = diagnostic('budget/overshot', plan, message, { severity: 'warning' });
    emitFor(this.#ports, plan, { type: 'diagnostic', diagnostic: problem });
  }

  async #roomsLeft(payer: EventActor, { planUsdPerDay, vaultUsdPerDay }: SpendingLimits): Promise<Room[]> {
    if (planUsdPerDay === 0 && vaultUsdPerDay === 0) return [];
    const [today] = await this.byDay(1);
    const sums = [...(today?.plans ?? [])];
    const spentUsd = (own: readonly (readonly [string, DaySum])[]) => own.reduce((sum, [, { usd }]) => sum + usd, 0);
    const planRoom = {
      scope: `the plan ${payer}`,
      limitUsd: planUsdPerDay,
      spentUsd: spentUsd(sums.filter(([id]) => id === payer)),
      reservedUsd: this.reservedUsd(payer),
    };
    const vaultRoom = {
      scope: 'the vault',
      limitUsd: vaultUsdPerDay,
      spentUsd: spentUsd(sums),
      reservedUsd: this.reservedUsd(),
    };
    return [...(payer === 'vault' ? [] : [planRoom]), vaultRoom]
      .filter(({ limitUsd }) => limitUsd > 0)
      .map((room) => ({ ...room, leftUsd: room.limitUsd - room.spentUsd - room.reservedUsd }));
  }

  #exceeded(payer: EventActor, { scope, limitUsd, spentUsd, reservedUsd }: Room) {
    const until = formatTimestamp(nextLocalDayMs(this.#ports.clock.wallMs()));
    const running = reservedUsd > 0 ? `, and ${formatDollars(reservedUsd)} is set aside for sessions that run` : '';
    emitFor(this.#ports, payer, { type: 'budget.reached', scope, limitUsd, spentUsd, reservedUsd, until });
    const message = `${scope} can spend ${formatDollars(limitUsd)} a day, of which ${formatDollars(spentUsd)} is spent${running}`;
    return failure('budget/exceeded', payer, message, {
      help: `Continue after ${until}, when the next day begins, or raise the limit in daemon.toml or plan-state.md.`,
    });
  }

  /** What was booked since a day, and maybe more. */
  async #load(since: string): Promise<ReadonlyMap<string, SpendingRecord>> {
    const { disk, layout } = this.#ports;
    // A file that could not be read is tried again the next time: the user may have repaired it.
    const read = async (): Promise<Known> => {
      const isEnough = (part: readonly unknown[]) => part.length > 0 && part.every((one) => dayOf(one) < since);
      return { since, records: byFirstOfSession(await readDividedJournal(disk, layout.spending, isEnough)) };
    };
    const known = await this.#records.get(read);
    return known.since <= since ? known.records : (await this.#records.renew(read)).records;
  }
}

interface Known {
  readonly since: string;
  readonly records: Map<string, SpendingRecord>;
}

/** A year of sixty sessions a day. */
const recordsKept = 22_000;

/** The empty string, which sorts before every day, if the value is not a record. */
function dayOf(record: unknown): string {
  return spendingRecordSchema.safeParse(record).data?.day ?? '';
}

/** How much a scope can still spend today. */
interface Room {
  readonly scope: string;
  readonly limitUsd: number;
  readonly spentUsd: number;
  readonly reservedUsd: number;
  readonly leftUsd: number;
}

/** A record of another version that does not fit is passed over. */
function byFirstOfSession(records: readonly unknown[]): Map<string, SpendingRecord> {
  const first = new Map<string, SpendingRecord>();
  for (const value of records) {
    const { data } = spendingRecordSchema.safeParse(value);
    if (data !== undefined && !first.has(data.session)) first.set(data.session, data);
  }
  return first;
}

function sumByPlan(records: readonly SpendingRecord[]): ReadonlyMap<string, DaySum> {
  const sums = new Map<string, DaySum>();
  for (const record of records) sums.set(record.plan, addSpending(sums.get(record.plan) ?? nothingSpent, record));
  return sums;
}

function lastDays(wallMs: number, days: number): string[] {
  const today = new Date(wallMs);
  const [year, month, date] = [today.getFullYear(), today.getMonth(), today.getDate()];
  // Noon belongs to its day even when clocks change.
  return Array.from({ length: days }, (_, n) => localDay(new Date(year, month, date - (days - 1 - n), 12).getTime()));
}
