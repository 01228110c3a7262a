import { formatTimestamp } from '../base/clock.ts';
import type { SpendingDay, spendingRequests } from '../model/requests/spending.ts';
import { addSums, type DaySum, nextLocalDayMs, nothingSpent } from '../model/spending.ts';
import type { HandlersOf } from './handlers.ts';

export const spendingHandlers: HandlersOf<typeof spendingRequests> = {
  async spending({ services, spending }, { days = 1 }) {
    const { budget } = services.settings;
    const byDay = await spending.byDay(days);
    return {
      days: byDay.map(toDay),
      reservedUsd: spending.reservedUsd(),
      vaultUsdPerDay: budget['vault-usd-per-day'],
      planUsdPerDay: budget['plan-usd-per-day'],
      until: formatTimestamp(nextLocalDayMs(services.clock.wallMs())),
    };
  },
};

function toDay({ day, plans }: { readonly day: string; readonly plans: ReadonlyMap<string, DaySum> }): SpendingDay {
  const rows = [...plans].map(([plan, sum]) => ({ plan, ...sum }));
  return { day, ...rows.reduce(addSums, nothingSpent), plans: rows.sort((a, b) => b.usd - a.usd) };
}
