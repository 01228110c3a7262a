import { basename } from 'node:path';
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { defined } from '../base/defined.ts';
import { type Disposable, disposeAll } from '../base/disposable.ts';
import type { Choice } from './choice.ts';
import { registerCommands } from './commands.ts';
import { ContextKeys } from './contextKeys.ts';
import { toRange } from './editors/ranges.ts';
import { inboxEntries } from './inbox/inboxRows.ts';
import { isDemo } from './start/demoPlace.ts';
import { type StatusModel, statusText } from './statusText.ts';
import type { UiContext } from './uiContext.ts';

/** The one item of the status bar, and what the editor's menus ask about the vault. */
export function registerStatusBar(ui: UiContext): Disposable {
  const { link, model } = ui;
  const item = vscode.window.createStatusBarItem('ravel.status', vscode.StatusBarAlignment.Left, 10);
  item.name = 'Ravel';
  item.command = 'ravel.showStatus';
  const keys = new ContextKeys(ui);
  const show = () => {
    showItem(item, statusModel(ui));
    keys.set({ 'ravel.hasVault': link.value !== undefined, 'ravel.state': link.value?.state.kind ?? 'none' });
  };
  const setTrusted = () => keys.set({ 'ravel.trusted': vscode.workspace.isTrusted });
  setTrusted();
  show();
  return disposeAll([
    item,
    registerCommands(ui, { showStatus }),
    link.onDidChange(show),
    model.onDidChange(show),
    vscode.workspace.onDidGrantWorkspaceTrust(setTrusted),
  ]);
}

function statusModel(ui: UiContext): StatusModel {
  const { link, model } = ui;
  const vault = link.value;
  const [today] = model.spending?.days.slice(-1) ?? [];
  let running = 0;
  for (const { row } of model.outline.nodes.values()) if (row?.running !== undefined) running++;
  return {
    ...(vault !== undefined && { vault: { name: basename(vault.vault), path: vault.vault, state: vault.state } }),
    running,
    needsYou: inboxEntries(model).length,
    isDemo: isDemo(ui),
    ...defined({ cost: today, policyFault: policyFaultOf(ui) }),
  };
}

/** The first fault, with its place and what to do. */
function policyFaultOf({ model }: UiContext): string | undefined {
  const [fault] = model.policyFaults;
  if (fault === undefined) return undefined;
  const { file = fault.subject, range, message, help } = fault;
  return [`${file}${range === undefined ? '' : `:${range.start.line + 1}`}: ${message}`, help].join(' ');
}

/** Opens the file of the first policy that cannot be used, at its fault. */
async function openBrokenPolicy({ model }: UiContext): Promise<void> {
  const [fault] = model.policyFaults;
  if (fault?.file === undefined) return;
  const selection = fault.range && toRange(fault.range);
  await vscode.window.showTextDocument(vscode.Uri.file(fault.file), { ...defined({ selection }) });
}

function showItem(item: vscode.StatusBarItem, model: StatusModel): void {
  const shown = statusText(model);
  if (shown === undefined) {
    item.hide();
    return;
  }
  item.text = shown.text;
  item.tooltip = new vscode.MarkdownString(shown.tooltip);
  item.accessibilityInformation = { label: shown.ariaLabel, role: 'button' };
  item.backgroundColor = background(shown.severity);
  item.show();
}

function background(severity: 'usual' | 'blocked' | 'failed'): vscode.ThemeColor | undefined {
  if (severity === 'usual') return undefined;
  return new vscode.ThemeColor(
    severity === 'blocked' ? 'statusBarItem.warningBackground' : 'statusBarItem.errorBackground',
  );
}

/** What stands for `openBrokenPolicy` among the commands, which is offered nowhere else. */
const openPolicy = 'policy';

interface StatusAction {
  readonly label: string;
  readonly description?: string;
  readonly command: string;
}

/** What a click offers: first what is the matter, then where to look. */
async function showStatus(ui: UiContext): Promise<void> {
  const { link, model, prompter } = ui;
  const state = link.value?.state.kind;
  const needsYou = inboxEntries(model).length;
  const broken = model.policyFaults.length;
  const actions: StatusAction[] = [
    ...(broken > 0 ? [{ label: t('$(error) Open the Broken Policy'), command: openPolicy }] : []),
    ...(needsYou > 0
      ? [{ label: t('$(bell-dot) Show the Inbox'), description: t`${needsYou} for you`, command: 'ravel.inbox.focus' }]
      : []),
    ...(state === 'failed'
      ? [
          { label: t('$(debug-restart) Connect Again'), command: 'ravel.connectAgain' },
          { label: t('$(server-process) Start a Daemon in a Terminal'), command: 'ravel.startDaemon' },
        ]
      : []),
    ...(state === 'readOnly'
      ? [{ label: t('$(shield) Manage Workspace Trust'), command: 'workbench.trust.manage' }]
      : []),
    ...(isDemo(ui) ? [{ label: t('$(sign-out) Leave the Demo'), command: 'ravel.leaveDemo' }] : []),
    { label: t('$(list-tree) Show Plans'), command: 'ravel.plans.focus' },
    { label: t('$(pulse) Show Sessions'), command: 'ravel.sessions.focus' },
    ...(link.value === undefined ? [] : [{ label: t('$(type-hierarchy) Open Routing'), command: 'ravel.openRouting' }]),
    { label: t('$(arrow-swap) Switch Vault…'), command: 'ravel.switchVault' },
    ...(link.value === undefined ? [] : [{ label: t('$(close) Close Vault'), command: 'ravel.closeVault' }]),
    { label: t('$(checklist) Run Doctor'), command: 'ravel.runDoctor' },
    { label: t('$(output) Show Log'), command: 'ravel.showLog' },
  ];
  const choices: Choice<string>[] = actions.map(({ command, ...choice }) => ({ ...choice, value: command }));
  const command = await prompter.pick(choices, {
    title: 'Ravel',
    placeHolder: link.value?.vault ?? t('No vault is open'),
  });
  if (command === openPolicy) await openBrokenPolicy(ui);
  else if (command !== undefined) await vscode.commands.executeCommand(command);
}
