import * as vscode from 'vscode';
import type { UiContext } from '../uiContext.ts';
import { requireLink } from '../vaultLink.ts';

/** What is selected in the editor that has the focus; undefined without a selection. */
export function selectedText(): string | undefined {
  const editor = vscode.window.activeTextEditor;
  const text = editor?.document.getText(editor.selection) ?? '';
  return text.trim() === '' ? undefined : text;
}

/** Opens an entry by its path in the vault or another name of it, and counts that a person did. */
export async function openEntryNamed(ui: UiContext, entry: string): Promise<string> {
  const { row } = await requireLink(ui).api.request('entry', { entry });
  return openEntryFile(ui, row.file, row.entry);
}

/** The same if its file is known; without a name nothing is counted. */
export async function openEntryFile(ui: UiContext, file: string, entry: unknown): Promise<string> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(file));
  await vscode.window.showTextDocument(document, { preview: true });
  // An entry that a person opens is used; only the owner counts that, and reading does not depend on it.
  if (typeof entry === 'string') ui.link.value?.api.request('record_use', { entry }).catch(ui.onError);
  return file;
}
