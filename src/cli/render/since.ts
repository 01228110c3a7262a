import type { VaultPlaces } from '../../access/placesOfVault.ts';
import { localTime } from '../../base/localTime.ts';
import { formatCount, harmless, plural, shellWord } from '../../base/text.ts';
import type { PlanActivity } from '../../model/activity.ts';
import { type ActivityItem, activityCounts, activitySections, waitingText } from '../../model/activityText.ts';
import { isQualifiedId } from '../../model/id.ts';
import type { RequestResults } from '../../model/protocol.ts';
import type { WaitingItem } from '../../model/requests/since.ts';
import type { FileLink } from './link.ts';
import type { TextLayout } from './style.ts';
import { clip } from './text.ts';

/** With what its rows open: the backlog of a plan, the record of a session, a question. */
export interface SinceLayout extends TextLayout {
  readonly link: FileLink;
  readonly places: VaultPlaces;
}

/** What happened, plan by plan, the sums, and what waits for a person. */
export function formatSince(since: RequestResults['since'], layout: SinceLayout): string[] {
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

function formatPlan(plan: PlanActivity, { style, columns, link, places }: SinceLayout): string[] {
  const name = plan.plan === 'vault' ? 'The vault itself' : harmless(plan.plan);
  const backlog = isQualifiedId(plan.plan) ? places.backlog(plan.plan) : undefined;
  return [
    `${style.strong(link(name, backlog))}  ${style.faint(activityCounts(plan).join(' · '))}`,
    ...activitySections(plan).flatMap(({ title, items, more }) => [
      `  ${title}`,
      ...items.map((item) => {
        const record = item.session === undefined ? undefined : places.transcript(item.session);
        return `    ${link(clip(formatItem(item), columns - 4), record)}`;
      }),
      ...(more > 0 ? [style.faint(`    ${more} more`)] : []),
    ]),
  ];
}

/** Ids are at the beginning of their lines, where nothing cuts them. */
function formatItem({ text, commit, session, message }: ActivityItem): string {
  const id = commit?.slice(0, 8) ?? session?.slice(-8) ?? message?.slice(-8);
  return `${id === undefined ? '' : `${id} `}${harmless(text)}`;
}

function formatWaiting({ items, total }: RequestResults['since']['waiting'], layout: SinceLayout): string[] {
  const { style, columns, link, places } = layout;
  const fileOf = ({ approval, plan }: WaitingItem) =>
    approval === undefined ? plan && places.backlog(plan) : places.approval(approval);
  if (total === 0) return ['Nothing waits for you.'];
  return [
    '',
    style.strong(`Waits for you (${total})`),
    ...items.map((item) => `  ${link(clip(formatWaitingItem(item), columns - 2), fileOf(item))}`),
    ...(total > items.length ? [style.faint(`  ${total - items.length} more; see \`ravel approvals\`.`)] : []),
  ];
}

function formatWaitingItem(item: WaitingItem): string {
  const { plan, approval } = item;
  const step = approval === undefined ? `ravel status ${shellWord(plan ?? '')}` : `ravel approvals show ${approval}`;
  return harmless(`${plan ?? 'vault'}  ${waitingText(item)}  (${step})`);
}
