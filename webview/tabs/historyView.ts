import { t } from '@vscode/l10n';
import { formatCount } from '../../src/base/text.ts';
import {
  type Cycle,
  cycleEnd,
  isRollback,
  type PhaseSums,
  recordsOfCycle,
  sumPhases,
  tokensIn,
} from '../../src/model/history.ts';
import { isReasoningPhase, reasoningPhases } from '../../src/model/phase.ts';
import type { PhaseRecord, RollbackRecord } from '../../src/model/phaseRecord.ts';
import type { ChartLine } from '../charts.ts';

export interface CycleView {
  readonly cycle: number;
  /** How it stands, in a word. */
  readonly word: string;
  readonly isGood: boolean;
  /** What its last work session said that it did. */
  readonly summary: string;
  readonly sums: PhaseSums;
  readonly phases: readonly PhaseView[];
  /** The same with the rollbacks between them, oldest first. */
  readonly rows: readonly (PhaseView | RollbackRecord)[];
}

export interface PhaseView extends PhaseRecord {
  /** Whether there is something to play again. */
  readonly isSession: boolean;
  /** All of them; undefined if nothing counted them. */
  readonly tokens?: number;
}

const words: Readonly<Record<ReturnType<typeof cycleEnd>, string>> = {
  complete: t('complete'),
  finished: t('under way'),
  waiting: t('needs your answer'),
  interrupted: t('interrupted'),
  failed: t('failed'),
};

export function viewCycle(cycle: Cycle): CycleView {
  const end = cycleEnd(cycle);
  const works = cycle.phases.filter(({ phase, end: how }) => phase === 'work' && how === 'finished');
  return {
    cycle: cycle.cycle,
    word: words[end],
    isGood: end === 'complete' || end === 'finished',
    summary: works.at(-1)?.summary ?? cycle.phases.at(-1)?.summary ?? '',
    sums: sumPhases(cycle.phases),
    phases: cycle.phases.map(viewPhase),
    rows: recordsOfCycle(cycle).map((record) => (isRollback(record) ? record : viewPhase(record))),
  };
}

function viewPhase(record: PhaseRecord): PhaseView {
  return {
    ...record,
    isSession: isReasoningPhase(record.phase),
    ...(record.usage !== undefined && { tokens: tokensIn(record.usage) }),
  };
}

/** A chart over cycles, the oldest first. */
export interface CycleChart {
  readonly cycles: readonly number[];
  readonly lines: readonly ChartLine[];
}

export type Measure = 'tokens' | 'usd';

/** What each reasoning phase took in each cycle, retries included; phases that took nothing in any are left out. */
export function chartPhases(newestFirst: readonly Cycle[], measure: Measure): CycleChart {
  const cycles = newestFirst.toReversed();
  const lines = reasoningPhases.map((phase) => ({
    label: phase,
    values: cycles.map((cycle) => sumPhases(cycle.phases.filter((record) => record.phase === phase))[measure]),
  }));
  return {
    cycles: cycles.map(({ cycle }) => cycle),
    lines: lines.filter(({ values }) => values.some((value) => value > 0)),
  };
}

/** Words of the memory at the end of each cycle, and a line where a dream is due now. */
export function chartMemory(newestFirst: readonly Cycle[], dreamAtWords: number): CycleChart {
  const known = newestFirst.toReversed().flatMap(({ cycle, phases }) => {
    const words = phases.findLast(({ memoryWords }) => memoryWords !== undefined)?.memoryWords;
    return words === undefined ? [] : [{ cycle, words }];
  });
  return {
    cycles: known.map(({ cycle }) => cycle),
    lines: [
      { label: t('Words'), values: known.map((one) => one.words) },
      { label: t('A dream is due above'), values: known.map(() => dreamAtWords) },
    ],
  };
}

/** Of the work of each cycle: how many entries of the memory it was given, and how many of them it used. */
export function chartMemoryUse(newestFirst: readonly Cycle[]): CycleChart {
  const known = newestFirst.toReversed().flatMap(({ cycle, phases }) => {
    const memory = phases.findLast(({ phase, memory: use }) => phase === 'work' && use !== undefined)?.memory;
    return memory === undefined ? [] : [{ cycle, memory }];
  });
  return {
    cycles: known.map(({ cycle }) => cycle),
    lines: [
      { label: t('Given'), values: known.map(({ memory }) => memory.given + memory.later) },
      { label: t('Used'), values: known.map(({ memory }) => memory.used) },
    ],
  };
}

/** `12,300`, `45.6 k`, `1.2 M`: as much as an axis has room for. */
export function shortCount(count: number): string {
  if (count < 10_000) return formatCount(count);
  return count < 1_000_000 ? `${trimZero(count / 1000)} k` : `${trimZero(count / 1_000_000)} M`;
}

function trimZero(value: number): string {
  return value.toFixed(1).replace(/\.0$/, '');
}
