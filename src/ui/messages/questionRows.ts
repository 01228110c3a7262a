import { t } from '@vscode/l10n';
import { localTime } from '../../base/localTime.ts';
import type { OpenQuestionRow } from '../../model/requests/messages.ts';
import type { Choice } from '../choice.ts';
import { plainChoice, plainMarkdown, sanitizeLabel } from '../sanitizeLabel.ts';
import { planName } from '../trees/planRows.ts';
import { joinParts, type TreeRow } from '../trees/treeRow.ts';

const prefix = 'question:';

/** The id of the question that a row, a link or a command line names; undefined for anything else. */
export function questionOfRow(key: unknown): string | undefined {
  if (typeof key !== 'string') return undefined;
  const id = key.startsWith(prefix) ? key.slice(prefix.length) : key;
  return /^[0-9A-HJKMNP-TV-Z]{26}$/.test(id) ? id : undefined;
}

/** The row of an open question: what is asked back, if something is, else the question itself. */
export function questionRow(question: OpenQuestionRow): { readonly row: TreeRow; readonly tooltip: string } {
  const { query, to, from, at, question: asked, askedBack } = question;
  const name = planName(to);
  const label = sanitizeLabel(askedBack?.text ?? asked);
  const words = askedBack === undefined ? t('a session is asked') : t`${name} asks back`;
  const command = askedBack === undefined ? 'ravel.openAnswer' : 'ravel.replyToQuestion';
  return {
    row: {
      ...{ id: `${prefix}${query}`, label, description: words },
      icon:
        askedBack === undefined
          ? { name: 'sync~spin', color: 'charts.blue' }
          : { name: 'reply', color: 'list.warningForeground' },
      ariaLabel: askedBack === undefined ? t`Open question, ${label}, ${words}` : t`${name} asks back, ${label}`,
      contextValue: joinParts(['question', askedBack !== undefined && 'asksBack'], '.'),
      command: { command, title: askedBack === undefined ? t('Show Question') : t('Reply'), arguments: [query] },
    },
    tooltip: joinParts(
      [
        ...(askedBack === undefined ? [] : [`**${plainMarkdown(t`${name} asks back: ${askedBack.text}`)}**`]),
        plainMarkdown(t`The question: ${asked}`),
        plainMarkdown(t`Asked by ${from === 'person' ? 'a person' : from}, ${localTime(at)}`),
      ],
      '\n\n',
    ),
  };
}

/** Open questions to choose from, those that wait for a reply first. */
export function questionChoices(questions: readonly OpenQuestionRow[]): Choice<OpenQuestionRow>[] {
  const rank = ({ askedBack }: OpenQuestionRow) => (askedBack === undefined ? 1 : 0);
  return [...questions]
    .sort((one, other) => rank(one) - rank(other))
    .map((question) => ({
      label: plainChoice(question.question),
      description: plainChoice(question.to),
      detail:
        question.askedBack === undefined
          ? t('A session is asked')
          : plainChoice(t`Asks back: ${question.askedBack.text}`, 400),
      value: question,
    }));
}
