import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { defined } from '../../base/defined.ts';
import { localTime } from '../../base/localTime.ts';
import { answerName } from '../../model/answerNames.ts';
import { isVaultApproval } from '../../model/approval.ts';
import type { Ulid } from '../../model/id.ts';
import type { RequestParams, RequestResults } from '../../model/protocol.ts';
import type { ApprovalPage, PossibleAnswer } from '../../model/requests/approvals.ts';
import { resumesByItself } from '../../model/resumesByItself.ts';
import { type QuestionView, toQuestionView } from '../../model/webview.ts';
import type { CommandTable, RunCommand } from '../commands.ts';
import { notify, statusMessageMs } from '../notify.ts';
import type { SinglePage, SinglePageKind } from '../runner/singlePage.ts';
import { plainChoice, sanitizeLabel } from '../sanitizeLabel.ts';
import { proposeWithAnswer } from '../start/goalCommands.ts';
import { planName } from '../trees/planRows.ts';
import type { UiContext } from '../uiContext.ts';
import { requireLink } from '../vaultLink.ts';
import { type ApprovalPages, approvalOf } from './approvalPages.ts';
import { receiverChoices } from './receiverChoices.ts';

/** The page of a question. */
export const questionPage: SinglePageKind<QuestionView> = {
  ...{ name: 'question', title: t('Question'), script: 'question.js', texts: 'ravel-question', toView: toQuestionView },
};

/** What a person is asked which question for. */
const titles: Readonly<Record<PossibleAnswer['decision'], string>> = {
  accept: t('Accept What a Question Proposes'),
  edit: t('Edit the Answer to a Question'),
  reject: t('Reject What a Question Proposes'),
};

/** Commands that show questions and answer them. If another person was quicker, the error says who. */
export function approvalCommands(pages: ApprovalPages, panel: SinglePage<QuestionView>): CommandTable {
  const answerWith =
    (decision: PossibleAnswer['decision']): RunCommand =>
    async (ui, argument) => {
      ui.requireTrust();
      const approval = await chooseApproval(ui, argument, titles[decision]);
      if (approval === undefined) return undefined;
      const page = await pages.seen(approval);
      if (page.kind === 'unroutable-message' && decision === 'accept') return chooseReceiver(ui, pages, page);
      const answer = await chooseAnswer(ui, page, ({ decision: word }) => word === decision);
      return answer === undefined ? undefined : give(ui, pages, page, answer);
    };
  return {
    async openApproval(ui, argument) {
      const approval = await chooseApproval(ui, argument, t('Open Question'));
      if (approval === undefined) return undefined;
      // A rule is looked at where it would stand.
      const isRule = ui.model.approvals.some((row) => row.approval === approval && row.kind === 'rule-suggestion');
      if (isRule) await vscode.commands.executeCommand('ravel.reviewSuggestion', approval);
      else panel.show({ page: 'question', approval: approval as Ulid });
      return approval;
    },
    async compareApproval(ui, argument) {
      const approval = await chooseApproval(ui, argument, t('Compare Both Sides of a Question'));
      if (approval !== undefined) await pages.compare(approval);
      return approval;
    },
    async showApprovalPage(ui, argument) {
      const approval = await chooseApproval(ui, argument, t('Open Question as Text'));
      if (approval !== undefined) await pages.showPage(approval);
      return approval;
    },
    async compareWithNearest(ui, argument) {
      const learned = ui.model.approvals.filter(({ kind }) => kind === 'learned-statement');
      const approval = await chooseApproval(ui, argument, t('Compare Which Statement'), learned);
      if (approval === undefined) return undefined;
      if (await pages.compareWithNearest(approval)) return approval;
      await ui.prompter.info(t('No entry is near this statement.'));
      await pages.showPage(approval);
      return approval;
    },
    async answerApproval(ui, argument) {
      ui.requireTrust();
      const approval = await chooseApproval(ui, argument, t('Answer Question'));
      if (approval === undefined) return undefined;
      const page = await pages.seen(approval);
      const answer = await chooseAnswer(ui, page, () => true);
      return answer === undefined ? undefined : give(ui, pages, page, answer);
    },
    acceptApproval: answerWith('accept'),
    editApproval: answerWith('edit'),
    rejectApproval: answerWith('reject'),
    deferApproval,
    async useThisText(ui, argument) {
      ui.requireTrust();
      const uri = argument instanceof vscode.Uri ? argument : vscode.window.activeTextEditor?.document.uri;
      const approval = uri === undefined ? undefined : approvalOf(uri);
      if (uri?.scheme !== 'untitled' || approval === undefined) {
        await ui.prompter.info(
          t('This document is not an answer to a question. Open one with “Ravel: Answer Question: Edit…”.'),
        );
        return undefined;
      }
      const document = await vscode.workspace.openTextDocument(uri);
      const page = await pages.seen(approval);
      const decision = page.form === undefined ? 'accept' : 'edit';
      const decided = await decide(ui, pages, page, { decision, text: document.getText() });
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
      return decided;
    },
  };
}

/** Puts a question off that no phase waits for. */
async function deferApproval(ui: UiContext, argument: unknown): Promise<string | undefined> {
  ui.requireTrust();
  const among = ui.model.approvals.filter(({ kind }) => isVaultApproval(kind));
  const approval = await chooseApproval(ui, argument, t('Defer Which Question?'), among);
  if (approval === undefined) return undefined;
  const choices = [
    { label: t('Until tomorrow'), value: 1 },
    { label: t('For a week'), value: 7 },
    { label: t('For a month'), value: 30 },
  ];
  const days = await ui.prompter.pick(choices, {
    ...{ title: t('Defer Question'), placeHolder: t('It stays as it is, and can be answered before') },
  });
  if (days === undefined) return undefined;
  const { until } = await requireLink(ui).api.request('defer', { approval, days });
  vscode.window.setStatusBarMessage(
    t`Ravel: the question comes back on ${localTime(until).slice(0, 10)}`,
    statusMessageMs,
  );
  return approval;
}

/** The question that a command is about: a row, a document, the one in the active editor, or one that a person picks. */
async function chooseApproval(
  { link, model, prompter }: UiContext,
  argument: unknown,
  title: string,
  among = model.approvals,
): Promise<string | undefined> {
  if (typeof argument === 'string') return argument.replace(/^(?:approval|review):/, '');
  const shown = argument instanceof vscode.Uri ? argument : vscode.window.activeTextEditor?.document.uri;
  const approval = shown === undefined ? undefined : approvalOf(shown);
  if (approval !== undefined) return approval;
  requireLink({ link });
  if (among.length === 0) {
    await prompter.info(
      model.approvals.length === 0 ? t('There are no questions for you.') : t('No such question waits for you.'),
    );
    return undefined;
  }
  const choices = among.map((row) => ({
    label: plainChoice(row.subject),
    description: plainChoice(planName(row.plan)),
    value: row.approval,
  }));
  return prompter.pick(choices, { title, matchOnDescription: true });
}

/** Which of the answers that fit; a person is asked only if there are several. */
async function chooseAnswer(
  { prompter }: UiContext,
  page: ApprovalPage,
  fits: (answer: PossibleAnswer) => boolean,
): Promise<PossibleAnswer | undefined> {
  const answers = page.answers.filter(fits);
  const [first, ...others] = answers;
  if (first === undefined) {
    const words = page.answers.map((answer) => plainChoice(answerName(page.kind, answer))).join(', ');
    await prompter.info(t`The answers to this question are: ${words}.`);
    return undefined;
  }
  if (others.length === 0) return first;
  const choices = answers.map((answer) => ({
    label: plainChoice(answerName(page.kind, answer)),
    detail: plainChoice(answer.does, 400),
    value: answer,
  }));
  return prompter.pick(choices, { title: sanitizeLabel(page.subject), placeHolder: page.asks });
}

async function give(
  ui: UiContext,
  pages: ApprovalPages,
  page: ApprovalPage,
  { decision, option, text, does }: PossibleAnswer,
): Promise<RequestResults['decide'] | undefined> {
  const { prompter } = ui;
  if (page.kind === 'rule-suggestion' && decision !== 'edit') {
    return vscode.commands.executeCommand(`ravel.${decision}Suggestion`, page.approval);
  }
  const chosen = { decision, ...defined({ option }) };
  if (decision === 'edit') {
    await pages.edit(page);
    return undefined;
  }
  if (decision === 'reject') return reject(ui, pages, page, does);
  if (page.kind === 'unroutable-message' && option === undefined) return chooseReceiver(ui, pages, page);
  if (text === undefined) return decide(ui, pages, page, chosen);
  const answer = await prompter.input({
    title: sanitizeLabel(page.subject),
    prompt: t`Give ${text}; leave it empty to write it in an editor.`,
    ignoreFocusOut: true,
  });
  if (answer === undefined) return undefined;
  if (answer.trim() !== '') return decide(ui, pages, page, { ...chosen, text: answer });
  await pages.edit(page);
  return undefined;
}

/** The receiver for a message that found none: one of the candidates, or any other. */
async function chooseReceiver(
  ui: UiContext,
  pages: ApprovalPages,
  page: ApprovalPage,
): Promise<RequestResults['decide'] | undefined> {
  const { model, prompter } = ui;
  const receiver = await prompter.pick(receiverChoices(page.details, model), {
    ...{ title: sanitizeLabel(page.subject), placeHolder: t('Choose the receiver') },
    ...{ matchOnDescription: true, matchOnDetail: true, ignoreFocusOut: true },
  });
  if (receiver === undefined) return undefined;
  const isOption = page.options.includes(receiver);
  return decide(ui, pages, page, {
    decision: 'accept',
    ...(isOption ? { option: receiver } : { text: receiver }),
  });
}

/** Asks for a reason if a session or a sender gets it; any other rejection drops something, so it is confirmed first. */
async function reject(
  ui: UiContext,
  pages: ApprovalPages,
  page: ApprovalPage,
  does: string,
): Promise<RequestResults['decide'] | undefined> {
  const { prompter } = ui;
  if (page.kind !== 'tool-request' && page.kind !== 'unroutable-message') {
    const name = answerName(page.kind, { decision: 'reject' }).replace('…', '');
    const really = await prompter.confirm(`${name}? “${sanitizeLabel(page.subject, 120)}”`, does, name);
    return really ? decide(ui, pages, page, { decision: 'reject' }) : undefined;
  }
  const whom = page.kind === 'tool-request' ? t('The session') : t('The sender');
  const reason = await prompter.input({
    title: answerName(page.kind, { decision: 'reject' }),
    prompt: t`Why? ${whom} gets your reason (Enter for none).`,
  });
  if (reason === undefined) return undefined;
  return decide(ui, pages, page, { decision: 'reject', ...(reason.trim() !== '' && { reason }) });
}

async function decide(
  ui: UiContext,
  pages: ApprovalPages,
  { approval, contentHash, plan, kind }: ApprovalPage,
  answer: Pick<RequestParams<'decide'>, 'decision' | 'option' | 'text' | 'reason'>,
): Promise<RequestResults['decide']> {
  const { api } = requireLink(ui);
  const decided = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Window, title: t`Applying your decision for ${planName(plan)}` },
    () => api.request('decide', { approval, contentHash, ...answer }),
  );
  await pages.close(approval);
  showDecided(ui, decided);
  // The session takes minutes; what comes of it opens by itself.
  if (kind === 'goal-question' && answer.decision === 'accept') proposeWithAnswer(ui, approval).catch(ui.onError);
  return decided;
}

/** The caller does not wait: the decision is carried out already, and the plan continues by itself if it can. */
function showDecided(ui: UiContext, decided: RequestResults['decide']): void {
  const { did, next, plan } = decided;
  ui.log.info(did);
  const resumed = resumesByItself(decided);
  if (next === undefined || resumed !== undefined) {
    vscode.window.setStatusBarMessage(sanitizeLabel(did), statusMessageMs);
    if (resumed !== undefined)
      vscode.commands.executeCommand(resumeCommands[resumed], plan).then(undefined, ui.onError);
    return;
  }
  const [title, command] =
    next === 'run' ? [t('Run Phase'), resumeCommands.run_phase] : [t('Retry Phase'), resumeCommands.retry];
  notify(ui, {
    tone: 'info',
    message: sanitizeLabel(did, 400),
    actions: [{ title, command, arguments: [plan] }],
  });
}

const resumeCommands = { run_phase: 'ravel.runPhase', retry: 'ravel.retryPhase', resume: 'ravel.resumeRun' } as const;
