import { t } from '@vscode/l10n';
import { counted, firstLine } from '../src/base/text.ts';
import type { RavelEvent } from '../src/model/event.ts';
import { answerWordsPast } from '../src/model/eventText.ts';

/**
 * One sentence for what happens to a plan outside of any session; undefined for what is shown elsewhere or would only be
 * noise. It is the newest of them that is shown, and told to a screen reader.
 */
export function statusLine(event: RavelEvent): string | undefined {
  switch (event.type) {
    case 'phase.started':
      return t`${event.phase} started.`;
    case 'phase.ended':
      return `${event.phase} ${event.end}: ${firstLine(event.summary)}`;
    case 'commit.made':
      return t`Committed ${event.commit.slice(0, 8)} ${event.title} (${counted(event.paths.length, t('{0} file'), t('{0} files'))}).`;
    case 'commit.skipped':
      return t`Not committed: ${event.title}: ${firstLine(event.reason)}`;
    case 'run.queued':
      return t`${event.phase ?? t('The run')} waits: ${event.reason}`;
    case 'run.ended':
      return t`The run ended: ${firstLine(event.reason)}`;
    case 'run.paused':
      return t`The run is paused, ${event.done} of ${counted(event.cycles, t('{0} cycle'), t('{0} cycles'))} done.`;
    case 'budget.reached':
      return t`${event.scope} has used up today's budget.`;
    case 'approval.decided':
      return t`The question was ${answerWordsPast[event.decision]}.`;
    case 'approval.opened':
      return t`Needs your answer: ${event.subject}`;
    default:
      return undefined;
  }
}

/** Whether what is known of a plan as a whole may be another after an event of it. */
export function changesStatus({ type }: RavelEvent): boolean {
  return (
    type !== 'session.output' && type !== 'session.verb' && type !== 'vault.verifying' && type !== 'spawn.measured'
  );
}
