import { t } from '@vscode/l10n';
import { capitalized, firstLine } from '../../base/text.ts';
import { isQualifiedId, type QualifiedId } from '../../model/id.ts';
import type { PendingRow } from '../../model/requests/messages.ts';
import { plainMarkdown, sanitizeLabel } from '../sanitizeLabel.ts';
import { planName } from '../trees/planRows.ts';
import type { Rows } from '../trees/renderedRows.ts';
import { joinParts, type RowIcon, type TreeRow } from '../trees/treeRow.ts';

export interface BacklogTask {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly dependencies?: readonly string[];
  readonly blocked_reason?: string;
  /** The message with which it was handed to another plan. */
  readonly sent?: string;
}

export interface ListedMessage {
  readonly id: string;
  readonly at: string;
  readonly reason: string;
  readonly body: string;
}

/** What the view knows of a plan; `pending` is of the whole vault. */
export interface BacklogPicture {
  readonly plan: QualifiedId;
  readonly tasks: readonly BacklogTask[];
  /** Messages that still wait for triage. */
  readonly received: readonly (ListedMessage & { readonly from: string })[];
  readonly sent: readonly (ListedMessage & { readonly to: string; readonly outcome: string })[];
  readonly pending: readonly PendingRow[];
}

export const listedKinds = ['task', 'received', 'sent', 'pending'] as const;
export type ListedKind = (typeof listedKinds)[number];

/** What a row stands for. */
export interface RowSubject {
  readonly kind: ListedKind;
  readonly plan: QualifiedId;
  readonly id: string;
}

/** Rows of one list; a longer one says how many there are, and is whole in its file. */
const rowsMax = 300;

/** What the key of a row stands for; undefined for a group, and for the row of another view. */
export function rowSubject(key: unknown): RowSubject | undefined {
  const [, kind = '', plan = '', id = ''] = typeof key === 'string' ? (/^(\w+):([^#]+)#(.+)$/s.exec(key) ?? []) : [];
  const known = listedKinds.find((one) => one === kind);
  return known === undefined || !isQualifiedId(plan) ? undefined : { kind: known, plan, id };
}

interface Entry {
  readonly row: TreeRow;
  readonly tooltip: string;
}

/** What is to be done in a task, shown when the user hovers over its row. */
export type DescribeTask = (task: string, signal: AbortSignal) => Promise<string | undefined>;

/** Messages in transit first, then what waits for triage, the tasks in their order, and what was sent, newest first. */
export function backlogRows(picture: BacklogPicture | undefined, describe: DescribeTask = async () => undefined): Rows {
  const groups = picture === undefined ? [] : groupsOf(picture);
  const entries = new Map<string, Entry>();
  const children = new Map<string, readonly string[]>();
  const parents = new Map<string, string>();
  for (const { group, below } of groups) {
    entries.set(group.row.id, group);
    children.set(
      group.row.id,
      below.map(({ row }) => row.id),
    );
    for (const entry of below) {
      entries.set(entry.row.id, entry);
      parents.set(entry.row.id, group.row.id);
    }
  }
  return {
    roots: () => groups.map(({ group }) => group.row.id),
    childrenOf: (key) => children.get(key) ?? [],
    parentOf: (key) => parents.get(key),
    isOpen: (key) => key !== 'group:sent',
    rowOf: (key) => entries.get(key)?.row,
    tooltipOf: async (key, signal) => {
      const subject = rowSubject(key);
      const more = subject?.kind === 'task' ? await describe(subject.id, signal) : undefined;
      return joinParts([entries.get(key)?.tooltip, more !== undefined && plainMarkdown(more)], '\n\n');
    },
  };
}

interface Group {
  readonly group: Entry;
  readonly below: readonly Entry[];
}

function groupsOf({ plan, tasks, received, sent, pending }: BacklogPicture): Group[] {
  const waiting = waitingTasks(tasks);
  return [
    groupOf(
      'pending',
      t('In transit'),
      'rocket',
      pending.filter(({ from }) => isOf(plan, from)).map((one) => pendingEntry(plan, one)),
    ),
    groupOf(
      'received',
      t('Received'),
      'inbox',
      received.map((one) => receivedEntry(plan, one)),
    ),
    groupOf(
      'tasks',
      t('Tasks'),
      'checklist',
      tasks.map((one) => taskEntry(plan, one, waiting)),
    ),
    groupOf(
      'sent',
      t('Sent'),
      'mail',
      sent.toReversed().map((one) => sentEntry(plan, one)),
    ),
  ].filter(({ below }) => below.length > 0);
}

function groupOf(name: string, label: string, icon: string, all: readonly Entry[]): Group {
  const below = all.slice(0, rowsMax);
  const count = below.length < all.length ? t`${below.length} of ${all.length}` : String(all.length);
  const row: TreeRow = {
    ...{ id: `group:${name}`, label, description: count, icon: { name: icon } },
    ...{ ariaLabel: `${label}, ${count}`, contextValue: 'group' },
  };
  return { group: { row, tooltip: label }, below };
}

/** A message of another plan is shown with that one; what no plan sends is shown with each. */
function isOf(plan: QualifiedId, from: PendingRow['from']): boolean {
  return from === plan || from === 'person' || from === undefined;
}

/** Titles of what a task waits for, by its id: tasks that are not done, and ids that no task has. */
type Waiting = ReadonlyMap<string, readonly string[]>;

function waitingTasks(tasks: readonly BacklogTask[]): Waiting {
  const known = new Map(tasks.map((task) => [task.id, task]));
  return new Map(
    tasks.flatMap(({ id, status, dependencies = [] }) => {
      const unmet = status === 'done' ? [] : dependencies.filter((one) => known.get(one)?.status !== 'done');
      return unmet.length === 0 ? [] : [[id, unmet.map((one) => known.get(one)?.title ?? t`${one}, which is missing`)]];
    }),
  );
}

type TaskState = 'ready' | 'waiting' | 'in_progress' | 'blocked' | 'sent' | 'done' | 'unknown';

const states: Readonly<Record<TaskState, { readonly icon: RowIcon; readonly token: string }>> = {
  ready: { icon: { name: 'circle-large-outline' }, token: 'open' },
  waiting: { icon: { name: 'watch', color: 'disabledForeground' }, token: 'waiting' },
  in_progress: { icon: { name: 'play-circle', color: 'charts.blue' }, token: 'open' },
  blocked: { icon: { name: 'circle-slash', color: 'list.warningForeground' }, token: 'blocked' },
  sent: { icon: { name: 'arrow-right' }, token: 'sent' },
  done: { icon: { name: 'pass', color: 'charts.green' }, token: 'done' },
  unknown: { icon: { name: 'question' }, token: 'open' },
};

function taskState({ id, status, sent }: BacklogTask, waiting: Waiting): TaskState {
  if (status === 'blocked') return sent === undefined ? 'blocked' : 'sent';
  if (status === 'not_started') return waiting.has(id) ? 'waiting' : 'ready';
  return status === 'in_progress' || status === 'done' ? status : 'unknown';
}

/** What the row says behind the title; a task that is ready needs no word. */
function taskWords({ id, status, blocked_reason: reason }: BacklogTask, state: TaskState, waiting: Waiting): string {
  const [first = '', ...others] = waiting.get(id) ?? [];
  switch (state) {
    case 'ready':
      return '';
    case 'waiting':
      return t`waits for ${sanitizeLabel(first, 80)}${others.length === 0 ? '' : t` and ${others.length} more`}`;
    case 'sent':
      return sanitizeLabel(reason ?? t('sent'), 120);
    case 'blocked':
      return reason === undefined ? 'blocked' : t`blocked: ${sanitizeLabel(reason, 120)}`;
    default:
      return sanitizeLabel(status, 30).replaceAll('_', ' ');
  }
}

function taskEntry(plan: QualifiedId, task: BacklogTask, waiting: Waiting): Entry {
  const { id, title } = task;
  const state = taskState(task, waiting);
  const words = taskWords(task, state, waiting);
  const text = words === '' ? 'ready' : words;
  const needs = waiting.get(id) ?? [];
  return {
    row: {
      id: `task:${plan}#${id}`,
      label: sanitizeLabel(title),
      ...(words !== '' && { description: words }),
      icon: states[state].icon,
      ariaLabel: t`Task ${sanitizeLabel(title)}, ${text}`,
      contextValue: `task.${states[state].token}`,
      command: open(plan, 'tasks', id),
    },
    tooltip: joinParts(
      [
        `**${plainMarkdown(title)}**`,
        state !== 'waiting' && plainMarkdown(capitalized(text)),
        needs.length > 0 && t`Waits for:\n\n${needs.map((one) => `- ${plainMarkdown(one)}`).join('\n')}`,
      ],
      '\n\n',
    ),
  };
}

function receivedEntry(plan: QualifiedId, message: BacklogPicture['received'][number]): Entry {
  const { id, from, reason, body } = message;
  const sender = from === 'person' ? 'a person' : planName(from as QualifiedId);
  return {
    row: {
      id: `received:${plan}#${id}`,
      label: sanitizeLabel(firstLine(body)),
      description: joinParts([t`from ${sender}`, sanitizeLabel(reason, 80)]),
      icon: { name: 'mail-read', color: 'list.warningForeground' },
      ariaLabel: t`Received from ${sender}, ${sanitizeLabel(firstLine(body))}, because ${sanitizeLabel(reason)}`,
      contextValue: 'received',
      command: open(plan, 'received', id),
    },
    tooltip: messageTooltip(message, t`From ${sender}`),
  };
}

function sentEntry(plan: QualifiedId, message: BacklogPicture['sent'][number]): Entry {
  const { id, to, body, outcome } = message;
  const isLost = /^(?:refused|declined|not answered)/.test(outcome);
  return {
    row: {
      id: `sent:${plan}#${id}`,
      label: sanitizeLabel(firstLine(body)),
      description: joinParts([t`to ${sanitizeLabel(to, 80)}`, sanitizeLabel(outcome, 80)]),
      icon: isLost ? { name: 'warning', color: 'list.warningForeground' } : { name: 'mail' },
      ariaLabel: t`Sent to ${sanitizeLabel(to)}, ${sanitizeLabel(outcome)}, ${sanitizeLabel(firstLine(body))}`,
      contextValue: 'sent',
      command: open(plan, 'dispatched', id),
    },
    tooltip: messageTooltip(message, t`To ${to}: ${outcome}`),
  };
}

function pendingEntry(shown: QualifiedId, { message, type, from, at, state, subject, session, approval }: PendingRow) {
  const plan = from === undefined || from === 'person' ? shown : from;
  const sender = from === 'person' ? 'you' : from === undefined ? t('an unknown sender') : planName(from);
  const click =
    approval === undefined
      ? { command: 'ravel.why', title: t('Explain Why It Is Here'), arguments: [`message:${message}`] }
      : { command: 'ravel.openApproval', title: t('Open Question'), arguments: [approval] };
  return {
    row: {
      id: `pending:${plan}#${message}`,
      label: sanitizeLabel(subject),
      description: joinParts([sanitizeLabel(state, 80), t`from ${sender}`]),
      icon: session === undefined ? { name: 'watch' } : { name: 'sync~spin', color: 'charts.blue' },
      ariaLabel: t`A ${type ?? t('message')} of ${sender} in transit, ${sanitizeLabel(state)}, ${sanitizeLabel(subject)}`,
      contextValue: joinParts(['pending', session !== undefined && 'asked', approval !== undefined && 'question'], '.'),
      command: click,
    },
    tooltip: joinParts(
      [`**${plainMarkdown(subject)}**`, plainMarkdown(state), at !== undefined && t`Since ${plainMarkdown(at)}`],
      '\n\n',
    ),
  };
}

function messageTooltip({ at, reason, body }: ListedMessage, who: string): string {
  const lines = [`**${plainMarkdown(who)}**`, plainMarkdown(reason), plainMarkdown(body), plainMarkdown(at)];
  return joinParts(lines, '\n\n');
}

function open(plan: QualifiedId, list: string, id: string) {
  return { command: 'ravel.openRecord', title: t('Open in Backlog'), arguments: [plan, list, id] };
}
