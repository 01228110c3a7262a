import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { isRavelError } from '../../base/errors.ts';
import type { QualifiedId, Ulid } from '../../model/id.ts';
import type { Phase } from '../../model/phase.ts';
import type { RequestParams } from '../../model/protocol.ts';
import type { CommandTable } from '../commands.ts';
import type { PlanNode } from '../planOutline.ts';
import type { UiContext } from '../uiContext.ts';
import { requireLink } from '../vaultLink.ts';
import { choosePlan } from './choosePlan.ts';
import { everyPlanRuns, isPlanStopped, isStill, showRunOutcome } from './runCommands.ts';
import { phaseOutcome } from './runOutcome.ts';

/** Commands with which a person carries out a phase in the editor. */
export const manualCommands: CommandTable = {
  async beginManualRun(ui, argument) {
    ui.requireTrust();
    const plan = await choosePlan(ui, argument, {
      title: t('Do Phase by Hand'),
      fits: isStill,
      none: everyPlanRuns,
    });
    if (plan === undefined) return undefined;
    const { api } = requireLink(ui);
    const takeOver = await askTakeOver(ui, plan);
    if (takeOver === undefined) return undefined;
    const run = await api.request('begin_manual_run', { plan, ...(takeOver && { takeOver }) });
    const [first = run.prompt] = run.files;
    await vscode.window.showTextDocument(vscode.Uri.file(first), { preview: false });
    await vscode.window.showTextDocument(vscode.Uri.file(run.prompt), {
      viewColumn: vscode.ViewColumn.Beside,
      preserveFocus: true,
      preview: true,
    });
    const text = t`You have ${run.phase} open: edit the files, then finish the phase.`;
    const answer = await ui.prompter.info(text, t('Finish Phase'), t('Drop Phase'));
    if (answer === t('Finish Phase')) await vscode.commands.executeCommand('ravel.finishManualRun', plan);
    if (answer === t('Drop Phase')) await vscode.commands.executeCommand('ravel.dropManualRun', plan);
    return run;
  },

  async finishManualRun(ui, argument) {
    const open = await chooseManualRun(ui, argument, t('Finish Phase by Hand'));
    if (open === undefined) return undefined;
    const summary = await ui.prompter.input({
      title: t`Finish ${open.phase}`,
      prompt: t('What did you do? One or two sentences for the history.'),
      validateInput: (text) => (text.trim() === '' ? t('Write at least one sentence.') : undefined),
    });
    if (summary === undefined) return undefined;
    await vscode.workspace.saveAll(false);
    return finishManualRun(ui, { plan: open.plan, session: open.session, outcome: 'done', summary });
  },

  async dropManualRun(ui, argument) {
    const open = await chooseManualRun(ui, argument, t('Drop Phase by Hand'));
    if (open === undefined) return undefined;
    const { plan, session, phase } = open;
    const detail = t('Your edits in the copies are dropped. The plan stays as it was.');
    const really = await ui.prompter.confirm(t`Drop ${phase}?`, detail, t('Drop'));
    return really ? requireLink(ui).api.request('drop_manual_run', { plan, session }) : undefined;
  },
};

const noManualRun = t('You have no phase open by hand.');

function hasManualRun({ row }: PlanNode): boolean {
  return row?.running?.manual === true;
}

/** The phase that a person has open: of the plan that a command is about, as the vault says just now. */
async function chooseManualRun(
  ui: UiContext,
  argument: unknown,
  title: string,
): Promise<{ readonly plan: QualifiedId; readonly session: Ulid; readonly phase: Phase } | undefined> {
  ui.requireTrust();
  const plan = await choosePlan(ui, argument, { title, fits: hasManualRun, none: noManualRun });
  if (plan === undefined) return undefined;
  const { running } = await requireLink(ui).api.request('status', { plan });
  if (running?.manual !== undefined) return { plan, session: running.session, phase: running.phase };
  await ui.prompter.info(noManualRun);
  return undefined;
}

/** Whether to continue what an unfinished try has staged; undefined if a person thinks better of it. */
async function askTakeOver({ model, prompter }: UiContext, plan: QualifiedId): Promise<boolean | undefined> {
  const node = model.plan(plan);
  if (node === undefined || !isPlanStopped(node)) return false;
  return prompter.pick(
    [
      { label: t('Continue from the files of the last try'), value: true },
      { label: t('Start the phase again'), value: false },
    ],
    { title: t('Do Phase by Hand'), placeHolder: t('The last try of this phase did not finish.') },
  );
}

async function finishManualRun(
  ui: UiContext,
  params: RequestParams<'finish_manual_run'> & { readonly plan: QualifiedId },
): Promise<unknown> {
  const { api } = requireLink(ui);
  const finish = async (unchanged: boolean) =>
    api.request('finish_manual_run', { ...params, ...(unchanged && { unchanged }) });
  const finished = await finish(false).catch(async (error: unknown) => {
    if (!isRavelError(error, 'run/nothingChanged')) throw error;
    const detail = t`${error.message} Finish only if the files of the plan need no change.`;
    const really = await ui.prompter.confirm(t('Finish the phase as it is?'), detail, t('Finish'));
    return really ? finish(true) : undefined;
  });
  if (finished === undefined) return undefined;
  const { plan } = params;
  if (finished.outcome === 'ended') await showRunOutcome(ui, plan, phaseOutcome(plan, finished.report));
  else await ui.prompter.warn(t`Not finished yet: ${finished.reason}`);
  return finished;
}
