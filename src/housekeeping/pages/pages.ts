// What each page shows of its records.

import { beginning, firstCharacters, formatCount, formatDollars, formatDuration, plural } from '../../base/text.ts';
import type { Decision } from '../../model/approval.ts';
import { type Cycle, cycleEnd, recordsOfCycle, sumPhases } from '../../model/history.ts';
import { isQualifiedId, type QualifiedId } from '../../model/id.ts';
import { formatMarkdownTable } from '../../model/markdownTable.ts';
import type { RouteRow } from '../../model/requests/routing.ts';
import { addSums, type DaySum, nothingSpent } from '../../model/spending.ts';
import { inert, inertQuote } from '../../vault/inertText.ts';
import { planLink } from '../../vault/wikilink.ts';
import { type PageRow, pageRowsMax, type RecordsPage } from './page.ts';

const cellMax = 300;
/** Messages whose text a page shows, and how much of it. */
export const textsMax = 50;
const textMax = 4000;

/** `total` decisions are in the vault, and `decisions` are the newest of them. */
export function decisionsPage(decisions: readonly Decision[], total: number): RecordsPage {
  const rows = decisions
    .slice(0, pageRowsMax)
    .map(({ at, plan, kind, decision, by, subject, reason, option, text }) => {
      const answer = [decision, option, text].filter((part) => part).join(': ');
      return {
        fields: { at, plan: plan ?? 'vault', kind, decision, by, subject: cut(subject), reason: reason && cut(reason) },
        cells: [
          at,
          nameOf(plan ?? 'vault'),
          kind,
          inert(cut(answer)),
          inert(by),
          inert(cut(subject)),
          inert(cut(reason ?? '')),
        ],
      };
    });
  return {
    ...{ name: 'decisions', title: 'Decisions', source: 'decisions/', rows },
    header: ['at', 'plan', 'about', 'answer', 'by', 'question', 'reason'],
    more: restOf(total - rows.length, 'older decision', '`decisions/` and `archive/decisions/`'),
  };
}

/** The newest decisions about messages, each with its text as far as it is known. */
export function routingPage(routes: readonly RouteRow[], hasMore: boolean): RecordsPage {
  const shown = routes.slice(0, pageRowsMax);
  const rows = shown.map((row): PageRow => {
    const { at, from, on, step, facts, usd, reasoning, result, excerpt } = row;
    const [to, state] = receiverOf(row);
    return {
      fields: {
        ...{ at, from, on, to, step, state: result?.result ?? state, usd },
        text: cut(excerpt),
        reason: cut(reasoning),
      },
      cells: [
        ...[at, nameOf(from), on, nameOf(to), step, result?.result ?? state],
        ...[inert(facts.join(', ')), usd === undefined ? '' : formatDollars(usd), inert(cut(excerpt))],
      ],
    };
  });
  const texts = shown
    .slice(0, textsMax)
    .flatMap(({ at, from, body, excerpt, reasoning }) => [
      `## ${at} from ${nameOf(from)}`,
      `*Why it went there:* ${inert(reasoning)}`,
      quoteOf(body ?? excerpt),
    ]);
  return {
    ...{ name: 'routing', title: 'How messages found their receivers', source: 'runtime/routing-history.jsonl', rows },
    header: ['at', 'from', 'kind', 'to', 'step', 'result', 'facts', 'cost', 'text'],
    more: hasMore || routes.length > rows.length ? 'Older ones: `ravel route`.' : undefined,
    below: texts,
  };
}

function receiverOf({ outcome }: RouteRow): readonly [to: string, state: string] {
  switch (outcome.kind) {
    case 'routed':
      return [outcome.to, 'routed'];
    case 'refused':
      return [outcome.code, 'refused'];
    case 'waiting':
      return ['a person', 'waiting'];
  }
}

/** The newest cycles of the plans that ran last. */
export function cyclesPage(
  cycles: readonly { readonly plan: QualifiedId; readonly cycle: Cycle }[],
  more: number,
): RecordsPage {
  const newest = cycles.map(({ plan, cycle }) => ({ plan, cycle, at: recordsOfCycle(cycle).at(-1)?.endedAt ?? '' }));
  newest.sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));
  const rows = newest.slice(0, pageRowsMax).map(({ plan, cycle, at }) => {
    const sums = sumPhases(cycle.phases);
    const work = cycle.phases.find(({ phase }) => phase === 'work')?.summary ?? '';
    const end = cycleEnd(cycle);
    const phases = cycle.phases.length;
    return {
      fields: {
        at,
        plan,
        cycle: cycle.cycle,
        end,
        phases,
        minutes: Math.round(sums.durationMs / 6000) / 10,
        usd: sums.usd,
        commits: sums.commits,
        work: cut(work),
      },
      cells: [
        ...[at, planLink(plan), String(cycle.cycle), end, String(phases), formatDuration(sums.durationMs)],
        ...[sums.usd === 0 ? '' : formatDollars(sums.usd), String(sums.commits), inert(cut(work))],
      ],
    };
  });
  return {
    ...{ name: 'cycles', title: 'Cycles', source: 'runtime/history/', rows },
    header: ['ended', 'plan', 'cycle', 'end', 'phases', 'time', 'cost', 'commits', 'work'],
    more:
      more > 0
        ? `Earlier cycles, and those of ${plural(more, 'plan')} that ran before: \`ravel history PLAN\`.`
        : undefined,
  };
}

const payersMax = 50;

/** Local days, the last one first, and who paid for the most. */
export function spendingPage(
  days: readonly { readonly day: string; readonly plans: ReadonlyMap<string, DaySum> }[],
): RecordsPage {
  const byPlan = new Map<string, DaySum>();
  const rows: PageRow[] = [];
  for (const { day, plans } of days.toReversed()) {
    if (plans.size === 0) continue;
    let sum = nothingSpent;
    for (const [plan, own] of plans) {
      sum = addSums(sum, own);
      byPlan.set(plan, addSums(byPlan.get(plan) ?? nothingSpent, own));
    }
    rows.push({ fields: { day, ...numbersOf(sum) }, cells: [day, ...cellsOfSum(sum)] });
  }
  const payers = [...byPlan].sort(([, a], [, b]) => b.usd - a.usd || b.sessions - a.sessions);
  const rest = restOf(payers.length - payersMax, 'plan', '`ravel spending`');
  const table = formatMarkdownTable(
    ['plan', 'cost', 'sessions', 'of unknown cost'],
    payers.slice(0, payersMax).map(([plan, sum]) => [nameOf(plan), ...cellsOfSum(sum)]),
  );
  return {
    ...{ name: 'spending', title: 'Spending', source: 'runtime/spending.jsonl', rows },
    header: ['day', 'cost', 'sessions', 'of unknown cost'],
    below:
      payers.length === 0
        ? []
        : [`## By plan, in ${plural(days.length, 'day')}`, table, ...(rest === undefined ? [] : [`_${rest}_`])],
  };
}

function numbersOf({ usd, sessions, unknownSessions }: DaySum) {
  return { usd: Math.round(usd * 1e6) / 1e6, sessions, unknown: unknownSessions };
}

function cellsOfSum({ usd, sessions, unknownSessions }: DaySum): readonly string[] {
  return [formatDollars(usd), String(sessions), unknownSessions === 0 ? '' : String(unknownSessions)];
}

/** A plan is linked to; any other name stands as it is. */
function nameOf(name: string): string {
  return isQualifiedId(name) ? planLink(name) : inert(name);
}

function cut(text: string): string {
  return beginning(text, cellMax);
}

function quoteOf(text: string): string {
  const shown = firstCharacters(text, textMax);
  const rest = text.length - shown.length;
  return rest <= 0 ? inertQuote(text) : `${inertQuote(shown)}\n\n_${plural(rest, 'more character')}_`;
}

function restOf(count: number, noun: string, place: string): string | undefined {
  return count > 0 ? `${formatCount(count)} ${count === 1 ? noun : `${noun}s`} more: ${place}.` : undefined;
}
