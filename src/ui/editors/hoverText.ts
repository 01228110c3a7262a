import { t } from '@vscode/l10n';
import type { DocumentReference } from '../../model/document.ts';
import type { PlanStatus } from '../../model/requests/plans.ts';
import { plainMarkdown } from '../sanitizeLabel.ts';

const words: Readonly<Record<DocumentReference['kind'], string>> = {
  task: t('Task'),
  claim: t('Claim'),
  plan: t('Plan'),
  project: t('Project'),
  expert: t('Expert'),
  note: t('Note'),
};

/** What is said of a name under the pointer, as Markdown in which texts of others are drawn letter by letter. */
export function hoverText(reference: DocumentReference, status?: PlanStatus): string {
  const { kind, id, title, state, target } = reference;
  const head = `${words[kind]} **${plainMarkdown(id)}**`;
  if (target === undefined) return t`${head}\n\nThis vault has no such ${words[kind].toLowerCase()}.`;
  const lines = [title === undefined ? '' : plainMarkdown(title), state === undefined ? '' : plainMarkdown(state)];
  return [head, ...lines, ...(status === undefined ? [] : planLines(status))]
    .filter((line) => line !== '')
    .join('\n\n');
}

/** Where a plan stands: its phase, who works on it, and how its last phase ended. */
function planLines({ phase, running, waiting, counts, lastEnd }: PlanStatus): string[] {
  const state = [
    phase === undefined ? '' : t`phase ${phase}`,
    running === undefined ? '' : running.manual ? t('open by hand') : 'running',
    waiting === undefined ? '' : t('needs your answer'),
    t`${counts.ready} ready`,
    counts.blocked > 0 ? t`${counts.blocked} blocked` : '',
  ];
  const last = lastEnd === undefined ? '' : t`Last: ${lastEnd.phase} ${lastEnd.end}, ${plainMarkdown(lastEnd.summary)}`;
  return [plainMarkdown(state.filter((part) => part !== '').join(' · ')), last];
}
