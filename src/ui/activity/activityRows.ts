import { t } from '@vscode/l10n';
import { counted } from '../../base/text.ts';
import type { PlanActivity } from '../../model/activity.ts';
import { type ActivityItem, activityCounts, activitySections, waitingText } from '../../model/activityText.ts';
import { describeNext, type NextTask } from '../../model/nextTasks.ts';
import type { RequestResults } from '../../model/protocol.ts';
import type { WaitingItem } from '../../model/requests/since.ts';
import { plainMarkdown, sanitizeLabel } from '../sanitizeLabel.ts';
import { groupedRows, type RowNode } from '../trees/groupedRows.ts';
import { planName } from '../trees/planRows.ts';
import { joinParts, type TreeRow } from '../trees/treeRow.ts';
import { type ActivityTarget, isPlan, openedByItem, openedByWaiting } from './activityDocument.ts';

/** The tasks that can be started now, over all plans, in the order in which “Run Next” takes them. */
export function nextRows(tasks: readonly NextTask[]): ReturnType<typeof groupedRows> {
  return groupedRows(
    tasks.map((task, index) => {
      const { plan, id, title, begun } = task;
      const label = sanitizeLabel(title);
      const why = describeNext(task).join(', ');
      return leaf({
        id: `next:${plan}#${id}`,
        label,
        description: joinParts([planName(plan), why]),
        icon: begun === true ? { name: 'circle-filled', color: 'charts.blue' } : { name: 'circle-large-outline' },
        ariaLabel: t`Task ${index + 1}, ${label}, of ${planName(plan)}, ${why}`,
        contextValue: 'next',
        command: { command: 'ravel.openPlan', title: t('Open Plan'), arguments: [plan] },
      });
    }),
  );
}

/** What happened since a person last looked: what waits for them first, then plan by plan. */
export function happenedRows(found: RequestResults['since'] | undefined): ReturnType<typeof groupedRows> {
  if (found === undefined) return groupedRows([]);
  const { waiting, plans } = found;
  return groupedRows([
    ...(waiting.total === 0 ? [] : [waitingNode(waiting.items, waiting.total)]),
    ...plans.map(planNode),
  ]);
}

function waitingNode(items: readonly WaitingItem[], total: number): RowNode {
  return {
    row: {
      id: 'waiting',
      label: t('Waits for You'),
      description: String(total),
      icon: { name: 'inbox', color: 'list.warningForeground' },
      ariaLabel: `${t('Waits for You')}, ${counted(total, t('{0} item'), t('{0} items'))}`,
      contextValue: 'waiting',
    },
    tooltip: t('Questions, phases that did not finish, and paused runs.'),
    below: [
      ...items.map((item, index) => {
        const label = sanitizeLabel(waitingText(item));
        const shown = { key: `waiting:${index}`, label, description: planName(item.plan), icon: 'bell-dot' };
        return itemNode(shown, openedByWaiting(item));
      }),
      ...rest('waiting', total - items.length),
    ],
    isOpen: true,
  };
}

function planNode(activity: PlanActivity): RowNode {
  const name = activity.plan === 'vault' ? t('The vault itself') : sanitizeLabel(activity.plan);
  const counts = activityCounts(activity).join(', ');
  const key = `of:${activity.plan}`;
  return {
    row: {
      id: key,
      label: name,
      description: counts,
      icon: { name: 'history' },
      ariaLabel: joinParts([name, counts], ', '),
      contextValue: 'activity',
      ...(isPlan(activity.plan) && {
        command: { command: 'ravel.openPlan', title: t('Open Plan'), arguments: [activity.plan] },
      }),
    },
    tooltip: joinParts([`**${plainMarkdown(name)}**`, counts], '\n\n'),
    below: activitySections(activity).flatMap(({ title, items, more }) => [
      ...items.map((item, index) => happenedNode(item, { key: `${key}:${title}:${index}`, title, of: activity.plan })),
      ...rest(`${key}:${title}`, more),
    ]),
    isOpen: false,
  };
}

function happenedNode(item: ActivityItem, { key, title, of }: { key: string; title: string; of: string }): RowNode {
  const icon = icons[title] ?? 'circle-small';
  return itemNode({ key, label: sanitizeLabel(item.text, 300), description: title, icon }, openedByItem(item, of));
}

/** By the title of the list that a row is from; the title stands in the row, too. */
const icons: Readonly<Record<string, string>> = {
  Tasks: 'checklist',
  Commits: 'git-commit',
  Decisions: 'law',
  'Put back': 'discard',
  'Refused by gates': 'shield',
  Sent: 'arrow-right',
  Received: 'arrow-left',
  Learned: 'lightbulb',
};

interface Item {
  readonly key: string;
  readonly label: string;
  readonly description: string;
  readonly icon: string;
}

function itemNode({ key, label, description, icon }: Item, target: ActivityTarget | undefined): RowNode {
  return leaf({
    ...{ id: key, label, description, icon: { name: icon } },
    ariaLabel: joinParts([label, description], ', '),
    contextValue: 'happened',
    ...(target !== undefined && {
      command: { command: `ravel.${target.command}`, title: t('Open'), arguments: target.arguments },
    }),
  });
}

function rest(key: string, count: number): RowNode[] {
  if (count <= 0) return [];
  const label = t`${count} more`;
  const open = { command: 'ravel.whatHappened', title: t('Show What Happened'), arguments: [] };
  return [
    leaf({
      ...{
        id: `${key}:more`,
        label,
        icon: { name: 'ellipsis' },
        ariaLabel: label,
        contextValue: 'more',
        command: open,
      },
    }),
  ];
}

function leaf(row: TreeRow): RowNode {
  return { row, tooltip: joinParts([`**${plainMarkdown(row.label)}**`, plainMarkdown(row.description ?? '')], '\n\n') };
}
