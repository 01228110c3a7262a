import * as vscode from 'vscode';
import type { NextAction } from './nextSteps.ts';
import type { Workplace } from './workplace.ts';

export interface Offer {
  readonly tone: 'info' | 'warn' | 'error';
  readonly message: string;
  readonly actions: readonly NextAction[];
}

/** Shows a message with buttons for next steps. The caller does not wait for the answer: its work is over. */
export function offer({ prompter, onError }: Pick<Workplace, 'prompter' | 'onError'>, given: Offer): void {
  const { tone, message, actions } = given;
  prompter[tone](message, ...actions.map(({ title }) => title))
    .then(async (answer) => {
      const action = actions.find(({ title }) => title === answer);
      if (action !== undefined) await vscode.commands.executeCommand(action.command, ...(action.arguments ?? []));
    })
    .catch(onError);
}
