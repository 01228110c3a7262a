import { formatCount, formatDollars, formatDuration, plural } from '../../base/text.ts';
import { type Cycle, cycleEnd, isRollback, recordsOfCycle, sumPhases, tokensIn } from '../../model/history.ts';
import type { PhaseRecord, RollbackRecord } from '../../model/phaseRecord.ts';
import type { RequestResults } from '../../model/protocol.ts';
import type { Style } from './style.ts';
import { formatTable } from './table.ts';

/** For each cycle, oldest first, its sums, its phases, and below each phase its commits; unknown values are left empty. */
export function formatHistory(history: RequestResults['history'], style: Style, columns: number): string[] {
  const { cycles, total } = history;
  if (total === 0) return ['No phase of this plan has ended yet.'];
  const rest = total - cycles.length;
  if (cycles.length === 0) return ['No phase of this plan has ended since then.'];
  const rows = cycles
    .toReversed()
    .flatMap((cycle) => [
      sumOf(cycle),
      ...recordsOfCycle(cycle).flatMap((record) => [
        isRollback(record) ? cellsOfRollback(record) : cellsOf(record),
        ...commitsOf(record),
      ]),
    ]);
  const head = ['CYCLE', 'PHASE', 'END', 'SANDBOX', 'TIME', 'TOKENS', 'COST', 'MEMORY USED', 'ID', 'SUMMARY'];
  // The cost of a plan that no model ran, for example.
  const isUsed = head.map((_name, at) => at === 0 || rows.some((row) => row[at] !== ''));
  const used = (row: readonly string[]) => row.filter((_cell, at) => isUsed[at]);
  return [
    ...formatTable(used(head), rows.map(used), style, columns),
    ...(rest > 0 ? [`${plural(rest, 'older cycle')} not shown; --limit shows more.`] : []),
  ];
}

/** Characters at the end of a session's id that are shown: those differ between the sessions of one day. */
const sessionShown = 8;
const commitShown = 8;

function sumOf(cycle: Cycle): string[] {
  const { tokens, usd, durationMs, commits } = sumPhases(cycle.phases);
  const tasks = [...new Set(cycle.phases.flatMap(({ task }) => task ?? []))];
  const made = commits === 0 ? [] : [plural(commits, 'commit')];
  return [
    ...[String(cycle.cycle), 'total', cycleEnd(cycle), '', formatDuration(durationMs)],
    ...[tokens === 0 ? '' : formatCount(tokens), usd === 0 ? '' : formatDollars(usd), '', ''],
    [...tasks.map((task) => `task ${task}`), ...made].join(', '),
  ];
}

function cellsOf({ phase, end, confinement, durationMs, usage, usd, memory, session, summary }: PhaseRecord): string[] {
  return [
    '',
    phase,
    end,
    confinement ?? '',
    durationMs === undefined ? '' : formatDuration(durationMs),
    usage === undefined ? '' : formatCount(tokensIn(usage)),
    usd === undefined ? '' : formatDollars(usd),
    memory === undefined ? '' : `${memory.used} of ${memory.given + memory.later}`,
    // Its end tells sessions of one day apart, and `ravel logs` takes it.
    session.slice(-sessionShown),
    summary,
  ];
}

/** A rollback has no session: `ravel rollback` takes the id of its snapshot. */
function cellsOfRollback({ rollback, by, files }: RollbackRecord): string[] {
  const blanks = Array.from({ length: 5 }, () => '');
  const summary = `${by} put the plan back as it was: ${plural(files.length, 'file')}`;
  return ['', 'rollback', 'put back', ...blanks, rollback.slice(0, commitShown), summary];
}

function commitsOf({ commits = [] }: Pick<RollbackRecord, 'commits'> | PhaseRecord): string[][] {
  const blanks = Array.from({ length: 6 }, () => '');
  return commits.map(({ commit, title }) => ['', '  commit', ...blanks, commit.slice(0, commitShown), title]);
}
