import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { type Disposable, disposeAll } from '../../base/disposable.ts';
import type { OpenTarget, StartWay } from '../../model/webview.ts';
import { registerCommands } from '../commands.ts';
import { PagePanel } from '../runner/pagePanel.ts';
import type { UiContext } from '../uiContext.ts';
import { setUpPage } from './claudeSteps.ts';
import { needRows } from './needRows.ts';

/** The first page: the ways to begin, and whether this machine has what they need. */
export class StartPage implements Disposable {
  readonly #ui: UiContext;
  readonly #command: Disposable;
  #page: PagePanel | undefined;

  constructor(ui: UiContext) {
    this.#ui = ui;
    this.#command = registerCommands(ui, {
      showStartPage: async () => this.show(),
    });
  }

  show(): void {
    if (this.#page !== undefined) {
      this.#page.panel.reveal();
      return;
    }
    const panel = vscode.window.createWebviewPanel('ravel.start', '', vscode.ViewColumn.Active, {});
    const page = new PagePanel(this.#ui, {
      ...{ panel, view: { page: 'start' }, name: t('Start'), title: t('Start'), icon: 'plan', script: 'start.js' },
      open: (target) => this.#open(page, target),
    });
    this.#page = page;
    panel.onDidDispose(() => {
      page.dispose();
      this.#page = undefined;
    });
    this.#look(page).catch(this.#ui.onError);
  }

  dispose(): void {
    disposeAll([this.#command, ...(this.#page === undefined ? [] : [this.#page.panel])]).dispose();
  }

  async #look(page: PagePanel): Promise<void> {
    page.update({ page: 'start' });
    page.update({ page: 'start', needs: needRows(await this.#ui.machine.startNeeds()) });
  }

  async #open(page: PagePanel, target: OpenTarget): Promise<void> {
    if (target.kind !== 'start') return;
    if (target.way === 'again') await this.#look(page);
    else if (target.way === 'goal') await planFromNothing(this.#ui);
    else await vscode.commands.executeCommand(...commands[target.way]);
  }
}

const commands: Readonly<Record<Exclude<StartWay, 'again' | 'goal'>, [string, ...string[]]>> = {
  demo: ['ravel.runDemo'],
  vault: ['ravel.createVault'],
  open: ['ravel.openVault'],
  steps: ['ravel.getStarted'],
  git: ['ravel.openPage', 'https://git-scm.com/downloads'],
  claude: ['ravel.openPage', setUpPage],
};

/** A goal is planned for a project of a vault: what is missing of both is made first, as far as the person wants it. */
async function planFromNothing({ link }: UiContext): Promise<void> {
  const { executeCommand } = vscode.commands;
  if (link.value === undefined && (await executeCommand('ravel.createVault')) === undefined) return;
  const { projects = [] } = (await link.value?.api.request('projects', {})) ?? {};
  if (projects.length === 0 && (await executeCommand('ravel.adoptProject')) === undefined) return;
  await executeCommand('ravel.planGoal');
}
