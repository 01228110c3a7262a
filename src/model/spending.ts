import * as z from 'zod';
import { phases } from './phase.ts';
import { consultationPurposes } from './sessionPurpose.ts';
import type { Usage } from './usage.ts';

/** What sessions cost in US dollars, by the local day of the user who pays. */
export const spendingRecordSchema = z.looseObject({
  session: z.string(),
  /** `vault` if no plan pays. */
  plan: z.string(),
  phase: z.enum([...phases, ...consultationPurposes]),
  at: z.string(),
  /** Local day on which the session ended, `2026-01-02`. */
  day: z.string(),
  /** Absent if the cost is not known. */
  usd: z.number().nonnegative().optional(),
  /**
   * `estimated`: from tokens and the prices of the settings. `scripted`: made up by a scenario; it counts toward limits,
   * which can be tried with it. `unknown` costs count as time alone.
   */
  basis: z.enum(['reported', 'estimated', 'scripted', 'unknown']),
});

export type SpendingRecord = z.infer<typeof spendingRecordSchema>;

/** US dollars per million tokens. */
export const priceSchema = z.strictObject({
  input: z.number().nonnegative(),
  output: z.number().nonnegative(),
  'cache-read': z.number().nonnegative().default(0),
  'cache-write': z.number().nonnegative().default(0),
});

export type Price = z.infer<typeof priceSchema>;

/** What a session cost, as the harness reported it, else by the price of its model. */
export function costOf(
  usage: Usage | undefined,
  model: string | undefined,
  prices: Readonly<Record<string, Price>>,
): Pick<SpendingRecord, 'usd' | 'basis'> {
  if (usage?.costUsd !== undefined) return { usd: usage.costUsd, basis: usage.costBasis ?? 'reported' };
  const price = priceOf(model, prices);
  if (usage === undefined || price === undefined) return { basis: 'unknown' };
  const millionths =
    usage.inputTokens * price.input +
    usage.outputTokens * price.output +
    usage.cacheReadTokens * price['cache-read'] +
    usage.cacheWriteTokens * price['cache-write'];
  return { usd: millionths / 1_000_000, basis: 'estimated' };
}

/** The longest name that the model's begins with: a price for `claude-opus` holds for each version of it. */
function priceOf(model: string | undefined, prices: Readonly<Record<string, Price>>): Price | undefined {
  if (model === undefined) return undefined;
  const names = Object.keys(prices).filter((name) => model.startsWith(name));
  const [longest] = names.sort((a, b) => b.length - a.length);
  return longest === undefined ? undefined : prices[longest];
}

/** The day on the local calendar, `2026-01-02`. */
export function localDay(wallMs: number): string {
  const date = new Date(wallMs);
  const [month, day] = [date.getMonth() + 1, date.getDate()].map((number) => String(number).padStart(2, '0'));
  return `${date.getFullYear()}-${month}-${day}`;
}

/** When the next local day begins: 23 to 25 hours after this one began. */
export function nextLocalDayMs(wallMs: number): number {
  const date = new Date(wallMs);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1).getTime();
}

export interface DaySum {
  /** Known costs: reported, estimated and scripted. */
  readonly usd: number;
  readonly estimatedUsd: number;
  /** What scenarios made up of them. */
  readonly scriptedUsd: number;
  readonly sessions: number;
  /** Sessions whose cost is not known. */
  readonly unknownSessions: number;
}

export const nothingSpent: DaySum = { usd: 0, estimatedUsd: 0, scriptedUsd: 0, sessions: 0, unknownSessions: 0 };

export function addSums(a: DaySum, b: DaySum): DaySum {
  return {
    usd: a.usd + b.usd,
    estimatedUsd: a.estimatedUsd + b.estimatedUsd,
    scriptedUsd: a.scriptedUsd + b.scriptedUsd,
    sessions: a.sessions + b.sessions,
    unknownSessions: a.unknownSessions + b.unknownSessions,
  };
}

export function addSpending(sum: DaySum, { usd = 0, basis }: Pick<SpendingRecord, 'usd' | 'basis'>): DaySum {
  return {
    usd: sum.usd + usd,
    estimatedUsd: sum.estimatedUsd + (basis === 'estimated' ? usd : 0),
    scriptedUsd: sum.scriptedUsd + (basis === 'scripted' ? usd : 0),
    sessions: sum.sessions + 1,
    unknownSessions: sum.unknownSessions + (basis === 'unknown' ? 1 : 0),
  };
}
