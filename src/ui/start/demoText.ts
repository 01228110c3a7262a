import { formatDuration, plural } from '../../base/text.ts';
import type { CycleReport } from '../../model/requests/runs.ts';
import { sanitizeLabel } from '../sanitizeLabel.ts';

/** How a demo ended, in a sentence or two for a user who sees their first cycle. */
export function demoText({ phases, stop, reason }: CycleReport): string {
  const sum = (numbers: readonly number[]) => numbers.reduce((one, other) => one + other, 0);
  const commits = sum(phases.map((phase) => phase.commits.length));
  const time = formatDuration(sum(phases.map(({ durationMs }) => durationMs)));
  if (stop === 'cycle-ended') {
    return `The demo is complete: ${plural(phases.length, 'phase')} and ${plural(commits, 'commit')} in ${time}, without a model. With Claude Code, the same cycle runs on your own project.`;
  }
  return `The demo stopped after ${plural(phases.length, 'phase')}: ${sanitizeLabel(reason)}`;
}
