import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { type Disposable, disposeAll } from '../../base/disposable.ts';
import type { ApprovalRow } from '../../model/requests/approvals.ts';
import type { UiContext } from '../uiContext.ts';
import { lensesOf } from './lenses.ts';
import { toRange } from './ranges.ts';
import type { StateDocuments } from './stateDocuments.ts';

/** What can be done with an item, above it; `ravel.codeLens` switches it off. */
export function registerCodeLenses(documents: StateDocuments, { model }: UiContext): Disposable {
  const changes = new vscode.EventEmitter<void>();
  let shown = countQuestions(model.approvals);
  return disposeAll([
    changes,
    model.onDidChange(({ approvals }) => {
      if (!approvals) return;
      const now = countQuestions(model.approvals);
      // The editor replaces all lenses then, and a click on one at that moment does nothing.
      if (isDeepStrictEqual(now, shown)) return;
      shown = now;
      changes.fire();
    }),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('ravel.codeLens')) changes.fire();
    }),
    vscode.languages.registerCodeLensProvider(documents.selector, {
      onDidChangeCodeLenses: changes.event,
      async provideCodeLenses(document) {
        if (!vscode.workspace.getConfiguration('ravel', document).get<boolean>('codeLens', true)) return [];
        const inspected = await documents.inspect(document);
        if (inspected === undefined) return [];
        const questions = inspected.plan === undefined ? 0 : (countQuestions(model.approvals).get(inspected.plan) ?? 0);
        return lensesOf(inspected, { questions }).map(({ range, title, tooltip, command, arguments: args }) => {
          return new vscode.CodeLens(toRange(range), { title, tooltip, command, arguments: [...args] });
        });
      },
    }),
  ]);
}

/** How many questions of each plan wait for a person. */
function countQuestions(approvals: readonly ApprovalRow[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { plan } of approvals) if (plan !== undefined) counts.set(plan, (counts.get(plan) ?? 0) + 1);
  return counts;
}
