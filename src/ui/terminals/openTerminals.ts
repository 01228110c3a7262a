import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { type Disposable, disposeAll } from '../../base/disposable.ts';
import type { TerminalInfo } from '../../model/terminal.ts';
import { showFailure } from '../commands.ts';
import type { UiContext } from '../uiContext.ts';
import type { VaultLink } from '../vaultLink.ts';
import { RavelTerminal } from './ravelTerminal.ts';
import { terminalName } from './terminalText.ts';

/** Ids of the terminals that were open in this window. */
const rememberedKey = 'ravel.terminals';

/**
 * The terminals of this window. A window that is loaded again shows those that it had, as far as they live: what they
 * print meanwhile is kept where they run.
 */
export class OpenTerminals implements Disposable {
  readonly #ui: UiContext;
  readonly #open = new Map<vscode.Terminal, RavelTerminal>();
  readonly #subscriptions: Disposable;
  #vault: Disposable | undefined;
  #isRestored = false;

  constructor(ui: UiContext) {
    this.#ui = ui;
    this.#subscriptions = disposeAll([
      ui.link.onDidChange((link) => this.#follow(link)),
      vscode.window.onDidCloseTerminal((terminal) => {
        this.#onClosed(terminal).catch((error: unknown) => showFailure(ui, error));
      }),
    ]);
    this.#follow(ui.link.value);
  }

  /** The terminal that the editor shows, if it is one of ours. */
  of(terminal: vscode.Terminal | undefined): RavelTerminal | undefined {
    return terminal === undefined ? undefined : this.#open.get(terminal);
  }

  /** Shows a terminal; one that this window has already is brought to the front. */
  show(info: TerminalInfo, options: { readonly keepsFocus?: boolean } = {}): vscode.Terminal {
    const known = [...this.#open].find(
      ([, one]) => one.info.terminal === info.terminal && (one.state === 'attached' || one.state === 'waiting'),
    );
    const terminal = known?.[0] ?? this.#create(info);
    terminal.show(options.keepsFocus ?? false);
    return terminal;
  }

  dispose(): void {
    this.#vault?.dispose();
    this.#subscriptions.dispose();
  }

  #create(info: TerminalInfo): vscode.Terminal {
    const { connectTerminal, clock, onError } = this.#ui;
    const pty = new RavelTerminal({ info, connect: connectTerminal, clock, onError });
    const terminal = vscode.window.createTerminal({
      name: terminalName(info),
      pty,
      iconPath: new vscode.ThemeIcon(info.kind === 'work' ? 'sparkle' : 'terminal'),
      ...(info.kind === 'work' && { color: new vscode.ThemeColor('terminal.ansiMagenta') }),
      // The editor cannot bring it back by itself; we do.
      isTransient: true,
    });
    this.#open.set(terminal, pty);
    this.#remember();
    return terminal;
  }

  #follow(link: VaultLink | undefined): void {
    this.#vault?.dispose();
    this.#isRestored = false;
    if (link === undefined) return;
    this.#vault = disposeAll([
      link.api.onEvent((event) => {
        for (const one of this.#open.values()) one.hear(event);
      }),
      link.onDidOpen(() => void this.#restore(link)),
    ]);
  }

  async #restore(link: VaultLink): Promise<void> {
    if (this.#isRestored || link.state.kind === 'readOnly') return;
    this.#isRestored = true;
    const { context, log } = this.#ui;
    const remembered = context.workspaceState.get<readonly string[]>(rememberedKey) ?? [];
    if (remembered.length === 0) return;
    try {
      const { terminals } = await link.api.request('terminals', {});
      for (const info of terminals) {
        if (remembered.includes(info.terminal)) this.show(info, { keepsFocus: true });
      }
      this.#remember();
    } catch (error) {
      log.warn(`The terminals of this window could not be found again: ${String(error)}`);
    }
  }

  async #onClosed(terminal: vscode.Terminal): Promise<void> {
    const closed = this.#open.get(terminal);
    if (closed === undefined) return;
    this.#open.delete(terminal);
    const reason = terminal.exitStatus?.reason;
    // A window that is closed, or loaded again, leaves its programs running.
    if (reason === vscode.TerminalExitReason.Shutdown) return;
    this.#remember();
    const isOurs = reason === vscode.TerminalExitReason.User;
    if (isOurs && closed.wasRunning) await this.#askAbout(closed.info);
  }

  /** The editor closes such a terminal without asking, so it is asked afterwards: nothing is lost by then. */
  async #askAbout(info: TerminalInfo): Promise<void> {
    const api = this.#ui.link.value?.api;
    if (api === undefined) return;
    if (info.kind === 'shell') {
      await api.request('close_terminal', { terminal: info.terminal });
      return;
    }
    const message = t`The work session of ${terminalName(info).slice('Work: '.length)} continues without its terminal.`;
    const answer = await this.#ui.prompter.warn(message, t('Reopen'), t('End Session'), t('Keep Running'));
    if (answer === t('Reopen')) this.show(info);
    if (answer === t('End Session')) await api.request('close_terminal', { terminal: info.terminal });
  }

  #remember(): void {
    const ids = [...this.#open.values()].map(({ info }) => info.terminal);
    const { context, onError } = this.#ui;
    context.workspaceState.update(rememberedKey, ids).then(undefined, onError);
  }
}
