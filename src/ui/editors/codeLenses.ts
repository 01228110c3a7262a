import * as vscode from 'vscode';
import { type Disposable, disposeAll } from '../../base/disposable.ts';
import type { UiContext } from '../uiContext.ts';
import { lensesOf } from './lenses.ts';
import { toRange } from './ranges.ts';
import type { StateDocuments } from './stateDocuments.ts';

/** What can be done with an item, above it; `ravel.codeLens` switches it off. */
export function registerCodeLenses(documents: StateDocuments, { model }: UiContext): Disposable {
  const changes = new vscode.EventEmitter<void>();
  return disposeAll([
    changes,
    model.onDidChange(({ approvals }) => {
      if (approvals) changes.fire();
    }),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('ravel.codeLens')) changes.fire();
    }),
    vscode.languages.registerCodeLensProvider(documents.selector, {
      onDidChangeCodeLenses: changes.event,
      async provideCodeLenses(document) {
        if (!vscode.workspace.getConfiguration('ravel', document).get<boolean>('codeLens', true)) return [];
        const look = await documents.look(document);
        if (look === undefined) return [];
        const questions = model.approvals.filter(({ plan }) => plan === look.plan).length;
        return lensesOf(look, { questions }).map(({ range, title, tooltip, command, arguments: args }) => {
          return new vscode.CodeLens(toRange(range), { title, tooltip, command, arguments: [...args] });
        });
      },
    }),
  ]);
}
