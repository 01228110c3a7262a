import { localTime } from '../../base/localTime.ts';
import { formatCount, harmless, plural, shellWord } from '../../base/text.ts';
import type { PlanActivity } from '../../model/activity.ts';
import { type ActivityItem, activityCounts, activitySections, waitingText } from '../../model/activityText.ts';
import type { RequestResults } from '../../model/protocol.ts';
import type { WaitingItem } from '../../model/requests/since.ts';
import type { TextLayout } from './style.ts';
import { clip } from './text.ts';

/** What happened, plan by plan, the sums, and what waits for a person. */
export function formatSince(since: RequestResults['since'], layout: TextLayout): string[] {
  const { style } = layout;
  const { plans, totals, waiting } = since;
  const rest = totals.rows - plans.length;
  return [
    `Since ${localTime(since.since)}`,
    ...plans.flatMap((plan) => ['', ...formatPlan(plan, layout)]),
    ...(rest > 0 ? ['', style.faint(`${formatCount(rest)} more not shown; --limit shows more.`)] : []),
    '',
    totals.rows === 0
      ? 'Nothing happened.'
      : `${style.strong('In all')}  ${[plural(totals.plans, 'plan'), ...activityCounts(totals)].join(' · ')}`,
    ...formatWaiting(waiting, layout),
  ];
}

function formatPlan(plan: PlanActivity, { style, columns }: TextLayout): string[] {
  const name = plan.plan === 'vault' ? 'The vault itself' : harmless(plan.plan);
  return [
    `${style.strong(name)}  ${style.faint(activityCounts(plan).join(' · '))}`,
    ...activitySections(plan).flatMap(({ title, items, more }) => [
      `  ${title}`,
      ...items.map((item) => `    ${clip(formatItem(item), columns - 4)}`),
      ...(more > 0 ? [style.faint(`    ${more} more`)] : []),
    ]),
  ];
}

/** Ids are at the beginning of their lines, where nothing cuts them. */
function formatItem({ text, commit, session, message }: ActivityItem): string {
  const id = commit?.slice(0, 8) ?? session?.slice(-8) ?? message?.slice(-8);
  return `${id === undefined ? '' : `${id} `}${harmless(text)}`;
}

function formatWaiting({ items, total }: RequestResults['since']['waiting'], { style, columns }: TextLayout): string[] {
  if (total === 0) return ['Nothing waits for you.'];
  return [
    '',
    style.strong(`Waits for you (${total})`),
    ...items.map((item) => `  ${clip(formatWaitingItem(item), columns - 2)}`),
    ...(total > items.length ? [style.faint(`  ${total - items.length} more; see \`ravel approvals\`.`)] : []),
  ];
}

function formatWaitingItem(item: WaitingItem): string {
  const { plan, approval } = item;
  const step = approval === undefined ? `ravel status ${shellWord(plan ?? '')}` : `ravel approvals show ${approval}`;
  return harmless(`${plan ?? 'vault'}  ${waitingText(item)}  (${step})`);
}
