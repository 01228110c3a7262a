import { formatDollars, plural } from '../../base/text.ts';
import type { RequestResults } from '../../model/protocol.ts';
import type { SpendingDay } from '../../model/requests/spending.ts';
import type { DaySum } from '../../model/spending.ts';
import type { Style } from './style.ts';
import { formatTable } from './table.ts';

/** The days, oldest first, each with its plans; then what may still be spent today. */
export function formatSpending(spending: RequestResults['spending'], style: Style, columns: number): string[] {
  const rows = spending.days.flatMap((day) => [
    [day.day, ...cellsOf(day), 'all plans'],
    ...day.plans.map(({ plan, ...sum }) => ['', ...cellsOf(sum), plan]),
  ]);
  const table = formatTable(['DAY', 'COST', 'SESSIONS', 'PLAN'], rows, style, columns);
  return [...table, ...formatUnknown(spending.days), ...formatLimits(spending)];
}

function cellsOf({ usd, estimatedUsd, scriptedUsd, sessions }: DaySum): string[] {
  const about = estimatedUsd > 0 ? '~' : '';
  const madeUp = scriptedUsd > 0 ? '*' : '';
  return [`${about}${formatDollars(usd)}${madeUp}`, String(sessions)];
}

function formatUnknown(days: readonly SpendingDay[]): string[] {
  const lines = [];
  if (days.some(({ estimatedUsd }) => estimatedUsd > 0)) lines.push('~ is estimated from tokens and budget.prices.');
  const scriptedUsd = days.reduce((sum, day) => sum + day.scriptedUsd, 0);
  if (scriptedUsd > 0) {
    lines.push(`* ${formatDollars(scriptedUsd)} is made up by scenarios: no one paid it, but it counts toward limits.`);
  }
  const unknown = days.reduce((sum, { unknownSessions }) => sum + unknownSessions, 0);
  if (unknown > 0)
    lines.push(`${plural(unknown, 'session')} of unknown cost; only the time of such sessions is limited.`);
  return lines;
}

function formatLimits({ days, reservedUsd, vaultUsdPerDay, planUsdPerDay, until }: RequestResults['spending']) {
  const lines = [];
  if (reservedUsd > 0) lines.push(`${formatDollars(reservedUsd)} is set aside for sessions that run.`);
  if (planUsdPerDay > 0)
    lines.push(`A plan can spend ${formatDollars(planUsdPerDay)} a day, unless its own file says more.`);
  if (vaultUsdPerDay > 0) {
    const left = Math.max(0, vaultUsdPerDay - (days.at(-1)?.usd ?? 0) - reservedUsd);
    lines.push(`Of ${formatDollars(vaultUsdPerDay)} a day, ${formatDollars(left)} is left until ${until}.`);
  }
  return lines.length > 0 ? lines : ['There is no limit for a day; budget.vault-usd-per-day in daemon.toml sets one.'];
}
