import { formatBytes, formatDollars, formatDuration, plural } from '../base/text.ts';
import { scenarioHarness } from './harnesses.ts';
import type { RecordChange, RehearsalReport } from './rehearsal.ts';
import type { RunStop } from './requests/runs.ts';

const stopWords: Readonly<Record<RunStop, string>> = {
  'cycle-ended': 'The rehearsal is complete.',
  'nothing-ready': 'Nothing was rehearsed: no task in the backlog can be started.',
  interrupted: 'The rehearsal ended early: a phase was interrupted.',
  failed: 'The rehearsal ended early: a phase failed.',
  waiting: 'The rehearsal ended early: the plan would need your answer here.',
  stopped: 'The rehearsal was stopped.',
  budget: 'The rehearsal ended early: the budget is used up.',
};

/** What came of a rehearsal, in a sentence. */
export function rehearsalHeadline({ report }: Pick<RehearsalReport, 'report'>): string {
  return stopWords[report.stop];
}

/** What a rehearsal cost and took, in a few words each. */
export function rehearsalFacts({ report, durationMs, harness, costUsd, copy }: RehearsalReport): string[] {
  const cost = harness === scenarioHarness ? 'no cost' : `${formatDollars(costUsd)} spent`;
  const copied = `${plural(copy.files, 'file')} copied (${formatBytes(copy.bytes)})`;
  return [plural(report.phases.length, 'phase'), formatDuration(durationMs), cost, copied];
}

/** What changed of a record, in a few words. */
export function changeText({ change, fields }: RecordChange): string {
  if (change !== 'changed') return change;
  return fields
    .map(({ name, before, after }) => {
      const short = [before, after].every((value) => value === undefined || isShort(value));
      return short && before !== undefined
        ? `${name}: ${String(before)} → ${String(after ?? 'none')}`
        : `${name} changed`;
    })
    .join(', ');
}

function isShort(value: unknown): boolean {
  return (typeof value === 'string' || typeof value === 'number') && String(value).length <= 40;
}

/** What became of everything else; nothing where commands could reach it. */
export function outsideNote({ confinement }: Pick<RehearsalReport, 'confinement'>): string[] {
  return confinement?.state === 'unconfined' ? [] : ['Nothing outside the copy was changed.'];
}

/** What a reader has to know about how far the copy was kept apart, a sentence each; nothing if all is as wanted. */
export function rehearsalNotes({ confinement, outside, copy }: RehearsalReport): string[] {
  const notes: string[] = [];
  if (confinement?.state === 'unconfined') {
    notes.push(
      `Commands were not confined to the copy, so what they did elsewhere is not told here. ${confinement.reason}`,
    );
  }
  if (outside !== undefined) notes.push(outside);
  if (copy.leftOut.length > 0) {
    notes.push(`Links that lead out of the repository were left out of the copy: ${copy.leftOut.join(', ')}.`);
  }
  return notes;
}
