import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { RunnerView, WindowState } from '../../model/webview.ts';
import { tell } from '../commands.ts';
import { disposeAll } from '../disposables.ts';
import type { VaultLink } from '../vaultLink.ts';
import type { Workplace } from '../workplace.ts';
import { openTarget } from './openTarget.ts';
import { PageConnection } from './pageConnection.ts';
import { panelTitle } from './panelTitle.ts';
import { runnerHtml } from './runnerHtml.ts';
import type { ShownTexts } from './shownTexts.ts';

/** One panel: a page of a plan, and its connection while the vault of the window is that plan's. */
export class RunnerPanel implements Disposable {
  readonly panel: vscode.WebviewPanel;
  readonly #workplace: Workplace;
  readonly #connection: PageConnection;
  readonly #subscriptions: Disposable;

  constructor(
    workplace: Workplace,
    parts: { link: VaultLink; panel: vscode.WebviewPanel; view: RunnerView; texts: ShownTexts },
  ) {
    const { link, panel, view, texts } = parts;
    this.#workplace = workplace;
    this.panel = panel;
    this.#connection = new PageConnection(view, {
      ...{ api: link.api, clock: workplace.clock, log: workplace.log },
      send: (line) => panel.webview.postMessage(line),
      open: (target) => {
        openTarget(workplace, texts, view.plan, target).catch((error: unknown) => tell(workplace, error));
      },
      requireTrust: () => workplace.requireTrust(),
      windowState: () => windowStateOf(link),
      onLateFailure: (error) => tell(workplace, error),
    });
    const reopen = () => this.#connection.reopen();
    this.#subscriptions = disposeAll([
      panel.webview.onDidReceiveMessage((line) => this.#connection.take(line)),
      // A hidden page is gone, and what is sent to it is lost.
      panel.onDidChangeViewState(() => {
        if (!panel.visible) this.#connection.leave();
      }),
      link.onDidOpen(reopen),
      link.onDidChangeState(reopen),
      vscode.workspace.onDidGrantWorkspaceTrust(reopen),
      this.#connection,
    ]);
    this.#load(view);
  }

  show(view: RunnerView): void {
    this.#connection.show(view);
    this.panel.reveal(undefined, false);
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  #load({ plan }: RunnerView): void {
    const { webview } = this.panel;
    const folder = webviewFolder(this.#workplace);
    const address = (name: string) => webview.asWebviewUri(vscode.Uri.joinPath(folder, name)).toString();
    this.panel.title = panelTitle(plan);
    const picture = (name: string) => vscode.Uri.joinPath(this.#workplace.context.extensionUri, 'media', name);
    this.panel.iconPath = { light: picture('plan-light.svg'), dark: picture('plan-dark.svg') };
    webview.options = { enableScripts: true, enableForms: false, localResourceRoots: [folder] };
    webview.html = runnerHtml({
      cspSource: webview.cspSource,
      nonce: randomBytes(16).toString('base64'),
      script: address('phaseRunner.js'),
      style: address('page.css'),
    });
  }
}

/** All that a page may load lies here. */
function webviewFolder({ context }: Workplace): vscode.Uri {
  return vscode.Uri.joinPath(context.extensionUri, 'dist', 'webview');
}

function windowStateOf(link: VaultLink): WindowState {
  if (!vscode.workspace.isTrusted) {
    return {
      readOnly: 'Restricted Mode: you can read everything here, and nothing runs until you trust this workspace.',
    };
  }
  return link.state.kind === 'readOnly' ? { readOnly: 'This vault is open for reading only.' } : {};
}
