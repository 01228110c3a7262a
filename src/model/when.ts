/** What a person can write for a point in the past. */
export const whenForms = 'today, yesterday, 30m, 2h, 3d, 2w, 2026-11-20 or 2026-11-20T09:30';

const unitMs: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 60 * 60_000,
  d: 24 * 60 * 60_000,
  w: 7 * 24 * 60 * 60_000,
};

/**
 * A point in the past, in milliseconds, from what a person wrote; days are local, and a date means its beginning. The
 * problem is a clause for a sentence that names the text.
 */
export function parseWhen(text: string, nowMs: number): { readonly ms: number } | { readonly problem: string } {
  const ms = timeOf(text.trim().toLowerCase(), nowMs);
  if (ms === undefined || Number.isNaN(ms)) return { problem: `it is none of: ${whenForms}` };
  return ms > nowMs ? { problem: 'it is in the future' } : { ms };
}

function timeOf(text: string, nowMs: number): number | undefined {
  if (text === 'today') return dayBefore(nowMs, 0);
  if (text === 'yesterday') return dayBefore(nowMs, 1);
  const [, count, unit = ''] = /^(\d{1,6})([mhdw])$/.exec(text) ?? [];
  if (count !== undefined) return nowMs - Number(count) * (unitMs[unit] ?? Number.NaN);
  const [, year, month, day, time = 't00:00'] =
    /^(\d{4})-(\d{2})-(\d{2})(t\d{2}:\d{2}(?::\d{2})?z?)?$/.exec(text) ?? [];
  if (year === undefined || !isDay(Number(year), Number(month), Number(day))) return undefined;
  return Date.parse(`${year}-${month}-${day}${time}`.toUpperCase());
}

/** The beginning of the local day, however long the days between are. */
function dayBefore(nowMs: number, days: number): number {
  const now = new Date(nowMs);
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - days).getTime();
}

/** `Date` would make the 2nd of March of the 30th of February. */
function isDay(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}
