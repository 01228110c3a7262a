import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { InspectedHarness } from '../../model/requests/doctor.ts';
import type { CommandTable } from '../commands.ts';
import type { UiContext } from '../uiContext.ts';
import { requireLink } from '../vaultLink.ts';
import { type ClaudeAction, claudeStep } from './claudeSteps.ts';
import { setFact } from './startFacts.ts';

export const claudeCommands: CommandTable = { connectClaudeCode };

/** Where the program of Claude Code is named for this machine. */
const programSetting = 'claudeCode.program';

/**
 * Looks for Claude Code the way a session would, without starting one, and says what is missing with a button for the next
 * step; until it is ready or the person has had enough.
 */
async function connectClaudeCode(ui: UiContext): Promise<InspectedHarness | undefined> {
  requireLink(ui);
  ui.requireTrust();
  for (;;) {
    const found = await inspectClaude(ui);
    if (found === undefined) return undefined;
    const { isReady, message, buttons } = claudeStep(found);
    await setFact(ui, 'claudeCodeReady', isReady);
    const { prompter } = ui;
    const titles = buttons.map(({ title }) => title);
    const answer = isReady ? await prompter.info(message, ...titles) : await prompter.warn(message, ...titles);
    const action = buttons.find(({ title }) => title === answer)?.action;
    if (action === undefined || !(await carryOut(ui, action))) return found;
  }
}

async function inspectClaude(ui: UiContext): Promise<InspectedHarness | undefined> {
  const { api } = requireLink(ui);
  const options = { location: vscode.ProgressLocation.Window, title: t('Ravel: looking for Claude Code') };
  const { harnesses } = await vscode.window.withProgress(options, () =>
    api.request('harnesses', { harness: 'claude-code' }),
  );
  return harnesses[0];
}

/** Whether it makes sense to look again right away. */
async function carryOut(ui: UiContext, action: ClaudeAction): Promise<boolean> {
  switch (action.kind) {
    case 'again':
      return true;
    case 'type':
      await vscode.commands.executeCommand('ravel.typeInTerminal', { text: action.text });
      return false;
    case 'page':
      await vscode.commands.executeCommand('ravel.openPage', action.address);
      return false;
    case 'key':
      await vscode.commands.executeCommand('ravel.setApiKey');
      return true;
    case 'settings':
      await vscode.window.showTextDocument(vscode.Uri.joinPath(vscode.Uri.file(requireLink(ui).vault), 'daemon.toml'));
      return false;
    case 'chooseFile':
      return chooseFile(ui);
  }
}

async function chooseFile(ui: UiContext): Promise<boolean> {
  const file = await ui.prompter.file({ title: t('The program file of Claude Code'), openLabel: t('Use This File') });
  if (file === undefined) return false;
  const settings = vscode.workspace.getConfiguration('ravel');
  await settings.update(programSetting, file.fsPath, vscode.ConfigurationTarget.Global);
  // The owner of the vault reads the setting when it opens the vault.
  await requireLink(ui).reopen();
  return true;
}
