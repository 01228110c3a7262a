import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { formatTarget, type Target } from '../../model/namedTarget.ts';
import { cancellable } from '../cancellation.ts';
import { sanitizeLabel } from '../sanitizeLabel.ts';
import { sendFromWindow } from '../sendFromWindow.ts';
import type { UiContext } from '../uiContext.ts';
import { requireLink } from '../vaultLink.ts';
import { answerSeconds, followDialogue } from './dialogue.ts';
import { showDispatchOutcome } from './dispatchForm.ts';
import { targetWords } from './targetChoices.ts';

/** Asks a plan or an expert, waits where the person sees it, and shows the answer, what is asked back, or why there is neither. */
export async function askTarget(ui: UiContext, target: Target, question: string) {
  const { api } = requireLink(ui);
  const title = t`Question to ${sanitizeLabel(targetWords(target))}`;
  const asked = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: t`${title}: waiting for the answer`, cancellable: true },
    (_progress, token) =>
      cancellable(token, (signal) =>
        sendFromWindow(ui, (id) =>
          api.request('ask', { ...formatTarget(target), id, question, 'wait-seconds': answerSeconds }, signal),
        ),
      ),
  );
  if (asked.answer !== undefined || asked.askedBack !== undefined) return followDialogue(ui, asked);
  await showDispatchOutcome(ui, asked.outcome, title);
  return asked;
}
