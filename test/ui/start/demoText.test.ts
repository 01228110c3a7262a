import { expect, test } from 'vitest';
import type { CycleReport, PhaseReport } from '../../../src/model/requests/runs.ts';
import { demoText } from '../../../src/ui/start/demoText.ts';

function phase(durationMs: number, commits: number): PhaseReport {
  const made = Array.from({ length: commits }, () => ({ commit: 'c', title: 't' }));
  return {
    phase: 'work',
    end: 'finished',
    next: 'work',
    summary: '',
    commits: made,
    durationMs,
    givenBytes: 0,
  } as never;
}

test.each<[CycleReport, string]>([
  [
    { phases: [phase(3000, 2), phase(4000, 1)], stop: 'cycle-ended', reason: '' },
    'The demo is complete: 2 phases and 3 commits in 0:07, without a model. With Claude Code, the same cycle runs on your own project.',
  ],
  [
    { phases: [phase(3000, 0)], stop: 'failed', reason: 'git said no.\nTwice.' },
    'The demo stopped after 1 phase: git said no. Twice.',
  ],
])('the words about a demo that ended as %j', (report, words) => expect(demoText(report)).toBe(words));
