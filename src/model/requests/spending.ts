import * as z from 'zod';
import type { DaySum } from '../spending.ts';

/** What sessions have cost, and what they may still cost today. */
export const spendingRequests = {
  spending: z
    .object({ days: z.number().int().positive().max(366).optional() })
    .describe("the cost of sessions in the last days, and the rest of today's budget"),
} as const;

/** `plans` by the names that they had then; the most expensive first. */
export interface SpendingDay extends DaySum {
  /** On the local calendar of the owner, `2026-01-02`. */
  readonly day: string;
  readonly plans: readonly (DaySum & { readonly plan: string })[];
}

export interface SpendingResults {
  spending: {
    /** The last is today. */
    readonly days: readonly SpendingDay[];
    /** Set aside for sessions that run; known to the owner of the vault alone. */
    readonly reservedUsd: number;
    /** 0 for no limit. */
    readonly vaultUsdPerDay: number;
    readonly planUsdPerDay: number;
    /** When the next day begins. */
    readonly until: string;
  };
}
