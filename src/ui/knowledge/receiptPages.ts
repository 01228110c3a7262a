import * as vscode from 'vscode';
import { type Disposable, disposeAll } from '../../base/disposable.ts';
import { isRavelError } from '../../base/errors.ts';
import { onVaultEvent } from '../linkEvents.ts';
import type { UiContext } from '../uiContext.ts';
import { requireLink } from '../vaultLink.ts';
import { type ReceiptDocument, receiptDocument } from './receiptText.ts';

const scheme = 'ravel-receipt';

/** Receipts of answers as documents that are read and not written; each entry leads to its file. */
export function registerReceiptPages(ui: UiContext): Disposable {
  const shown = new Map<string, ReceiptDocument>();
  const changes = new vscode.EventEmitter<vscode.Uri>();
  return disposeAll([
    changes,
    onVaultEvent(ui, ({ type }) => {
      // An open page says what has changed since.
      if (type === 'knowledge.changed') for (const uri of shown.keys()) changes.fire(vscode.Uri.parse(uri));
    }),
    vscode.workspace.registerTextDocumentContentProvider(scheme, {
      onDidChange: changes.event,
      async provideTextDocumentContent(uri) {
        const { api } = requireLink(ui);
        const id = uri.path.split('/')[1] ?? '';
        try {
          const { receipt } = await api.request('receipt', { id });
          const page = receiptDocument(receipt, await api.request('compare_receipt', { id }));
          shown.set(uri.toString(), page);
          return page.text;
        } catch (error) {
          if (!isRavelError(error)) throw error;
          return `# This receipt cannot be shown\n\n${error.diagnostic.message}\n`;
        }
      },
    }),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => shown.delete(uri.toString())),
    vscode.languages.registerDocumentLinkProvider(
      { scheme },
      {
        provideDocumentLinks({ uri }) {
          const vault = ui.link.value?.vault;
          if (vault === undefined) return [];
          return (shown.get(uri.toString())?.links ?? []).map(({ line, start, end, path }) => {
            const file = vscode.Uri.joinPath(vscode.Uri.file(vault), ...path.split('/'));
            const link = new vscode.DocumentLink(new vscode.Range(line, start, line, end), file);
            link.tooltip = 'Open the entry';
            return link;
          });
        },
      },
    ),
  ]);
}

/** The address of the page of a receipt. It names what is shown, so that a window that comes back asks for it again. */
export async function showReceipt(id: string): Promise<void> {
  const uri = vscode.Uri.from({ scheme, path: `/${id}/Receipt.md` });
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(document, { preview: true });
}
