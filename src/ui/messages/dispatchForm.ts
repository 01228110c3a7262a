import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { defined } from '../../base/defined.ts';
import { isRecord } from '../../base/json.ts';
import type { QualifiedId } from '../../model/id.ts';
import { formatTarget, type Target } from '../../model/namedTarget.ts';
import type { RouteOutcome } from '../../model/routing.ts';
import { inWindowWords } from '../../model/windowCommands.ts';
import { refuseEmpty } from '../prompter.ts';
import { sanitizeLabel } from '../sanitizeLabel.ts';
import { sendFromWindow } from '../sendFromWindow.ts';
import type { UiContext } from '../uiContext.ts';
import { requireLink } from '../vaultLink.ts';
import { targetChoices, targetWords } from './targetChoices.ts';

/** What is known of a dispatch before the user is asked. */
export interface DispatchDraft {
  readonly target?: Target;
  /** The plan that hands it over; without it the person does. */
  readonly from?: QualifiedId;
  /** The task of `from` that it was. */
  readonly task?: string;
  readonly body?: string;
  readonly reason?: string;
}

/** Asks for what is missing of a dispatch, sends it, and says where it went. Undefined if the person stopped. */
export async function dispatchDraft(ui: UiContext, draft: DispatchDraft): Promise<unknown> {
  const { prompter } = ui;
  const { api } = requireLink(ui);
  const target = draft.target ?? (await chooseTarget(ui, t('Dispatch Task To'), draft.from));
  if (target === undefined) return undefined;
  const title = t`Dispatch to ${sanitizeLabel(targetWords(target))}`;
  const body =
    draft.body ??
    (await prompter.input({
      ...{ title, prompt: t('The work to do there. It waits for triage.'), validateInput: refuseEmpty },
    }));
  if (body === undefined) return undefined;
  const reason = await prompter.input({
    ...{ title, prompt: t('Why should it be done there?'), validateInput: refuseEmpty },
    ...defined({ value: draft.reason }),
  });
  if (reason === undefined) return undefined;
  const { from, task } = draft;
  const sender = { ...defined({ from, task }) };
  const sent = await sendFromWindow(ui, (id) =>
    api.request('dispatch', { ...formatTarget(target), ...sender, id, reason, body }),
  );
  await showDispatchOutcome(ui, sent.outcome, title);
  return sent;
}

/** The task of a plan as what is dispatched. */
export async function draftOfTask({ link }: UiContext, from: QualifiedId, task: string): Promise<DispatchDraft> {
  const { api } = requireLink({ link });
  const { result } = await api.request('state', { plan: from, verb: 'backlog/show', args: { id: task } });
  const { title, description } = isRecord(result) ? result : {};
  const texts = [title, description].filter((text) => typeof text === 'string' && text.trim() !== '');
  return { from, task, body: texts.join('\n\n') };
}

export async function chooseTarget(
  { link, model, prompter }: UiContext,
  title: string,
  from: QualifiedId | undefined,
): Promise<Target | undefined> {
  requireLink({ link });
  const choices = targetChoices({ outline: model.outline, experts: model.experts }, from);
  return prompter.pick(choices, { title, matchOnDescription: true, matchOnDetail: true });
}

/** Tells where a message went; a refusal, or a question to a person, is shown so that the user does not miss it. */
export async function showDispatchOutcome(
  { prompter }: Pick<UiContext, 'prompter'>,
  outcome: RouteOutcome | undefined,
  title: string,
): Promise<void> {
  if (outcome === undefined) {
    vscode.window.setStatusBarMessage(t`${title}: it is in transit.`, 8_000);
    return;
  }
  switch (outcome.kind) {
    case 'routed':
      vscode.window.setStatusBarMessage(t`${sanitizeLabel(outcome.to)} has it; it waits for triage.`, 8_000);
      return;
    case 'refused': {
      const help = outcome.help === undefined ? '' : ` ${inWindowWords(outcome.help)}`;
      await prompter.warn(t`${title}: refused, ${outcome.reason}.${help}`);
      return;
    }
    case 'waiting': {
      const answer = await prompter.info(`${title}: ${outcome.reason}`, t('Open Question'));
      if (answer !== undefined) await vscode.commands.executeCommand('ravel.openApproval', outcome.approval);
      return;
    }
  }
}
