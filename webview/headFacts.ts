import { t } from '@vscode/l10n';
import { counted, formatBytes, formatDollars, formatDuration } from '../src/base/text.ts';
import { formatUsage } from '../src/model/eventText.ts';
import type { PlanStatus } from '../src/model/requests/plans.ts';
import type { SpendingResults } from '../src/model/requests/spending.ts';
import type { SessionHeader } from './session/sessionRows.ts';

type Spending = SpendingResults['spending'];

/** The figures of a session; none if nothing of one is known. `runsForMs` is that of a session that runs. */
export function sessionTexts(facts: SessionHeader | undefined, runsForMs: number | undefined): string[] {
  if (facts === undefined) return [];
  const { model, givenBytes, usage, refusals, ended } = facts;
  const elapsedMs = ended?.durationMs ?? runsForMs;
  return [
    ...(model === undefined ? [] : [model]),
    ...(givenBytes === undefined ? [] : [t`given ${formatBytes(givenBytes)}`]),
    ...(elapsedMs === undefined ? [] : [formatDuration(elapsedMs)]),
    ...(usage === undefined ? [] : [formatUsage(usage)]),
    ...(refusals === 0 ? [] : [t`refused ${counted(refusals, t('{0} time'), t('{0} times'))}`]),
  ];
}

/**
 * The figures of a plan: its tasks, and what was spent today of what may be, of the plan if it has a limit, else of the
 * vault. Sessions are booked when they end, so what one has cost that still runs, `runningUsd`, is added.
 */
export function planTexts(
  { plan, counts }: Pick<PlanStatus, 'plan' | 'counts'>,
  spending: Spending | undefined,
  runningUsd: number,
): string[] {
  const tasks = t`${counts.ready} ready, ${counts.blocked} blocked, ${counts.done} done`;
  return spending === undefined ? [tasks] : [tasks, spentText(spending, plan, runningUsd)];
}

function spentText(spending: Spending, plan: string, runningUsd: number): string {
  const today = spending.days.at(-1);
  const planned = today?.plans.find((one) => one.plan === plan);
  const ofPlan = (planned?.usd ?? 0) + runningUsd;
  const limit = spending.planUsdPerDay;
  if (limit > 0) return t`${formatDollars(ofPlan)} of ${formatDollars(limit)} today${scriptedText(planned)}`;
  if (spending.vaultUsdPerDay === 0) return `${formatDollars(ofPlan)} today${scriptedText(planned)}`;
  const ofVault = (today?.usd ?? 0) + runningUsd;
  return t`${formatDollars(ofVault)} of ${formatDollars(spending.vaultUsdPerDay)} today in the vault${scriptedText(today)}`;
}

/** Costs that a scenario made up were never paid, so the text sets them apart. */
function scriptedText(sum: Pick<Spending['days'][number], 'scriptedUsd'> | undefined): string {
  const usd = sum?.scriptedUsd ?? 0;
  return usd > 0 ? t`, ${formatDollars(usd)} of it simulated` : '';
}
