import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { OpenQuestionRow } from '../../model/requests/messages.ts';
import type { CommandTable } from '../commands.ts';
import { refuseEmpty } from '../prompter.ts';
import { sanitizeLabel } from '../sanitizeLabel.ts';
import type { UiContext } from '../uiContext.ts';
import { requireLink } from '../vaultLink.ts';
import { showAnswer } from './causePages.ts';
import { followDialogue } from './dialogue.ts';
import { questionChoices, questionOfRow } from './questionRows.ts';

/** Commands about questions that have no answer yet. */
export const questionCommands: CommandTable = {
  /** To what a plan or an expert asks back, also about a question that a plan asked. */
  async replyToQuestion(ui, argument) {
    ui.requireTrust();
    const isAskedBack = ({ askedBack }: OpenQuestionRow) => askedBack !== undefined;
    const none = t('No expert waits for a reply.');
    const question = await chooseQuestion(ui, argument, {
      title: t('Reply to Which Question?'),
      none,
      fits: isAskedBack,
    });
    if (question === undefined) return undefined;
    const { query, askedBack } = question;
    return followDialogue(ui, { query, ...(askedBack !== undefined && { askedBack }) });
  },

  /** The first answer holds: if the session was quicker, its answer is shown. */
  async answerForActor(ui, argument) {
    ui.requireTrust();
    const none = t('Every question has its answer.');
    const chosen = await chooseQuestion(ui, argument, { title: t('Answer Which Question?'), none, fits: () => true });
    if (chosen === undefined) return undefined;
    const { query, to, question } = chosen;
    const text = await ui.prompter.input({
      ...{ title: t`Answer in place of ${sanitizeLabel(to)}`, prompt: sanitizeLabel(question, 400) },
      ...{ ignoreFocusOut: true, validateInput: refuseEmpty },
    });
    if (text === undefined) return undefined;
    const { answer } = await requireLink(ui).api.request('answer_in_place', { query, text });
    if (answer.text !== text.trim()) await ui.prompter.info(t('The question had its answer already; that one holds.'));
    await showAnswer(query);
    return answer;
  },

  async openAnswer(ui, query) {
    if (typeof query !== 'string') return undefined;
    requireLink(ui);
    await showAnswer(query);
    return query;
  },
};

interface Choosing {
  readonly title: string;
  readonly none: string;
  readonly fits: (question: OpenQuestionRow) => boolean;
}

/** The question whose row or id a command was called with, else the one that a person picks. */
async function chooseQuestion(
  ui: UiContext,
  argument: unknown,
  { title, none, fits }: Choosing,
): Promise<OpenQuestionRow | undefined> {
  const { questions } = await requireLink(ui).api.request('questions', {});
  const query = questionOfRow(argument);
  const named = questions.find((question) => question.query === query);
  if (named !== undefined && fits(named)) return named;
  if (query !== undefined) {
    // It was answered, or replied to, since the row was drawn.
    vscode.window.setStatusBarMessage(t('This question has been taken care of meanwhile.'), 8_000);
    await showAnswer(query);
    return undefined;
  }
  const fitting = questions.filter(fits);
  if (fitting.length > 0) return ui.prompter.pick(questionChoices(fitting), { title, matchOnDetail: true });
  await ui.prompter.info(none);
  return undefined;
}
