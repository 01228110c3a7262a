import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Ulid } from '../../model/id.ts';
import type { Api } from '../../model/protocol.ts';
import type { Answer, AskedBackRow } from '../../model/requests/messages.ts';
import { cancellable } from '../cancellation.ts';
import { refuseEmpty } from '../prompter.ts';
import { sanitizeLabel } from '../sanitizeLabel.ts';
import { sendFromWindow } from '../sendFromWindow.ts';
import type { UiContext } from '../uiContext.ts';
import { requireLink } from '../vaultLink.ts';
import { showAnswer } from './causePages.ts';

/** How long an answer is waited for; one that comes later is kept, and shown by the views. */
export const answerSeconds = 600;

/** Where a question stands whose asker is before the window. */
export interface AskedState {
  readonly query: Ulid;
  readonly answer?: Answer;
  readonly askedBack?: AskedBackRow;
}

/**
 * Replies to what is asked back for as long as the person does, and shows the answer. A question back that the person
 * leaves stays in the Inbox. Resolves with where the question stands then.
 */
export async function followDialogue(ui: UiContext, start: AskedState): Promise<AskedState> {
  const { api } = requireLink(ui);
  let state = start;
  while (state.answer === undefined && state.askedBack !== undefined) {
    const { by, text: asked } = state.askedBack;
    const text = await ui.prompter.input({
      ...{ title: t`${sanitizeLabel(by)} asks back`, prompt: sanitizeLabel(asked, 1000), ignoreFocusOut: true },
      validateInput: refuseEmpty,
    });
    if (text === undefined) {
      const left = t`The question of ${sanitizeLabel(by)} waits in the Inbox for your reply.`;
      vscode.window.setStatusBarMessage(left, 8_000);
      return state;
    }
    state = await reply(ui, api, { query: state.query, by, text });
  }
  if (state.answer !== undefined) await showAnswer(state.query);
  return state;
}

function reply(
  ui: UiContext,
  api: Api,
  { query, by, text }: { readonly query: Ulid; readonly by: string; readonly text: string },
): Promise<AskedState> {
  const title = t`Reply to ${sanitizeLabel(by)}: waiting for the answer`;
  return Promise.resolve(
    vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title, cancellable: true },
      (_progress, token) =>
        cancellable(token, (signal) =>
          sendFromWindow(ui, (id) => api.request('reply', { query, text, id, 'wait-seconds': answerSeconds }, signal)),
        ),
    ),
  );
}
