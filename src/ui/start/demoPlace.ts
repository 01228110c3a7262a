import * as vscode from 'vscode';
import { isWithin } from '../../base/paths.ts';
import type { UiContext } from '../uiContext.ts';

/** Where demos have their projects and vaults. */
export function demosFolder({ context }: Pick<UiContext, 'context'>): string {
  return vscode.Uri.joinPath(context.globalStorageUri, 'demos').fsPath;
}

/** Whether the vault that this window shows is that of a demo: nothing in it is the person's own. */
export function isDemo(ui: Pick<UiContext, 'context' | 'link'>): boolean {
  const vault = ui.link.value?.vault;
  return vault !== undefined && isWithin(demosFolder(ui), vault);
}
