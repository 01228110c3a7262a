import * as vscode from 'vscode';
import { type Disposable, disposeAll } from '../../base/disposable.ts';
import type { PageView } from '../../model/webview.ts';
import type { UiContext } from '../uiContext.ts';
import { requireLink, type VaultLink } from '../vaultLink.ts';
import { DraftStores, draftParts } from './draftStore.ts';
import { openTarget } from './openTarget.ts';
import { PagePanel } from './pagePanel.ts';
import { ShownTexts } from './shownTexts.ts';
import { whenLinked } from './whenLinked.ts';

/** A page of which a window has one. */
export interface SinglePageKind<View extends PageView> {
  /** Under which the editor brings it back, after `ravel.`; the name of its drafts and of its pictures, too. */
  readonly name: string;
  /** On its tab, and for who cannot see it. */
  readonly title: string;
  /** Its program, a file below `dist/webview/`. */
  readonly script: string;
  /** The scheme of the texts that it opens. */
  readonly texts: string;
  /** What it showed, as it was kept over a reload; undefined if it is nothing of the kind. */
  readonly toView: (state: unknown) => View | undefined;
}

/**
 * One panel for the vault of the window, which comes back with it: another view is shown in its place, as a preview does,
 * and what was typed for the first is still there when it is shown again.
 */
export class SinglePage<View extends PageView> implements Disposable {
  readonly #ui: UiContext;
  readonly #kind: SinglePageKind<View>;
  readonly #viewType: string;
  readonly #texts: ShownTexts;
  readonly #drafts: DraftStores;
  readonly #subscriptions: Disposable;
  #page: PagePanel | undefined;

  constructor(ui: UiContext, kind: SinglePageKind<View>) {
    this.#ui = ui;
    this.#kind = kind;
    this.#viewType = `ravel.${kind.name}`;
    this.#texts = new ShownTexts(kind.texts);
    this.#drafts = new DraftStores(kind.name, draftParts(ui));
    this.#subscriptions = disposeAll([
      this.#texts,
      this.#drafts,
      ui.link.onDidChange(() => this.#page?.panel.dispose()),
      vscode.window.registerWebviewPanelSerializer(this.#viewType, {
        deserializeWebviewPanel: async (panel, state) => {
          const view = kind.toView(state);
          const link = view && (await whenLinked(ui));
          if (view === undefined || link === undefined || this.#page !== undefined) panel.dispose();
          else this.#add(link, panel, view);
        },
      }),
    ]);
  }

  show(view: View): void {
    const link = requireLink(this.#ui);
    if (this.#page !== undefined) this.#page.show(view);
    else {
      const options = { enableFindWidget: true };
      this.#add(link, vscode.window.createWebviewPanel(this.#viewType, '', vscode.ViewColumn.Active, options), view);
    }
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  #add(link: VaultLink, panel: vscode.WebviewPanel, view: View): void {
    const { name, title, script } = this.#kind;
    const page = new PagePanel(this.#ui, {
      ...{ link, panel, view, name: title, title, icon: name, script },
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
