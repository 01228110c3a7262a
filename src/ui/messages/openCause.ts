import * as vscode from 'vscode';
import type { CauseNode } from '../../model/requests/causality.ts';
import type { UiContext } from '../uiContext.ts';
import { requireLink } from '../vaultLink.ts';
import { showAnswer, showCauses } from './causePages.ts';

/** Opens what a line of a trace names: in its file, in the page of its plan, or as a trace of its own. */
export async function openCause(ui: UiContext, node: CauseNode, session: CauseNode | undefined): Promise<unknown> {
  const { executeCommand } = vscode.commands;
  const { kind, id, plan } = node;
  const vault = vscode.Uri.file(requireLink(ui).vault);
  switch (kind) {
    case 'task':
      return plan === undefined ? undefined : openRecord(ui, plan, id);
    case 'session':
      return plan === undefined
        ? showCauses(`session:${id}`, undefined)
        : executeCommand('ravel.openSession', id, plan);
    case 'rule':
      return openRecordAt(vscode.Uri.joinPath(vault, 'routing.yaml'), id);
    case 'suggestion': {
      const decided = vscode.Uri.joinPath(vault, 'decisions', `${id}.yaml`);
      return (await isThere(decided)) ? openRecordAt(decided, undefined) : executeCommand('ravel.openApproval', id);
    }
    case 'commit':
      if (session?.plan === undefined) return showCauses(`commit:${id}`, undefined);
      return executeCommand('ravel.openSession', session.id, session.plan, 'changes');
    case 'answer':
      return showAnswer(id);
    case 'message':
    case 'decision':
      return showCauses(`message:${id}`, undefined);
    case 'person':
      return undefined;
  }
}

/** Opens the backlog of a plan at a record. */
export async function openRecord(ui: UiContext, plan: string, id: string): Promise<void> {
  const { directory } = await requireLink(ui).api.request('status', { plan });
  await openRecordAt(vscode.Uri.joinPath(vscode.Uri.file(directory), 'backlog.yaml'), id);
}

/** Shows a file of records at the one of this id; at its beginning if there is none. */
export async function openRecordAt(uri: vscode.Uri, id: string | undefined): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  const lines = document.getText().split('\n');
  const wanted = new Set([`id: ${id}`, `id: "${id}"`, `id: '${id}'`]);
  const line = id === undefined ? -1 : lines.findIndex((text) => wanted.has(text.replace(/^[\s-]+/, '').trim()));
  const at = new vscode.Position(Math.max(0, line), 0);
  await vscode.window.showTextDocument(document, { preview: true, selection: new vscode.Range(at, at) });
}

async function isThere(uri: vscode.Uri): Promise<boolean> {
  return vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
}
