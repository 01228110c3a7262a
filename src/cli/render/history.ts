import { formatCount, formatDollars, formatDuration, plural } from '../../base/text.ts';
import { tokensIn } from '../../model/history.ts';
import type { PhaseRecord } from '../../model/phaseRecord.ts';
import type { RequestResults } from '../../model/protocol.ts';
import type { Style } from './style.ts';
import { formatTable } from './table.ts';

/** A row for each phase that ended, oldest first; unknown values are left empty. */
export function formatHistory(history: RequestResults['history'], style: Style, columns: number): string[] {
  const { cycles, total } = history;
  if (total === 0) return ['No phase of this plan has ended yet.'];
  const rows = cycles
    .toReversed()
    .flatMap(({ cycle, phases }) => phases.map((record, at) => [at === 0 ? String(cycle) : '', ...cellsOf(record)]));
  const head = ['CYCLE', 'PHASE', 'END', 'SANDBOX', 'TIME', 'TOKENS', 'COST', 'MEMORY USED', 'SESSION', 'SUMMARY'];
  const rest = total - cycles.length;
  return [
    ...formatTable(head, rows, style, columns),
    ...(rest > 0 ? [`${plural(rest, 'older cycle')} not shown; --cycles shows more.`] : []),
  ];
}

/** Characters at the end of a session's id that are shown: those differ between the sessions of one day. */
const sessionShown = 8;

function cellsOf({ phase, end, confinement, durationMs, usage, usd, memory, session, summary }: PhaseRecord): string[] {
  return [
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
