import { formatDollars, oneLine, plural } from '../../base/text.ts';
import type { NextCycle, NextOutcome, NextRunEnd } from '../../model/nextRun.ts';
import type { LeftOutReason } from '../../model/requests/next.ts';
import { formatLeftOut } from './next.ts';
import type { Style } from './style.ts';
import { formatTable } from './table.ts';

export interface NextRunReport {
  readonly cycles: readonly NextCycle[];
  readonly end: NextRunEnd;
  readonly leftOut: Readonly<Record<LeftOutReason, number>>;
}

const outcomeWords: Readonly<Record<NextOutcome, string>> = {
  'cycle-ended': 'done',
  'nothing-ready': 'nothing ready',
  interrupted: 'interrupted',
  failed: 'failed',
  waiting: 'waits for you',
  stopped: 'stopped',
  budget: 'no budget',
  refused: 'not started',
};

const endWords: Readonly<Record<NextRunEnd, string>> = {
  'nothing-ready': 'No further task can be started.',
  cycles: 'All cycles are done.',
  budget: 'The budget of the vault is used up.',
  interrupted: 'The run was interrupted.',
};

/** A row for each cycle, in the order in which they ended, and what it all came to. */
export function formatNextRun({ cycles, end, leftOut }: NextRunReport, style: Style, columns: number): string[] {
  const usd = cycles.reduce((sum, cycle) => sum + cycle.usd, 0);
  const rows = cycles.map((cycle) => [
    cycle.plan,
    cycle.task ?? '',
    outcomeWords[cycle.outcome],
    cycle.usd > 0 ? formatDollars(cycle.usd) : '',
    cycle.outcome === 'cycle-ended' ? '' : oneLine(cycle.reason),
  ]);
  const begun = cycles.filter(({ outcome }) => outcome !== 'refused');
  const facts = [plural(begun.length, 'cycle'), ...(usd > 0 ? [formatDollars(usd)] : [])];
  return [
    '',
    `${style.strong(cycles.length > 0 && begun.length === 0 ? 'No cycle was started.' : endWords[end])}  ${style.faint(facts.join(' · '))}`,
    ...(rows.length === 0 ? [] : formatTable(['PLAN', 'TASK', 'OUTCOME', 'COST', 'WHY'], rows, style, columns)),
    // A table cuts what explains most.
    ...cycles.flatMap(({ plan, outcome, reason }) => (outcome === 'refused' ? [`${plan}: ${oneLine(reason)}`] : [])),
    ...formatLeftOut(leftOut),
  ];
}
