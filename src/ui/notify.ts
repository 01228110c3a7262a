import * as vscode from 'vscode';
import type { NextAction } from './nextSteps.ts';
import type { UiContext } from './uiContext.ts';

/** How long a message stays in the status bar, in milliseconds: long enough to read a sentence twice. */
export const statusMessageMs = 8_000;

export interface Notice {
  readonly tone: 'info' | 'warn' | 'error';
  readonly message: string;
  readonly actions: readonly NextAction[];
}

/** Shows a message with buttons for next steps. The caller does not wait for the answer: its work is over. */
export function notify({ prompter, onError }: Pick<UiContext, 'prompter' | 'onError'>, given: Notice): void {
  const { tone, message, actions } = given;
  prompter[tone](message, ...actions.map(({ title }) => title))
    .then(async (answer) => {
      const action = actions.find(({ title }) => title === answer);
      if (action !== undefined) await vscode.commands.executeCommand(action.command, ...(action.arguments ?? []));
    })
    .catch(onError);
}
