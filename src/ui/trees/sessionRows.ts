import { t } from '@vscode/l10n';
import { localTime } from '../../base/localTime.ts';
import { formatDollars, formatDuration } from '../../base/text.ts';
import type { PhaseEnd } from '../../model/event.ts';
import type { QualifiedId, Ulid } from '../../model/id.ts';
import type { SessionRow } from '../../model/requests/sessions.ts';
import type { PlanOutline } from '../planOutline.ts';
import { plainMarkdown, sanitizeLabel } from '../sanitizeLabel.ts';
import { planName } from './planRows.ts';
import { joinParts, type RowIcon, type TreeRow } from './treeRow.ts';

const ends: Readonly<Record<PhaseEnd, RowIcon>> = {
  finished: { name: 'pass', color: 'charts.green' },
  interrupted: { name: 'warning', color: 'list.warningForeground' },
  failed: { name: 'error', color: 'list.errorForeground' },
  waiting: { name: 'bell-dot', color: 'list.warningForeground' },
};

export interface SessionEntry {
  readonly row: TreeRow;
  readonly plan: QualifiedId;
  readonly session: Ulid;
  readonly tooltip: string;
}

/** Sessions that run now first, in the order of plans; then those that are over, the newest first. */
export function sessionEntries(
  outline: PlanOutline,
  recent: readonly SessionRow[],
  clock: { readonly wallMs: number },
): SessionEntry[] {
  const known = new Map(recent.map((row) => [row.session, row]));
  const live = [...outline.nodes.values()].flatMap(({ plan, row }) => {
    if (row?.running === undefined) return [];
    const { session, phase, manual, unowned, task } = row.running;
    const started = known.get(session);
    return [liveEntry({ plan, session, phase, manual, unowned, task, started }, clock)];
  });
  const running = new Set(live.map(({ session }) => session));
  const past = recent.filter(({ session }) => !running.has(session)).flatMap((row) => pastEntry(row, clock));
  return [...live, ...past];
}

interface Live extends Pick<SessionRow, 'session' | 'phase'> {
  readonly plan: QualifiedId;
  readonly manual: true | undefined;
  readonly unowned: boolean | undefined;
  readonly task: string | undefined;
  readonly started: SessionRow | undefined;
}

function liveEntry(
  { plan, session, phase, manual, unowned, task, started }: Live,
  clock: { wallMs: number },
): SessionEntry {
  const state = unowned ? t('runs without an owner') : manual ? t('open by hand') : t('running');
  const since = started === undefined ? undefined : t`since ${formatWhen(started.startedAt, clock.wallMs)}`;
  const label = `${phase} · ${planName(plan)}`;
  const icon = unowned ? 'debug-disconnect' : manual ? 'edit' : 'sync~spin';
  return {
    ...{ plan, session },
    row: {
      id: session,
      label,
      description: joinParts([state, since, task !== undefined && sanitizeLabel(task, 60)]),
      icon: { name: icon, color: 'charts.blue' },
      ariaLabel: joinParts([t`Session of ${planName(plan)}`, t`phase ${phase}`, state, since], ', '),
      contextValue: joinParts(['session', 'live', manual && 'manual'], '.'),
      command: openSession(session, plan),
    },
    tooltip: tooltipOf([
      `**${plainMarkdown(label)}**`,
      state,
      started?.harness && t`Harness: ${started.harness}`,
      session,
    ]),
  };
}

/** None for a session of the vault itself: a page is of a plan, and what it decided stands among the routes. */
function pastEntry(row: SessionRow, clock: { readonly wallMs: number }): SessionEntry[] {
  const { plan, session, phase, ended, usd, startedAt } = row;
  if (plan === undefined) return [];
  const when = formatWhen(ended?.at ?? startedAt, clock.wallMs);
  const cost = usd === undefined || usd === 0 ? undefined : formatDollars(usd);
  const state = ended?.end ?? (row.running === true ? 'running' : t('end unknown'));
  const label = `${phase} · ${planName(plan)}`;
  const entry = {
    ...{ plan, session },
    row: {
      id: session,
      label,
      // The icon of a row says that all is well, and a narrow view cuts what comes last.
      description: joinParts([state !== 'finished' && state, cost, when]),
      icon: iconOf(row),
      ariaLabel: joinParts([t`Session of ${planName(plan)}`, t`phase ${phase}`, state, when, cost], ', '),
      contextValue: 'session',
      command: openSession(session, plan),
    },
    tooltip: tooltipOf([
      `**${plainMarkdown(label)}**`,
      ended === undefined
        ? row.running !== true && t('Its end was not observed.')
        : `${ended.end}: ${plainMarkdown(ended.summary)}`,
      row.harness !== undefined && t`Harness: ${plainMarkdown(row.harness)}`,
      row.task !== undefined && t`Task: ${plainMarkdown(row.task)}`,
      row.durationMs !== undefined && t`Took ${formatDuration(row.durationMs)}`,
      session,
    ]),
  };
  return [entry];
}

function iconOf({ ended, running }: SessionRow): RowIcon {
  if (ended !== undefined) return ends[ended.end];
  return running === true ? { name: 'sync~spin', color: 'charts.blue' } : { name: 'circle-slash' };
}

function openSession(session: Ulid, plan: QualifiedId) {
  return { command: 'ravel.openSession', title: t('Open Session'), arguments: [session, plan] };
}

function tooltipOf(lines: readonly (string | false | undefined)[]): string {
  return joinParts(lines, '\n\n');
}

/** The time if it is today, otherwise the date, in the local time of the user. */
export function formatWhen(at: string, nowMs: number): string {
  const isToday = new Date(nowMs).toDateString() === new Date(at).toDateString();
  const when = sanitizeLabel(localTime(at), 40);
  return isToday ? when.slice(when.indexOf(' ') + 1) : when;
}
