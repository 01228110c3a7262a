import * as vscode from 'vscode';
import type { Notice } from './nextSteps.ts';
import type { UiContext } from './uiContext.ts';

/** How long a message stays in the status bar, in milliseconds: long enough to read a sentence twice. */
export const statusMessageMs = 8_000;

/** Shows a message with buttons for next steps. The caller does not wait for the answer: its work is over. */
export function notify(ui: Pick<UiContext, 'prompter' | 'onError'>, given: Notice): void {
  const { tone, message, actions } = given;
  follow(ui, given, ui.prompter[tone](message, ...actions.map(({ title }) => title)));
}

/** The same for what happened by itself. */
export function notifyOfNews(ui: Pick<UiContext, 'prompter' | 'onError'>, given: Notice): void {
  const { tone, message, actions } = given;
  follow(ui, given, ui.prompter.news(tone, message, ...actions.map(({ title }) => title)));
}

function follow(
  { onError }: Pick<UiContext, 'onError'>,
  { actions }: Notice,
  answered: Promise<string | undefined>,
): void {
  answered
    .then(async (answer) => {
      const action = actions.find(({ title }) => title === answer);
      if (action !== undefined) await vscode.commands.executeCommand(action.command, ...(action.arguments ?? []));
    })
    .catch(onError);
}
