import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { type Disposable, disposeAll } from '../../base/disposable.ts';
import { isUlid } from '../../model/id.ts';
import { type RoutingView, toRoutingView } from '../../model/webview.ts';
import { registerCommands } from '../commands.ts';
import { DraftStores, draftParts } from '../runner/draftStore.ts';
import { openTarget } from '../runner/openTarget.ts';
import { PagePanel } from '../runner/pagePanel.ts';
import { ShownTexts } from '../runner/shownTexts.ts';
import { whenLinked } from '../runner/whenLinked.ts';
import type { UiContext } from '../uiContext.ts';
import { requireLink, type VaultLink } from '../vaultLink.ts';

const viewType = 'ravel.routing';

/** The page of routing: one panel for the vault of the window, which comes back with it. */
export function registerRoutingPanel(ui: UiContext): Disposable {
  const texts = new ShownTexts('ravel-message');
  const drafts = new DraftStores('routing', draftParts(ui));
  let shown: PagePanel | undefined;
  const add = (link: VaultLink, panel: vscode.WebviewPanel, view: RoutingView) => {
    const page = new PagePanel(ui, {
      ...{ link, panel, view, name: t('Routing'), title: t('Routing'), icon: 'routing', script: 'routing.js' },
      open: (target) => openTarget(ui, texts, undefined, target),
      drafts,
    });
    shown = page;
    panel.onDidDispose(() => {
      page.dispose();
      if (shown === page) shown = undefined;
    });
  };
  return disposeAll([
    texts,
    drafts,
    registerCommands(ui, {
      async openRouting(_ui, argument) {
        const link = requireLink(ui);
        const view: RoutingView = {
          page: 'routing',
          ...(typeof argument === 'string' && isUlid(argument) && { suggestion: argument }),
        };
        if (shown !== undefined) shown.show(view);
        else {
          const options = { enableFindWidget: true };
          add(link, vscode.window.createWebviewPanel(viewType, '', vscode.ViewColumn.Active, options), view);
        }
      },
    }),
    ui.link.onDidChange(() => shown?.panel.dispose()),
    vscode.window.registerWebviewPanelSerializer(viewType, {
      async deserializeWebviewPanel(panel, state) {
        const view = toRoutingView(state);
        const link = view && (await whenLinked(ui));
        if (view === undefined || link === undefined || shown !== undefined) panel.dispose();
        else add(link, panel, view);
      },
    }),
  ]);
}
