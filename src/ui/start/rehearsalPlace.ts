import * as vscode from 'vscode';
import { isWithin } from '../../base/paths.ts';
import type { Workplace } from '../workplace.ts';

/** Where rehearsals have their projects and vaults. */
export function rehearsalsFolder({ context }: Pick<Workplace, 'context'>): string {
  return vscode.Uri.joinPath(context.globalStorageUri, 'rehearsals').fsPath;
}

/** Whether the vault that this window shows is that of a rehearsal: nothing in it is the person's own. */
export function isRehearsal(workplace: Pick<Workplace, 'context' | 'link'>): boolean {
  const vault = workplace.link.value?.vault;
  return vault !== undefined && isWithin(rehearsalsFolder(workplace), vault);
}
