import { t } from '@vscode/l10n';
import { localTime } from '../../base/localTime.ts';
import { counted, formatCount } from '../../base/text.ts';
import { type ActivityItem, activityCounts, activitySections, waitingText } from '../../model/activityText.ts';
import type { RequestResults } from '../../model/protocol.ts';
import type { WaitingItem } from '../../model/requests/since.ts';
import type { CommandName } from '../commandNames.ts';
import { sanitizeLabel } from '../sanitizeLabel.ts';

/** A stretch of a line that opens something. */
export interface ActivityLink {
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly command: CommandName;
  readonly arguments: readonly unknown[];
}

export interface ActivityDocument {
  readonly text: string;
  readonly links: readonly ActivityLink[];
}

/** What a thing that happened opens. */
export type ActivityTarget = Pick<ActivityLink, 'command' | 'arguments'>;

/** What happened as a page: what waits for the person first, then the sums, then plan by plan. */
export function activityDocument({
  since,
  plans,
  totals,
  waiting,
  diagnostics,
}: RequestResults['since']): ActivityDocument {
  const lines: string[] = [];
  const links: ActivityLink[] = [];
  const add = (before: string, label: string, target?: ActivityTarget, after = '') => {
    const text = sanitizeLabel(label, 300);
    const [start, end] = [before.length, before.length + text.length];
    if (target !== undefined) links.push({ line: lines.length, start, end, ...target });
    lines.push(`${before}${text}${after}`);
  };
  const rest = (count: number) => (count > 0 ? lines.push(t`- … and ${count} more`) : undefined);

  lines.push(t`# What happened since ${localTime(since)}`, '');
  lines.push(
    totals.rows === 0
      ? t('Nothing happened.')
      : `${counted(totals.plans, t('{0} plan'), t('{0} plans'))}: ${activityCounts(totals).join(', ')}.`,
    '',
  );
  lines.push(waiting.total === 0 ? t('Nothing waits for you.') : t('## Waits for you'), '');
  for (const item of waiting.items) {
    add('- ', `${item.plan ?? t('vault')}: ${waitingText(item)}`, openedByWaiting(item));
  }
  rest(waiting.total - waiting.items.length);
  for (const plan of plans) {
    lines.push('');
    const name = plan.plan === 'vault' ? t('The vault itself') : plan.plan;
    add('## ', name, isPlan(plan.plan) ? { command: 'openPlan', arguments: [plan.plan] } : undefined);
    lines.push('', `${activityCounts(plan).join(', ')}.`);
    for (const { title, items, more } of activitySections(plan)) {
      lines.push('', `### ${title}`, '');
      for (const item of items) add('- ', item.text, openedByItem(item, plan.plan));
      rest(more);
    }
  }
  if (totals.rows > plans.length) lines.push('', t`${formatCount(totals.rows - plans.length)} more not shown.`);
  if (diagnostics.length > 0) lines.push('', t('## Left out'), '');
  for (const { message } of diagnostics) add('- ', message);
  return { text: `${lines.join('\n')}\n`, links };
}

/** The question that waits, or the plan that does. */
export function openedByWaiting({ approval, plan }: WaitingItem): ActivityTarget | undefined {
  if (approval !== undefined) return { command: 'openApproval', arguments: [approval] };
  return plan && { command: 'openPlan', arguments: [plan] };
}

/** What an item of this plan opens. */
export function openedByItem({ commit, message, session }: ActivityItem, plan: string): ActivityTarget | undefined {
  if (session !== undefined) return isPlan(plan) ? { command: 'openSession', arguments: [session, plan] } : undefined;
  if (commit !== undefined) return { command: 'openCause', arguments: [{ kind: 'commit', id: commit }] };
  return message === undefined ? undefined : { command: 'openCause', arguments: [{ kind: 'message', id: message }] };
}

export function isPlan(name: string): boolean {
  return name !== 'vault' && !name.startsWith('expert:');
}
