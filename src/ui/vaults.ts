import { basename, join } from 'node:path';
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { defined } from '../base/defined.ts';
import { type Disposable, disposeAll } from '../base/disposable.ts';
import { SerialQueue } from '../base/semaphore.ts';
import { failure } from '../model/codes.ts';
import type { Choice } from './choice.ts';
import { registerCommands } from './commands.ts';
import { onVaultEvent } from './linkEvents.ts';
import { notify } from './notify.ts';
import { settingsOverVault } from './settings.ts';
import { settingsNotice } from './settingsNotice.ts';
import { pathOf } from './start/arguments.ts';
import { showVault } from './start/openVault.ts';
import type { UiContext } from './uiContext.ts';
import { chooseVault, type VaultChoice, vaultPath, withRecent } from './vaultChoice.ts';
import { requireLink } from './vaultLink.ts';

/** What the editor keeps for this part; another version of it starts again. */
const chosenKey = 'ravel.vault.1';
const recentKey = 'ravel.recentVaults.1';

/**
 * Which vault this window shows: chooses when the extension starts, when folders come and go, and when the setting
 * changes; and lets the person choose. Reads nothing before the editor has time for it.
 */
export function registerVaults(ui: UiContext): Disposable {
  const { link, onError } = ui;
  const choosing = new SerialQueue();
  const choose = () => {
    choosing.run(() => showChosen(ui)).catch(onError);
  };
  const forgetAndChoose = () => {
    choosing.run(async () => ui.context.workspaceState.update(chosenKey, undefined)).catch(onError);
    choose();
  };
  // The window is painted first.
  const start = ui.clock.schedule(0, choose);
  return disposeAll([
    start,
    registerCommands(ui, {
      openVault,
      switchVault,
      closeVault: async ({ open }) => open(undefined),
      connectAgain: async () => link.value?.connect(),
      restartOwner,
      startDaemon,
    }),
    followSettings(ui),
    vscode.workspace.onDidChangeWorkspaceFolders(choose),
    vscode.workspace.onDidGrantWorkspaceTrust(() => {
      link.value?.reopen().catch(onError);
    }),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('ravel.vault')) forgetAndChoose();
      if (change.affectsConfiguration('ravel.daemon')) link.value?.reopen().catch(onError);
      if (Object.keys(settingsOverVault).some((name) => change.affectsConfiguration(`ravel.${name}`))) {
        takeSettings(ui).catch(onError);
      }
    }),
  ]);
}

/** Says when an edited `daemon.toml` does not hold. */
function followSettings(ui: UiContext): Disposable {
  return onVaultEvent(ui, (event) => {
    const notice = settingsNotice(event);
    if (notice !== undefined) notify(ui, notice);
  });
}

/** Keeps what the person chose, for this workspace and for their list of vaults. */
export async function rememberVault({ context }: Pick<UiContext, 'context'>, vault: string | undefined): Promise<void> {
  await context.workspaceState.update(chosenKey, vault ?? null);
  if (vault === undefined) return;
  await context.globalState.update(recentKey, withRecent(recentVaults({ context }), vault));
}

async function showChosen(ui: UiContext): Promise<void> {
  const choice = await choose(ui);
  const now = ui.link.value?.vault;
  switch (choice.kind) {
    case 'open':
      if (choice.vault !== now) await ui.show(choice.vault);
      return;
    case 'none':
      if (now !== undefined) await ui.show(undefined);
      return;
    case 'ask':
      // Not answered at once: a window that starts takes no keys away.
      if (now === undefined || !choice.vaults.includes(now)) askLater(ui, choice.vaults);
  }
}

async function choose({ context, machine }: UiContext): Promise<VaultChoice> {
  const folders = folderPaths();
  const chosen = context.workspaceState.get<string | null>(chosenKey);
  if (chosen === null || (chosen !== undefined && (await isVault(chosen))))
    return chooseVault({ chosen, folders: [], ofProjects: [] });
  const setting = vaultPath(vscode.workspace.getConfiguration('ravel').get<string>('vault') ?? '', {
    home: machine.home,
    folder: folders[0],
  });
  const vaults = await keep(folders, isVault);
  const isAsked = setting === undefined && vaults.length === 0 && folders.length > 0;
  const ofProjects = isAsked ? await machine.vaultsOf(folders, recentVaults({ context })) : [];
  return chooseVault({ ...defined({ setting }), folders: vaults, ofProjects });
}

function askLater(ui: UiContext, vaults: readonly string[]): void {
  const message = t`${vaults.length} vaults belong to this workspace. A window shows one at a time.`;
  notify(ui, { tone: 'info', message, actions: [{ title: t('Choose Vault…'), command: 'ravel.switchVault' }] });
}

/** An owner reads its settings when it opens the vault. Sessions go on over that, but a person may want to wait. */
async function takeSettings({ link, model, prompter }: UiContext): Promise<void> {
  const open = link.value;
  if (open === undefined || open.state.kind !== 'owner') return;
  const isRunning = [...model.outline.nodes.values()].some(({ row }) => row?.running !== undefined);
  const button = t('Reopen Now');
  const message = t('A session is running, so the changed settings apply when the vault is opened again.');
  if (!isRunning || (await prompter.info(message, button)) === button) await open.reopen();
}

async function openVault(ui: UiContext, given: unknown): Promise<void> {
  const folder = pathOf(given) ?? (await askFolder(ui))?.fsPath;
  if (folder === undefined) return;
  if (!(await isVault(folder))) {
    throw failure('vault/none', folder, t`${folder} has no ravel.toml, so it is not a vault.`, {
      help: t('Choose the folder that contains ravel.toml, or run “Ravel: Create Vault…” to create one.'),
    });
  }
  await showVault(ui, folder);
}

function askFolder({ prompter }: UiContext): Promise<vscode.Uri | undefined> {
  return prompter.folder({ title: t('Open the folder that contains ravel.toml'), openLabel: t('Open Vault') });
}

/** Lets the vault be owned again, which takes all of its settings. Sessions go on meanwhile. */
async function restartOwner(ui: UiContext): Promise<void> {
  ui.requireTrust();
  const open = requireLink(ui);
  const { state } = open;
  if (state.kind === 'client' && state.external) {
    const message = t`A daemon, process ${state.pid}, runs this vault. End it in its terminal and start it again.`;
    notify(ui, { tone: 'info', message, actions: [] });
  } else if (state.kind === 'client') {
    // The window or program that owned it lets go, and this window takes it.
    await open.api.request('shutdown', {});
  } else {
    await open.reopen();
  }
}

/** Offers what is known of; the last choice is any other folder. */
async function switchVault(ui: UiContext): Promise<void> {
  const { context, link, machine, prompter } = ui;
  const folders = folderPaths();
  const now = link.value?.vault;
  const here = await keep(folders, isVault);
  const ofProjects = await machine.vaultsOf(folders, recentVaults({ context }));
  const known = [...new Set([...here, ...ofProjects, ...(await keep(recentVaults({ context }), isVault))])];
  const choices: Choice<string | null>[] = known.map((vault) => ({
    label: basename(vault),
    description: vault === now ? t('shown in this window') : '',
    detail: vault,
    value: vault,
  }));
  choices.push({ label: t('$(folder-opened) Open another folder…'), value: null });
  const answer = await prompter.pick(choices, {
    title: t('Switch Vault'),
    placeHolder: t('The vault to show in this window'),
  });
  if (answer === undefined) return;
  if (answer === null) await openVault(ui, undefined);
  else await ui.open(answer);
}

/** In a terminal, so that the person sees it and ends it: nothing of ours runs on unseen. */
async function startDaemon(ui: UiContext): Promise<void> {
  ui.requireTrust();
  const vault = ui.link.value?.vault;
  if (vault === undefined)
    throw failure('ui/noVault', 'window', t('This window has no vault open that a daemon could run.'));
  const { program, args, environment } = await ui.machine.commandLine();
  const terminal = vscode.window.createTerminal({
    name: t('Ravel Daemon'),
    iconPath: new vscode.ThemeIcon('server-process'),
    shellPath: program,
    shellArgs: [...args, '--vault', vault, 'daemon'],
    ...defined({ env: environment }),
    isTransient: true,
  });
  terminal.show();
}

function folderPaths(): string[] {
  return (vscode.workspace.workspaceFolders ?? [])
    .filter(({ uri }) => uri.scheme === 'file')
    .map(({ uri }) => uri.fsPath);
}

function recentVaults({ context }: Pick<UiContext, 'context'>): readonly string[] {
  return context.globalState.get<readonly string[]>(recentKey) ?? [];
}

async function keep(paths: readonly string[], test: (path: string) => Promise<boolean>): Promise<string[]> {
  const kept = await Promise.all(paths.map(test));
  return paths.filter((_, index) => kept[index]);
}

function isVault(path: string): Promise<boolean> {
  const found = vscode.workspace.fs.stat(vscode.Uri.file(join(path, 'ravel.toml'))).then(
    () => true,
    () => false,
  );
  return Promise.resolve(found);
}
