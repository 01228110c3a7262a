import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CycleReport } from '../../model/requests/runs.ts';
import type { CommandTable } from '../commands.ts';
import type { UiContext } from '../uiContext.ts';
import { demosFolder, isDemo } from './demoPlace.ts';
import { demoText } from './demoText.ts';
import { showVault } from './openVault.ts';
import { setFact } from './startFacts.ts';

export const demoCommands: CommandTable = { runDemo, leaveDemo };

/** The vault that a window showed before its demo. */
const beforeKey = 'ravel.beforeDemo.1';

async function leaveDemo(ui: UiContext): Promise<void> {
  if (isDemo(ui)) await ui.open(ui.context.workspaceState.get<string>(beforeKey));
}

/**
 * Plays one whole cycle without a model, in a project and a vault of its own below the editor's storage: what is seen is
 * the real thing, only the thinking is prepared. The vault that the window showed before is offered again at the end.
 */
async function runDemo(ui: UiContext): Promise<CycleReport | undefined> {
  ui.requireTrust();
  const { machine, prompter, clock, context } = ui;
  const home = demosFolder(ui);
  const before = ui.link.value?.vault;
  const isElsewhere = before !== undefined && !isDemo(ui);
  if (isElsewhere) {
    const detail = t`The demo has a vault of its own, which this window shows in the meantime. Nothing in ${before} changes, and you can go back to it at the end.`;
    if (!(await prompter.confirm(t('Run the demo?'), detail, t('Run Demo')))) return undefined;
  }
  if (!isDemo(ui)) await context.workspaceState.update(beforeKey, before);
  const options = { location: vscode.ProgressLocation.Window, title: t('Ravel: preparing the demo') };
  const { link, plan, scenario } = await vscode.window.withProgress(options, async () => {
    if (before !== undefined && !isElsewhere) await ui.open(undefined);
    await machine.removeDemos(home);
    const made = await machine.makeDemo(vscode.Uri.joinPath(vscode.Uri.file(home), clock.wallMs().toString(36)).fsPath);
    const opened = await showVault(ui, made.vault);
    return { link: opened, plan: await made.begin(opened.api), scenario: made.scenario };
  });
  await vscode.commands.executeCommand('ravel.openPlan', plan);
  const report = await link.api.request('run_cycle', { plan, harness: 'scripted', scenario });
  if (report.stop === 'cycle-ended') await setFact(ui, 'ranDemo');
  showEnd(ui, report, isElsewhere ? before : undefined);
  return report;
}

/** The caller does not wait for the answer. */
function showEnd(ui: UiContext, report: CycleReport, before: string | undefined): void {
  const { prompter } = ui;
  const goBack = t('Go Back to My Vault');
  const connect = t('Connect Claude Code');
  const remove = t('Remove the Demo');
  const ended = report.stop === 'cycle-ended';
  const show = ended ? prompter.info : prompter.warn;
  show(demoText(report), ...(before === undefined ? [] : [goBack]), ...(ended ? [connect] : []), remove)
    .then(async (answer) => {
      if (answer === connect) await vscode.commands.executeCommand('ravel.connectClaudeCode');
      if (answer === goBack && before !== undefined) await ui.open(before);
      if (answer === remove) await removeDemo(ui, before);
    })
    .catch(ui.onError);
}

async function removeDemo(ui: UiContext, before: string | undefined): Promise<void> {
  await ui.open(before);
  await ui.machine.removeDemos(demosFolder(ui));
}
