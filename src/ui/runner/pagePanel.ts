import { randomBytes } from 'node:crypto';
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { type Disposable, disposeAll } from '../../base/disposable.ts';
import { failure } from '../../model/codes.ts';
import type { Api } from '../../model/protocol.ts';
import type { OpenTarget, PageView, WindowState } from '../../model/webview.ts';
import { showFailure } from '../commands.ts';
import type { UiContext } from '../uiContext.ts';
import type { VaultLink } from '../vaultLink.ts';
import type { DraftStores } from './draftStore.ts';
import { type KeptDrafts, PageConnection } from './pageConnection.ts';
import { pageHtml } from './pageHtml.ts';

/** What a panel is made of. */
export interface PanelParts {
  /** Absent for the page of a window that may have no vault. */
  readonly link?: VaultLink;
  readonly panel: vscode.WebviewPanel;
  readonly view: PageView;
  /** What the page is, for who cannot see it. */
  readonly name: string;
  /** On its tab: what it is about, and the pictures `<icon>-light.svg` and `<icon>-dark.svg` of `media/`. */
  readonly title: string;
  readonly icon: string;
  /** Its program, a file below `dist/webview/`. */
  readonly script: string;
  readonly open: (target: OpenTarget) => Promise<unknown>;
  /** Of its kind of pages; absent for one without fields. */
  readonly drafts?: DraftStores;
}

/** One panel: a page, and its connection while the window shows that vault. */
export class PagePanel implements Disposable {
  readonly panel: vscode.WebviewPanel;
  readonly #connection: PageConnection;
  readonly #subscriptions: Disposable;

  constructor(ui: UiContext, parts: PanelParts) {
    const { link, panel, view, open, drafts } = parts;
    this.panel = panel;
    this.#connection = new PageConnection(view, {
      ...{ api: link?.api ?? noApi, clock: ui.clock, log: ui.log },
      send: (line) => panel.webview.postMessage(line),
      open: (target) => {
        open(target).catch((error: unknown) => showFailure(ui, error));
      },
      requireTrust: () => ui.requireTrust(),
      windowState: () => windowStateOf(link),
      drafts: link === undefined || drafts === undefined ? noDrafts : drafts.of(link.vault),
      onLateFailure: (error) => showFailure(ui, error),
    });
    const page = { isVisible: () => panel.visible, view: () => this.#connection.view };
    const reopen = () => this.#connection.reopen();
    this.#subscriptions = disposeAll([
      panel.webview.onDidReceiveMessage((line) => this.#connection.take(line)),
      // A hidden page is gone, and what is sent to it is lost.
      panel.onDidChangeViewState(() => {
        if (!panel.visible) this.#connection.leave();
      }),
      ...(link === undefined ? [] : [link.onDidOpen(reopen), link.onDidChangeState(reopen)]),
      vscode.workspace.onDidGrantWorkspaceTrust(reopen),
      this.#connection,
      ui.shownPages.add(page),
    ]);
    load(ui, parts);
  }

  /** The same page with other contents, wherever it is. */
  update(view: PageView): void {
    this.#connection.show(view);
  }

  show(view: PageView): void {
    this.update(view);
    this.panel.reveal(undefined, false);
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }
}

const noApi: Api = {
  onEvent: () => ({ dispose: () => undefined }),
  async request(name) {
    throw failure('ui/noVault', name, t('No vault is open in this window.'));
  },
};

const noDrafts: KeptDrafts = { all: {}, set: () => undefined };

function load({ context }: UiContext, { panel, name, title, icon, script }: PanelParts): void {
  const { webview } = panel;
  // All that a page may load lies here.
  const folder = vscode.Uri.joinPath(context.extensionUri, 'dist', 'webview');
  const address = (file: string) => webview.asWebviewUri(vscode.Uri.joinPath(folder, file)).toString();
  const picture = (shade: string) => vscode.Uri.joinPath(context.extensionUri, 'media', `${icon}-${shade}.svg`);
  panel.title = title;
  panel.iconPath = { light: picture('light'), dark: picture('dark') };
  webview.options = { enableScripts: true, enableForms: false, localResourceRoots: [folder] };
  webview.html = pageHtml({
    title: name,
    cspSource: webview.cspSource,
    nonce: randomBytes(16).toString('base64'),
    script: address(script),
    style: address('page.css'),
    language: vscode.env.language,
    texts: vscode.l10n.bundle,
  });
}

function windowStateOf(link: VaultLink | undefined): WindowState {
  if (!vscode.workspace.isTrusted) {
    return {
      readOnly: t('Restricted Mode: you can read everything here, but nothing runs until you trust this workspace.'),
    };
  }
  return link?.state.kind === 'readOnly' ? { readOnly: t('This vault is open read-only.') } : {};
}
