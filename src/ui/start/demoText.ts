import { t } from '@vscode/l10n';
import { counted, formatDuration } from '../../base/text.ts';
import type { CycleReport } from '../../model/requests/runs.ts';
import { sanitizeLabel } from '../sanitizeLabel.ts';

/** How a demo ended, in a sentence or two for a user who sees their first cycle. */
export function demoText({ phases, stop, reason }: CycleReport): string {
  const sum = (numbers: readonly number[]) => numbers.reduce((one, other) => one + other, 0);
  const commits = sum(phases.map((phase) => phase.commits.length));
  const time = formatDuration(sum(phases.map(({ durationMs }) => durationMs)));
  if (stop === 'cycle-ended') {
    return t`The demo is complete: ${counted(phases.length, t('{0} phase'), t('{0} phases'))} and ${counted(commits, t('{0} commit'), t('{0} commits'))} in ${time}, without a model. With Claude Code, the same cycle runs on your own project.`;
  }
  return t`The demo stopped after ${counted(phases.length, t('{0} phase'), t('{0} phases'))}: ${sanitizeLabel(reason)}`;
}
