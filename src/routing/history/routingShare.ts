import { dayMs } from '../../base/units.ts';
import type { ShareDay } from '../../model/requests/routing.ts';
import { localDay } from '../../model/spending.ts';
import type { HistoryIndex } from './historyIndex.ts';

/**
 * How many messages were routed on each of the last days, and by what; days on which none was are left out. One that was
 * refused had no way to find, so it counts neither as free nor as not; what sessions cost that were asked about it counts.
 */
export function shareByDay(
  { decisions }: Pick<HistoryIndex, 'decisions'>,
  { days, nowMs }: { readonly days: number; readonly nowMs: number },
): ShareDay[] {
  const first = localDay(nowMs - (days - 1) * dayMs);
  const found = new Map<string, { steps: Record<string, number>; usd: number }>();
  for (const { at, step, isRefused, usd = 0 } of decisions) {
    if (isRefused && usd === 0) continue;
    const day = localDay(Date.parse(at));
    if (day < first) continue;
    const sum = found.get(day) ?? { steps: {}, usd: 0 };
    if (!isRefused) sum.steps[step] = (sum.steps[step] ?? 0) + 1;
    sum.usd += usd;
    found.set(day, sum);
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([day, sum]) => ({ day, ...sum }));
}
