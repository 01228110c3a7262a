import { t } from '@vscode/l10n';
import { localTime } from '../../base/localTime.ts';
import { counted, formatCount } from '../../base/text.ts';
import type { BacklogCounts } from '../../model/backlog.ts';
import { describeConfinement } from '../../model/confinement.ts';
import { fileFaults } from '../../model/fileFaults.ts';
import { projectOf, type QualifiedId, rootPlanName } from '../../model/id.ts';
import type { ApprovalRow } from '../../model/requests/approvals.ts';
import type { PlanRow, PlanStatus } from '../../model/requests/plans.ts';
import type { PlanNode } from '../planOutline.ts';
import { plainMarkdown, sanitizeLabel } from '../sanitizeLabel.ts';
import { joinParts, type RowIcon, type TreeRow } from './treeRow.ts';

/** How a plan stands, for who looks at many: the first that holds. */
export type PlanRowState =
  | 'faulted'
  | 'unowned'
  | 'by hand'
  | 'running'
  | 'asks you'
  | 'interrupted'
  | 'paused'
  | 'queued'
  | 'ready'
  | 'idle'
  | 'unread';

const icons: Readonly<Record<PlanRowState, RowIcon>> = {
  faulted: { name: 'error', color: 'list.errorForeground' },
  unowned: { name: 'debug-disconnect', color: 'list.warningForeground' },
  'by hand': { name: 'edit', color: 'charts.blue' },
  running: { name: 'sync~spin', color: 'charts.blue' },
  'asks you': { name: 'bell-dot', color: 'list.warningForeground' },
  interrupted: { name: 'warning', color: 'list.warningForeground' },
  paused: { name: 'debug-pause', color: 'charts.yellow' },
  queued: { name: 'watch', color: 'charts.blue' },
  ready: { name: 'circle-large-outline', color: 'charts.green' },
  idle: { name: 'circle-large-outline' },
  unread: { name: 'circle-large-outline', color: 'disabledForeground' },
};

/** What is known of a plan beside its row. */
export interface PlanSurroundings {
  /** Plans of which a phase waits for an answer, or a session does. */
  readonly asking: ReadonlySet<QualifiedId>;
}

/** Plans that ask something: a phase waits for the answer, or a running session. */
export function askingPlans(approvals: readonly Pick<ApprovalRow, 'plan'>[]): ReadonlySet<QualifiedId> {
  return new Set(approvals.flatMap(({ plan }) => plan ?? []));
}

export function planState({ row, queued, plan }: PlanNode, { asking }: PlanSurroundings): PlanRowState {
  if (row === undefined) return 'unread';
  const { running, actor } = row;
  if (running?.unowned) return 'unowned';
  if (running !== undefined && asking.has(plan)) return 'asks you';
  if (running?.manual) return 'by hand';
  if (running !== undefined) return 'running';
  if (row.faults.length > 0 || actor?.state === 'faulted') return 'faulted';
  if (row.waiting !== undefined) return asking.has(plan) ? 'asks you' : 'interrupted';
  if (row.paused !== undefined) return 'paused';
  if (queued !== undefined) return 'queued';
  return canContinue(row) ? 'ready' : 'idle';
}

/** Every phase but work has its task already. */
function canContinue({ phase, counts }: PlanRow): boolean {
  return phase !== undefined && (phase !== 'work' || counts.ready + counts.inProgress > 0);
}

/** The row of a plan; a project is shown by its root plan. `below` are the states of the plans below a project. */
export function planRow(node: PlanNode, surroundings: PlanSurroundings, below: Iterable<PlanRowState> = []): TreeRow {
  const { plan, row } = node;
  const state = planState(node, surroundings);
  const isProject = isProjectRoot(plan);
  const label = sanitizeLabel((isProject ? plan.split('/')[0] : plan.split('/').at(-1)) ?? plan, 120);
  const beneath = wordsBelow(below).join(', ');
  const counts = row === undefined ? [] : countWords(row);
  const phase = row?.running?.phase ?? node.phase;
  const shown = isShown(state) ? stateWords(node, state) : undefined;
  return {
    id: plan,
    label,
    // A narrow view cuts what comes last: the numbers go before what changes them.
    description: joinParts([
      counts.join(', '),
      shown,
      beneath !== '' && t`below: ${beneath}`,
      phase ?? t('phase unknown'),
    ]),
    icon: icons[state],
    ariaLabel: joinParts(
      [
        `${isProject ? t('Project') : t('Plan')} ${label}`,
        phase === undefined ? t('its phase cannot be read') : t`phase ${phase}`,
        row === undefined ? undefined : stateWords(node, state),
        ...counts,
        beneath !== '' && t`below it ${beneath}`,
        sanitizeLabel(node.description),
      ],
      ', ',
    ),
    contextValue: planTokens(node, state),
    command: { command: 'ravel.openPlan', title: t('Open Plan'), arguments: [plan] },
  };
}

/** That a plan could go on is what the counts say. */
function isShown(state: PlanRowState): boolean {
  return state !== 'ready' && state !== 'idle' && state !== 'unread';
}

const plainStates: Readonly<Record<PlanRowState, string>> = {
  running: t('running'),
  'asks you': t('asks you'),
  'by hand': t('open by hand'),
  unowned: t('runs without an owner'),
  interrupted: t('interrupted'),
  faulted: t('faulted'),
  paused: t('paused'),
  queued: t('queued'),
  ready: t('ready'),
  idle: t('idle'),
  unread: t('unread'),
};

function stateWords({ row }: PlanNode, state: PlanRowState): string {
  const { running, paused } = row ?? {};
  if (state === 'paused' && paused !== undefined) return t`paused after ${paused.done} of ${paused.cycles}`;
  if (state === 'running') return runningWords(running);
  if (state === 'faulted') return row?.actor?.state === 'faulted' ? t('takes no messages') : t('faulted');
  return plainStates[state];
}

/** That a session has a person's rights is worth a word in each row. */
function runningWords(running: PlanRow['running']): string {
  const words = running?.task === undefined ? t('running') : t`running ${sanitizeLabel(running.task, 60)}`;
  return running?.confinement?.state === 'unconfined' ? t`${words}, unconfined` : words;
}

function countWords({ counts, actor }: Pick<PlanRow, 'counts' | 'actor'>): string[] {
  const { ready, blocked, inProgress, received } = counts satisfies BacklogCounts;
  return [
    inProgress > 0 && t`${inProgress} in progress`,
    ready > 0 && t`${ready} ready`,
    blocked > 0 && t`${blocked} blocked`,
    received > 0 && t`${received} received`,
    // What is handled in a moment is not worth a word.
    actor?.waitsBecause !== undefined && actor.queued > 0 && t`${formatCount(actor.queued)} waiting`,
    actor !== undefined &&
      actor.deadLetters > 0 &&
      counted(actor.deadLetters, t('{0} dead letter'), t('{0} dead letters')),
  ].filter((word) => word !== false);
}

/** What menus ask for. More than one can hold: what runs can have a fault as well. */
function planTokens({ plan, row }: PlanNode, state: PlanRowState): string {
  const { running, waiting, paused, actor, faults = [] } = row ?? {};
  const holds: readonly (string | false | undefined)[] = [
    'plan',
    isProjectRoot(plan) && 'root',
    running === undefined ? 'still' : 'running',
    running?.manual && 'manual',
    waiting !== undefined && running === undefined && (state === 'asks you' ? 'question' : 'interrupted'),
    paused !== undefined && running === undefined && 'paused',
    (faults.length > 0 || actor?.state === 'faulted') && 'faulted',
    actor?.state === 'faulted' && 'mute',
  ];
  return holds.filter((word) => typeof word === 'string').join('.');
}

const wordsOfMany = {
  running: (count: number) => t`${count} running`,
  'asks you': (count: number) => counted(count, t('{0} asks you'), t('{0} ask you')),
  interrupted: (count: number) => t`${count} interrupted`,
  faulted: (count: number) => t`${count} faulted`,
  ready: (count: number) => t`${count} ready`,
} as const;

/** The states of the plans below a plan that the user should know while those plans are out of sight. */
function wordsBelow(states: Iterable<PlanRowState>): string[] {
  const all = [...states];
  return (['running', 'asks you', 'interrupted', 'faulted', 'ready'] as const).flatMap((state) => {
    const count = all.filter((one) => one === state).length;
    if (count === 0) return [];
    return [wordsOfMany[state](count)];
  });
}

/** Everything about one plan as Markdown; the texts in it are escaped, so they appear as they were written. */
export function planTooltip(status: PlanStatus): string {
  const { plan, description, phase, counts, running, waiting, paused, lastEnd, nextTask, faults, actor } = status;
  const unread = fileFaults(faults);
  const lines = [
    `**${plainMarkdown(plan)}**`,
    plainMarkdown(description),
    t`Phase ${phase === undefined ? 'unknown' : plainMarkdown(phase)} · ${counts.ready} ready, ${counts.inProgress} in progress, ${counts.blocked} blocked, ${counts.done} done, ${counts.received} received`,
    running !== undefined && t`Running ${plainMarkdown(running.phase)}${running.manual ? t(' by hand') : ''}`,
    running?.confinement !== undefined && t`It is ${plainMarkdown(describeConfinement(running.confinement))}`,
    waiting !== undefined && t`Waits: ${plainMarkdown(waiting)}`,
    paused !== undefined &&
      t`A run is paused after ${paused.done} of ${counted(paused.cycles, t('{0} cycle'), t('{0} cycles'))}.`,
    nextTask !== undefined && t`Next task: ${plainMarkdown(nextTask.title)} (${plainMarkdown(nextTask.id)})`,
    lastEnd !== undefined &&
      t`Last: ${plainMarkdown(lastEnd.phase)} ${lastEnd.end} at ${plainMarkdown(localTime(lastEnd.at))}. ${plainMarkdown(lastEnd.summary)}`,
    t`Memory: ${counted(status.memoryEntries, t('{0} entry'), t('{0} entries'))}, ${counted(status.memoryWords, t('{0} word'), t('{0} words'))}`,
    actor?.waitsBecause !== undefined &&
      actor.queued > 0 &&
      t`${counted(actor.queued, t('{0} message'), t('{0} messages'))} waiting: ${plainMarkdown(actor.waitsBecause)}`,
    actor?.fault !== undefined && t`Takes no messages: ${plainMarkdown(actor.fault.message)}`,
    ...unread.slice(0, 5).map(({ message }) => t`Fault: ${plainMarkdown(message)}`),
    unread.length > 5 && t`and ${unread.length - 5} more faults`,
  ];
  return lines.filter((line) => line !== false).join('\n\n');
}

/** Whether the plan is the one at the top of its project. */
export function isProjectRoot(plan: QualifiedId): boolean {
  return plan.endsWith(`/${rootPlanName}`);
}

/** A plan's name for a sentence: its project alone for a root plan, and the vault for what belongs to no plan. */
export function planName(plan: QualifiedId | undefined): string {
  if (plan === undefined) return t('the vault');
  if (plan.startsWith('expert:')) return sanitizeLabel(plan);
  const below = plan.split('/').slice(2).join('/');
  return sanitizeLabel(below === '' ? projectOf(plan) : `${projectOf(plan)}/${below}`);
}
