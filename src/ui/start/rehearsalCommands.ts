import * as vscode from 'vscode';
import type { CycleReport } from '../../model/requests/runs.ts';
import type { CommandTable } from '../commands.ts';
import type { Workplace } from '../workplace.ts';
import { showVault } from './openVault.ts';
import { isRehearsal, rehearsalsFolder } from './rehearsalPlace.ts';
import { rehearsalWords } from './rehearsalWords.ts';
import { setFact } from './startFacts.ts';

export const rehearsalCommands: CommandTable = { rehearse, leaveRehearsal };

/** The vault that a window showed before its rehearsal. */
const beforeKey = 'ravel.beforeRehearsal.1';

async function leaveRehearsal(workplace: Workplace): Promise<void> {
  if (isRehearsal(workplace)) await workplace.open(workplace.context.workspaceState.get<string>(beforeKey));
}

/**
 * Plays one whole cycle without a model, in a project and a vault of its own below the editor's storage: what is seen is
 * the real thing, only the thinking is prepared. The vault that the window showed before is offered again at the end.
 */
async function rehearse(workplace: Workplace): Promise<CycleReport | undefined> {
  workplace.requireTrust();
  const { machine, prompter, clock, context } = workplace;
  const home = rehearsalsFolder(workplace);
  const before = workplace.link.value?.vault;
  const isElsewhere = before !== undefined && !isRehearsal(workplace);
  if (isElsewhere) {
    const detail = `The demo has a vault of its own, which this window shows in the meantime. Nothing in ${before} changes, and you can go back to it at the end.`;
    if (!(await prompter.confirm('Run the demo?', detail, 'Run Demo'))) return undefined;
  }
  if (!isRehearsal(workplace)) await context.workspaceState.update(beforeKey, before);
  const options = { location: vscode.ProgressLocation.Window, title: 'Ravel: preparing the demo' };
  const { link, plan, scenario } = await vscode.window.withProgress(options, async () => {
    if (before !== undefined && !isElsewhere) await workplace.open(undefined);
    await machine.removeRehearsals(home);
    const made = await machine.makeRehearsal(
      vscode.Uri.joinPath(vscode.Uri.file(home), clock.wallMs().toString(36)).fsPath,
    );
    const opened = await showVault(workplace, made.vault);
    return { link: opened, plan: await made.begin(opened.api), scenario: made.scenario };
  });
  await vscode.commands.executeCommand('ravel.openPlan', plan);
  const report = await link.api.request('run_cycle', { plan, harness: 'scripted', scenario });
  if (report.stop === 'cycle-ended') await setFact(workplace, 'rehearsed');
  tellEnd(workplace, report, isElsewhere ? before : undefined);
  return report;
}

/** The caller does not wait for the answer. */
function tellEnd(workplace: Workplace, report: CycleReport, before: string | undefined): void {
  const { prompter } = workplace;
  const goBack = 'Go Back to My Vault';
  const connect = 'Connect Claude Code';
  const remove = 'Remove the Demo';
  const ended = report.stop === 'cycle-ended';
  const show = ended ? prompter.info : prompter.warn;
  show(rehearsalWords(report), ...(before === undefined ? [] : [goBack]), ...(ended ? [connect] : []), remove)
    .then(async (answer) => {
      if (answer === connect) await vscode.commands.executeCommand('ravel.connectClaudeCode');
      if (answer === goBack && before !== undefined) await workplace.open(before);
      if (answer === remove) await removeRehearsal(workplace, before);
    })
    .catch(workplace.onError);
}

async function removeRehearsal(workplace: Workplace, before: string | undefined): Promise<void> {
  await workplace.open(before);
  await workplace.machine.removeRehearsals(rehearsalsFolder(workplace));
}
