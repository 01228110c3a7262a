import * as vscode from 'vscode';
import { type Disposable, disposeAll } from '../../base/disposable.ts';
import type { ReceiptRow } from '../../model/requests/receipts.ts';
import { onVaultEvent } from '../linkEvents.ts';
import type { UiContext } from '../uiContext.ts';
import { expertNodes } from './expertRows.ts';
import { groupedRows } from './groupedRows.ts';
import { RowTree } from './rowTree.ts';
import { VisibleReading } from './visibleReading.ts';

/** Answers that the view reads, the newest first. */
const receiptsMax = 500;

/** The experts that the vault declares, with their latest answers, which are read only while the view is visible. */
export class ExpertsView implements Disposable {
  readonly #ui: UiContext;
  readonly #tree = new RowTree(groupedRows([]));
  readonly #view: vscode.TreeView<string>;
  readonly #subscriptions: Disposable;
  readonly #reading: VisibleReading;
  #receipts: readonly ReceiptRow[] = [];

  constructor(ui: UiContext) {
    this.#ui = ui;
    this.#view = vscode.window.createTreeView('ravel.experts', { treeDataProvider: this.#tree });
    this.#reading = new VisibleReading(this.#view, () => this.#read(), ui.onError);
    this.#subscriptions = disposeAll([
      this.#reading,
      this.#tree,
      this.#view,
      onVaultEvent(ui, (event) => {
        if (event.type === 'query.answered' && event.by.startsWith('expert:')) this.#reading.touch();
      }),
      ui.model.onDidChange(({ plans, experts, questions }) => {
        if (experts || questions) this.#show();
        if (plans === 'all' || experts) this.#reading.touch();
      }),
    ]);
    this.#show();
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  async #read(): Promise<void> {
    const { model } = this.#ui;
    const { link } = model;
    const isReady = link !== undefined && model.stage === 'ready';
    const receipts = isReady ? (await link.api.request('receipts', { limit: receiptsMax })).receipts : [];
    if (model.link !== link) return;
    this.#receipts = receipts;
    this.#show();
  }

  #show(): void {
    const { experts, questions } = this.#ui.model;
    const rows = groupedRows(expertNodes(experts, this.#receipts, questions));
    this.#tree.show(rows, rows.keys);
  }
}
