import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { type Disposable, disposeAll } from '../../base/disposable.ts';
import type { ApprovalRow } from '../../model/requests/approvals.ts';
import { entryNameOf } from '../knowledge/entryId.ts';
import { onVaultEvent } from '../linkEvents.ts';
import type { UiContext } from '../uiContext.ts';
import { lensesOf } from './lenses.ts';
import { toRange } from './ranges.ts';
import type { StateDocuments } from './stateDocuments.ts';

/** What can be done with an item, above it; `ravel.codeLens` switches it off. */
export function registerCodeLenses(documents: StateDocuments, ui: UiContext): Disposable {
  const { model } = ui;
  const changes = new vscode.EventEmitter<void>();
  let shown = countQuestions(model.approvals);
  const answers = new AnswerCounts(ui);
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
    onVaultEvent(ui, (event) => {
      if (event.type !== 'query.answered' || !event.by.startsWith('expert:')) return;
      answers.changed().then((isChanged) => isChanged && changes.fire(), ui.onError);
    }),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => answers.forget(uri)),
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
        const { vault } = ui.link.value ?? {};
        const isEntry = inspected.kind === 'entry' && vault !== undefined;
        const entry = isEntry ? entryNameOf(document.getText(), document.uri.fsPath, vault) : undefined;
        const facts = {
          questions,
          answers: entry === undefined ? 0 : await answers.of(document.uri, entry),
          backlinks: inspected.backlinks?.length ?? 0,
        };
        return lensesOf(inspected, facts).map(({ range, title, tooltip, command, arguments: args }) => {
          const given = entry === undefined ? [...args] : [undefined, entry];
          return new vscode.CodeLens(toRange(range), { title, tooltip, command, arguments: given });
        });
      },
    }),
  ]);
}

/** How many answers rest on the entries that are open. */
class AnswerCounts {
  readonly #ui: Pick<UiContext, 'link'>;
  readonly #known = new Map<string, { readonly entry: string; readonly count: number }>();

  constructor(ui: Pick<UiContext, 'link'>) {
    this.#ui = ui;
  }

  async of(uri: vscode.Uri, entry: string): Promise<number> {
    const count = await this.#ask(entry);
    this.#known.set(uri.toString(), { entry, count });
    return count;
  }

  /** Whether one of them has another count now. */
  async changed(): Promise<boolean> {
    const counts = await Promise.all(
      [...this.#known.values()].map(async ({ entry, count }) => [await this.#ask(entry), count]),
    );
    return counts.some(([now, before]) => now !== before);
  }

  forget(uri: vscode.Uri): void {
    this.#known.delete(uri.toString());
  }

  async #ask(entry: string): Promise<number> {
    const { api } = this.#ui.link.value ?? {};
    if (api === undefined) return 0;
    return (await api.request('receipts', { entry, limit: 1 })).total;
  }
}

/** How many questions of each plan wait for a person. */
function countQuestions(approvals: readonly ApprovalRow[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { plan } of approvals) if (plan !== undefined) counts.set(plan, (counts.get(plan) ?? 0) + 1);
  return counts;
}
