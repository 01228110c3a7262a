import type { Backlog } from './backlog.ts';
import { countWords, type Memory } from './memory.ts';
import { longestInOrder } from './mergeOrder.ts';

/** Phases whose outcome can be read off the records. */
export const summarisedPhases = ['triage', 'reflect', 'dream'] as const;
export type SummarisedPhase = (typeof summarisedPhases)[number];

export const summaryLabels = ['DONE', 'NEW', 'STALE', 'REPRIORITISED', 'OBSOLETE'] as const;

export interface SummaryItem {
  readonly label: (typeof summaryLabels)[number];
  readonly id: string;
  readonly title: string;
}

export interface PhaseSummary {
  readonly phase: SummarisedPhase;
  readonly items: readonly SummaryItem[];
  /** Words of the memory, if the phase was a dream. */
  readonly words?: { readonly before: number; readonly after: number };
}

/** What a triage made of the backlog: tasks that became done, new ones, those that moved, those that are gone. */
export function summariseTriage(before: Backlog, after: Backlog): PhaseSummary {
  const old = before.tasks ?? [];
  const tasks = after.tasks ?? [];
  const oldById = new Map(old.map((task) => [task.id, task]));
  const ids = new Set(tasks.map(({ id }) => id));
  const survivors = tasks.filter(({ id }) => oldById.has(id));
  // Only the order among those that stayed counts: what was deleted or added before a task does not move it. Of two that
  // changed places the one that came forward was moved.
  const resting = longestInOrder(
    survivors.map(({ id }) => id),
    old.flatMap(({ id }) => (ids.has(id) ? [id] : [])),
  );
  const done = survivors.filter(({ id, status }) => status === 'done' && oldById.get(id)?.status !== 'done');
  return {
    phase: 'triage',
    items: [
      ...itemsOf('DONE', done),
      ...itemsOf(
        'NEW',
        tasks.filter(({ id }) => !oldById.has(id)),
      ),
      ...itemsOf(
        'REPRIORITISED',
        survivors.filter(({ id }) => !resting.has(id)),
      ),
      ...itemsOf(
        'OBSOLETE',
        old.filter(({ id }) => !ids.has(id)),
      ),
    ],
  };
}

/** What a reflection made of the memory: new entries, those that say something else now, those that are gone. */
export function summariseReflection(before: Memory, after: Memory): PhaseSummary {
  return { phase: 'reflect', items: memoryItems(before, after) };
}

/** As a reflection, with the words before and after. */
export function summariseDream(before: Memory, after: Memory): PhaseSummary {
  const words = { before: countWords(before), after: countWords(after) };
  return { phase: 'dream', items: memoryItems(before, after), words };
}

function memoryItems(before: Memory, after: Memory): SummaryItem[] {
  const old = before.entries ?? [];
  const entries = after.entries ?? [];
  const oldById = new Map(old.map((entry) => [entry.id, entry]));
  const ids = new Set(entries.map(({ id }) => id));
  const stale = entries.filter((entry) => {
    const was = oldById.get(entry.id);
    return was !== undefined && (was.title !== entry.title || was.body !== entry.body);
  });
  return [
    ...itemsOf(
      'NEW',
      entries.filter(({ id }) => !oldById.has(id)),
    ),
    ...itemsOf('STALE', stale),
    ...itemsOf(
      'OBSOLETE',
      old.filter(({ id }) => !ids.has(id)),
    ),
  ];
}

function itemsOf(
  label: SummaryItem['label'],
  records: readonly { readonly id: string; readonly title: string }[],
): SummaryItem[] {
  return records.map(({ id, title }) => ({ label, id, title }));
}
