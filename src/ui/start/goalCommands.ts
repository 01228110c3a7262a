import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { isUlid } from '../../model/id.ts';
import type { RequestParams } from '../../model/protocol.ts';
import type { ProposedResult } from '../../model/requests/goals.ts';
import { cancellable } from '../cancellation.ts';
import type { CommandTable } from '../commands.ts';
import { sanitizeLabel } from '../sanitizeLabel.ts';
import type { UiContext } from '../uiContext.ts';
import { requireLink } from '../vaultLink.ts';
import { planOf } from './arguments.ts';
import { goalMessage } from './names.ts';
import { pickPlan } from './questions.ts';

export const goalCommands: CommandTable = {
  planGoal,
  /** For the page of a question, whose answer lets a session propose. */
  async continueGoal(ui, answered) {
    ui.requireTrust();
    return typeof answered === 'string' && isUlid(answered) ? proposeWithAnswer(ui, answered) : undefined;
  },
};

/** Asks for a plan and a goal, has a session propose, and opens what it proposes or asks. */
async function planGoal(ui: UiContext, given: unknown): Promise<string | undefined> {
  requireLink(ui);
  ui.requireTrust();
  const title = t('Create Plans From a Goal');
  const under = planOf(given) ?? (await pickPlan(ui, title, t('Which project or plan is the goal for?')));
  if (under === undefined) return undefined;
  const goal = await ui.prompter.input({
    title: t`A goal for ${sanitizeLabel(under)}`,
    prompt: t('What is to be true in the end, in a sentence or a few'),
    placeHolder: t('People can search the shop by colour and size.'),
    ignoreFocusOut: true,
    validateInput: goalMessage,
  });
  return goal === undefined ? undefined : propose(ui, { under, goal: goal.trim() });
}

/** Lets a new session propose with the answers to a question, and opens the proposal. */
export function proposeWithAnswer(ui: UiContext, answered: string): Promise<string> {
  return propose(ui, { answered });
}

/** A session can take minutes, so the person sees that it goes on and can end it. */
async function propose(ui: UiContext, params: RequestParams<'plan_goal'>): Promise<string> {
  const { api } = requireLink(ui);
  const { approval } = await vscode.window.withProgress<ProposedResult>(
    {
      location: vscode.ProgressLocation.Notification,
      title: t('A session looks at the project; nothing is written before you accept'),
      cancellable: true,
    },
    (_progress, token) => cancellable(token, (signal) => api.request('plan_goal', params, signal)),
  );
  await vscode.commands.executeCommand('ravel.openApproval', approval);
  return approval;
}
