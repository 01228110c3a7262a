import * as vscode from 'vscode';
import type { UiContext } from '../uiContext.ts';

const shownKey = 'ravel.shownAtStart';

/**
 * Shows the Ravel view and the walkthrough in a folder whose settings ask for it (`ravel.showAtStart`), as the vault of
 * `npm start` does: once, since a person who closed them does not want them again.
 */
export function showAtStart({ context, onError }: Pick<UiContext, 'context' | 'onError'>): void {
  const isWanted = vscode.workspace.getConfiguration('ravel').get('showAtStart') === true;
  if (isWanted && context.workspaceState.get(shownKey) !== true) show(context).catch(onError);
}

async function show({ workspaceState }: vscode.ExtensionContext): Promise<void> {
  await vscode.commands.executeCommand('workbench.view.extension.ravel');
  await vscode.commands.executeCommand('ravel.getStarted');
  await workspaceState.update(shownKey, true);
}
