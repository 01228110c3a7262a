import { formatCount, formatDollars, oneLine, plural } from '../base/text.ts';
import type { ActivityTotals, Bounded, PassedMessage, PlanActivity } from './activity.ts';
import type { AnswerWord } from './approval.ts';
import type { Ulid } from './id.ts';
import type { WaitingItem } from './requests/since.ts';

/** One thing that happened, in words, with the id of what can be opened. */
export interface ActivityItem {
  readonly text: string;
  readonly commit?: string;
  readonly session?: Ulid;
  readonly message?: string;
}

/** A list of one plan, with how many of it are not in it. */
export interface ActivitySection {
  readonly title: string;
  readonly items: readonly ActivityItem[];
  readonly more: number;
}

const answered: Readonly<Record<AnswerWord, string>> = {
  accept: 'accepted',
  edit: 'edited',
  reject: 'rejected',
  retry: 'ran the phase again instead of answering',
  dismiss: 'dismissed the phase instead of answering',
  superseded: 'settled with another decision',
};

/** What happened in a plan or in all, as counts; what did not happen is left out. */
export function activityCounts(sums: PlanActivity | ActivityTotals): string[] {
  const number = (of: number | Bounded<unknown>) => (typeof of === 'number' ? of : of.total);
  const messages = 'messages' in sums ? sums.messages : sums.sent.total + sums.received.total;
  const counts: readonly (readonly [number, string, string?])[] = [
    [sums.cycles, 'cycle'],
    [sums.phases, 'phase'],
    [sums.unfinished, 'of them unfinished', 'of them unfinished'],
    [number(sums.commits), 'commit'],
    [number(sums.decisions), 'decision'],
    [number(sums.rollbacks), 'rollback'],
    [number(sums.refusals), 'refusal by gates', 'refusals by gates'],
    [messages, 'message'],
    [number(sums.learned), 'lesson'],
  ];
  const cost = sums.usd > 0 ? [formatDollars(sums.usd)] : [];
  const unknown = sums.unknownSessions > 0 ? [`${plural(sums.unknownSessions, 'session')} of unknown cost`] : [];
  return [
    ...counts.flatMap(([count, one, many]) => (count === 0 ? [] : plural(count, one, many))),
    ...cost,
    ...unknown,
  ];
}

/** The lists of a plan that have something in them. */
export function activitySections(plan: PlanActivity): ActivitySection[] {
  const sections: readonly ActivitySection[] = [
    section('Tasks', plan.tasks, (task) => ({ text: task })),
    section('Commits', plan.commits, ({ commit, title }) => ({ text: title, commit })),
    section('Decisions', plan.decisions, ({ by, decision, question, subject }) => ({
      text: `${by} ${answered[decision]}: ${question}, ${oneLine(subject)}`,
    })),
    section('Put back', plan.rollbacks, ({ by, to, files, commit }) => ({
      text: `${by} put it back as it was at ${to.slice(0, 12)}: ${plural(files, 'file')}`,
      ...(commit !== undefined && { commit }),
    })),
    section('Refused by gates', plan.refusals, ({ gate, count, session }) => ({
      text: `${gate}${count === 1 ? '' : `, ${formatCount(count)} times`}`,
      session,
    })),
    section('Sent', plan.sent, ({ text, message, ...fate }) => ({ text: `${sentWhere(fate)}: ${text}`, message })),
    section('Received', plan.received, ({ with: from = '', text, message }) => ({
      text: `from ${from}: ${text}`,
      message,
    })),
    section('Learned', plan.learned, ({ title, place }) => ({
      text: place === 'knowledge' ? `${title} (now among the knowledge)` : title,
    })),
  ];
  return sections.filter(({ items }) => items.length > 0);
}

export function waitingText({ kind, text }: WaitingItem): string {
  if (kind === 'unfinished-phase') return `a phase did not finish: ${oneLine(text)}`;
  return kind === 'paused-run' ? `its run is paused: ${oneLine(text)}` : `${kind}: ${oneLine(text)}`;
}

function sentWhere({ with: to, refused }: Pick<PassedMessage, 'with' | 'refused'>): string {
  if (to !== undefined) return `to ${to}`;
  return refused === undefined ? 'no receiver yet' : `refused, ${oneLine(refused)}`;
}

function section<Item>(
  title: string,
  { items, total }: Bounded<Item>,
  toItem: (item: Item) => ActivityItem,
): ActivitySection {
  const shown = items.map(toItem);
  // One refusal can stand for several.
  return { title, items: shown, more: title === 'Refused by gates' ? 0 : total - shown.length };
}
