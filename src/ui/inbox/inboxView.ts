import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { type Disposable, disposeAll } from '../../base/disposable.ts';
import { counted } from '../../base/text.ts';
import { flatRows } from '../trees/flatRows.ts';
import { RowTree } from '../trees/rowTree.ts';
import type { UiContext } from '../uiContext.ts';
import { inboxEntries } from './inboxRows.ts';

/** The view of everything that needs a person; its badge is the number of rows. */
export class InboxView implements Disposable {
  readonly #ui: UiContext;
  readonly #tree: RowTree;
  readonly #view: vscode.TreeView<string>;
  readonly #subscriptions: Disposable;

  constructor(ui: UiContext) {
    this.#ui = ui;
    this.#tree = new RowTree(flatRows([]));
    this.#view = vscode.window.createTreeView('ravel.inbox', { treeDataProvider: this.#tree });
    this.#subscriptions = disposeAll([this.#tree, this.#view, ui.model.onDidChange(() => this.#draw())]);
    this.#draw();
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  #draw(): void {
    const entries = inboxEntries(this.#ui.model);
    this.#tree.show(
      flatRows(entries),
      entries.map(({ row }) => row.id),
    );
    const count = entries.length;
    if (this.#view.badge?.value === count || (count === 0 && this.#view.badge === undefined)) return;
    this.#view.badge =
      count === 0
        ? undefined
        : {
            value: count,
            tooltip: counted(count, t('{0} item needs your attention'), t('{0} items need your attention')),
          };
  }
}
