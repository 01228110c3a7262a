import { t } from '@vscode/l10n';
import { defined } from '../../base/defined.ts';
import { counted } from '../../base/text.ts';
import type { QualifiedId } from '../../model/id.ts';
import type { CycleReport, PhaseReport } from '../../model/requests/runs.ts';
import { sanitizeLabel } from '../sanitizeLabel.ts';
import { planName } from './planRows.ts';

/** What a person is told of a run that ended, and what they can do about it. */
export interface RunOutcome {
  readonly message: string;
  /** `quiet`: all went as it should, and the user does not have to read it. */
  readonly tone: 'quiet' | 'warn';
  readonly approval?: string;
  readonly canRetry: boolean;
}

export function phaseOutcome(plan: QualifiedId, report: PhaseReport): RunOutcome {
  const { phase, end, next, summary, approval, commits } = report;
  const name = planName(plan);
  const text = sanitizeLabel(summary, 400);
  switch (end) {
    case 'finished': {
      const made = commits.length === 0 ? '' : t` with ${counted(commits.length, t('{0} commit'), t('{0} commits'))}`;
      return { message: t`${name}: ${phase} finished${made}; next is ${next}.`, tone: 'quiet', canRetry: false };
    }
    case 'waiting':
      return {
        message: t`${name}: ${phase} needs your answer. ${text}`,
        tone: 'warn',
        ...defined({ approval }),
        canRetry: false,
      };
    case 'interrupted':
    case 'failed':
      return { message: `${name}: ${phase} ${end}. ${text}`, tone: 'warn', canRetry: true };
  }
}

export function cycleOutcome(plan: QualifiedId, { phases, stop, reason }: CycleReport): RunOutcome {
  const name = planName(plan);
  const last = phases.at(-1);
  const ran = counted(phases.length, t('{0} phase'), t('{0} phases'));
  const why = sanitizeLabel(reason, 400);
  switch (stop) {
    case 'cycle-ended':
      return { message: t`${name}: the cycle is complete after ${ran}.`, tone: 'quiet', canRetry: false };
    case 'nothing-ready':
      return { message: t`${name}: no task is ready. ${why}`, tone: 'warn', canRetry: false };
    case 'stopped':
      return { message: t`${name}: stopped after ${ran}.`, tone: 'quiet', canRetry: false };
    case 'budget':
      return { message: `${name}: ${why}`, tone: 'warn', canRetry: false };
    case 'interrupted':
    case 'failed':
    case 'waiting':
      return last === undefined
        ? { message: t`${name}: the run ended as ${stop}. ${why}`, tone: 'warn', canRetry: stop !== 'waiting' }
        : phaseOutcome(plan, last);
  }
}
