import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { type Disposable, disposeAll } from '../../base/disposable.ts';
import type { Ulid } from '../../model/id.ts';
import { type QuestionView, toQuestionView } from '../../model/webview.ts';
import { DraftStores, draftParts } from '../runner/draftStore.ts';
import { openTarget } from '../runner/openTarget.ts';
import { PagePanel } from '../runner/pagePanel.ts';
import { ShownTexts } from '../runner/shownTexts.ts';
import { whenLinked } from '../runner/whenLinked.ts';
import type { UiContext } from '../uiContext.ts';
import { requireLink, type VaultLink } from '../vaultLink.ts';

const viewType = 'ravel.question';

/**
 * One page for the questions of the window's vault: opening another one shows that in its place, as a preview does, and what
 * was typed for the first is still there when it is opened again.
 */
export class QuestionPanel implements Disposable {
  readonly #ui: UiContext;
  readonly #texts = new ShownTexts('ravel-question');
  readonly #drafts: DraftStores;
  readonly #subscriptions: Disposable;
  #page: PagePanel | undefined;

  constructor(ui: UiContext) {
    this.#ui = ui;
    this.#drafts = new DraftStores('question', draftParts(ui));
    this.#subscriptions = disposeAll([
      this.#texts,
      this.#drafts,
      ui.link.onDidChange(() => this.#page?.panel.dispose()),
      vscode.window.registerWebviewPanelSerializer(viewType, {
        deserializeWebviewPanel: async (panel, state) => {
          const view = toQuestionView(state);
          const link = view && (await whenLinked(ui));
          if (view === undefined || link === undefined || this.#page !== undefined) panel.dispose();
          else this.#add(link, panel, view);
        },
      }),
    ]);
  }

  show(approval: Ulid): void {
    const link = requireLink(this.#ui);
    const view: QuestionView = { page: 'question', approval };
    if (this.#page !== undefined) this.#page.show(view);
    else {
      const options = { enableFindWidget: true };
      this.#add(link, vscode.window.createWebviewPanel(viewType, '', vscode.ViewColumn.Active, options), view);
    }
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  #add(link: VaultLink, panel: vscode.WebviewPanel, view: QuestionView): void {
    const page = new PagePanel(this.#ui, {
      ...{ link, panel, view, name: t('Question'), title: t('Question'), icon: 'question', script: 'question.js' },
      open: (target) => openTarget(this.#ui, this.#texts, undefined, target),
      drafts: this.#drafts,
    });
    this.#page = page;
    panel.onDidDispose(() => {
      page.dispose();
      if (this.#page === page) this.#page = undefined;
    });
  }
}
