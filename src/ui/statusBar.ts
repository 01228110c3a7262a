import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { Disposable } from '../base/disposable.ts';
import { registerCommands } from './commands.ts';
import { ContextKeys } from './contextKeys.ts';
import { disposeAll } from './disposables.ts';
import { inboxEntries } from './inbox/inboxRows.ts';
import type { Choice } from './prompter.ts';
import { isRehearsal } from './start/rehearsalPlace.ts';
import { type StatusModel, statusText } from './statusText.ts';
import type { Workplace } from './workplace.ts';

/** The one item of the status bar, and what the editor's menus ask about the vault. */
export function registerStatusBar(workplace: Workplace): Disposable {
  const { link, model } = workplace;
  const item = vscode.window.createStatusBarItem('ravel.status', vscode.StatusBarAlignment.Left, 10);
  item.name = 'Ravel';
  item.command = 'ravel.showStatus';
  const keys = new ContextKeys(workplace);
  const show = () => {
    showItem(item, statusModel(workplace));
    keys.tell({ 'ravel.hasVault': link.value !== undefined, 'ravel.state': link.value?.state.kind ?? 'none' });
  };
  const tellTrust = () => keys.tell({ 'ravel.trusted': vscode.workspace.isTrusted });
  tellTrust();
  show();
  return disposeAll([
    item,
    registerCommands(workplace, { showStatus }),
    link.onDidChange(show),
    model.onDidChange(show),
    vscode.workspace.onDidGrantWorkspaceTrust(tellTrust),
  ]);
}

function statusModel(workplace: Workplace): StatusModel {
  const { link, model } = workplace;
  const vault = link.value;
  const [today] = model.spending?.days.slice(-1) ?? [];
  let running = 0;
  for (const { row } of model.forest.nodes.values()) if (row?.running !== undefined) running++;
  return {
    ...(vault !== undefined && { vault: { name: basename(vault.vault), path: vault.vault, state: vault.state } }),
    running,
    needsYou: inboxEntries(model).length,
    isRehearsal: isRehearsal(workplace),
    ...(today !== undefined && { cost: today }),
  };
}

function showItem(item: vscode.StatusBarItem, model: StatusModel): void {
  const shown = statusText(model);
  if (shown === undefined) {
    item.hide();
    return;
  }
  item.text = shown.text;
  item.tooltip = new vscode.MarkdownString(shown.tooltip);
  item.accessibilityInformation = { label: shown.spoken, role: 'button' };
  item.backgroundColor = background(shown.look);
  item.show();
}

function background(look: 'usual' | 'blocked' | 'failed'): vscode.ThemeColor | undefined {
  if (look === 'usual') return undefined;
  return new vscode.ThemeColor(
    look === 'blocked' ? 'statusBarItem.warningBackground' : 'statusBarItem.errorBackground',
  );
}

interface StatusAction {
  readonly label: string;
  readonly description?: string;
  readonly command: string;
}

/** What a click offers: first what is the matter, then where to look. */
async function showStatus(workplace: Workplace): Promise<void> {
  const { link, model, prompter } = workplace;
  const state = link.value?.state.kind;
  const needsYou = inboxEntries(model).length;
  const actions: StatusAction[] = [
    ...(needsYou > 0
      ? [{ label: '$(bell-dot) Show the Inbox', description: `${needsYou} for you`, command: 'ravel.inbox.focus' }]
      : []),
    ...(state === 'failed'
      ? [
          { label: '$(debug-restart) Connect Again', command: 'ravel.connectAgain' },
          { label: '$(server-process) Start a Daemon in a Terminal', command: 'ravel.startDaemon' },
        ]
      : []),
    ...(state === 'readOnly' ? [{ label: '$(shield) Manage Workspace Trust', command: 'workbench.trust.manage' }] : []),
    ...(isRehearsal(workplace) ? [{ label: '$(sign-out) Leave the Demo', command: 'ravel.leaveRehearsal' }] : []),
    { label: '$(list-tree) Show Plans', command: 'ravel.plans.focus' },
    { label: '$(pulse) Show Sessions', command: 'ravel.sessions.focus' },
    ...(link.value === undefined ? [] : [{ label: '$(type-hierarchy) Open Routing', command: 'ravel.openRouting' }]),
    { label: '$(arrow-swap) Switch Vault…', command: 'ravel.switchVault' },
    ...(link.value === undefined ? [] : [{ label: '$(close) Close Vault', command: 'ravel.closeVault' }]),
    { label: '$(checklist) Run Doctor', command: 'ravel.runDoctor' },
    { label: '$(output) Show Log', command: 'ravel.showLog' },
  ];
  const choices: Choice<string>[] = actions.map(({ command, ...choice }) => ({ ...choice, value: command }));
  const command = await prompter.pick(choices, {
    title: 'Ravel',
    placeHolder: link.value?.vault ?? 'No vault is open',
  });
  if (command !== undefined) await vscode.commands.executeCommand(command);
}
