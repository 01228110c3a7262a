import { basename, join } from 'node:path';
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CommandTable } from '../commands.ts';
import { notify } from '../notify.ts';
import type { UiContext } from '../uiContext.ts';
import { pathOf } from './arguments.ts';
import { vaultNameProblem } from './names.ts';
import { showVault } from './openVault.ts';
import { nextStep } from './startFacts.ts';

const walkthrough = 'ravel.ravel#start';

export const vaultCommands: CommandTable = {
  async getStarted(ui) {
    // Named, since the editor keeps the step of a walkthrough that is still open, done or not.
    const step = nextStep(ui);
    const shown = step === undefined ? walkthrough : { category: walkthrough, step };
    return vscode.commands.executeCommand('workbench.action.openWalkthrough', shown, false);
  },
  createVault,
};

/** Asks where, makes the vault there and shows it. A folder that is empty becomes the vault itself. */
async function createVault(ui: UiContext, given: unknown): Promise<string | undefined> {
  ui.requireTrust();
  const { machine } = ui;
  const parent = pathOf(given) ?? (await askFolder(ui))?.fsPath;
  if (parent === undefined) return undefined;
  const root = (await isEmpty(parent)) ? parent : await askName(ui, parent);
  if (root === undefined) return undefined;
  await machine.makeVault(root, basename(root));
  await showVault(ui, root);
  const message = t`The vault "${basename(root)}" is ready. Adopt a project next.`;
  notify(ui, { tone: 'info', message, actions: [{ title: t('Adopt a Project…'), command: 'ravel.adoptProject' }] });
  return root;
}

function askFolder({ prompter }: UiContext): Promise<vscode.Uri | undefined> {
  const [open] = vscode.workspace.workspaceFolders ?? [];
  return prompter.folder({
    title: t('Choose an empty folder for the vault, or the folder to create it in'),
    openLabel: t('Create Vault Here'),
    ...(open !== undefined && { defaultUri: vscode.Uri.joinPath(open.uri, '..') }),
  });
}

async function askName({ prompter }: UiContext, parent: string): Promise<string | undefined> {
  const name = await prompter.input({
    title: t('Create Vault'),
    prompt: t`Name of the new folder in ${parent}`,
    value: 'vault',
    validateInput: vaultNameProblem,
    ignoreFocusOut: true,
  });
  return name === undefined ? undefined : join(parent, name.trim());
}

/** A folder that cannot be looked into is none: what is wrong with it is told when the vault is made. */
async function isEmpty(folder: string): Promise<boolean> {
  const entries = await vscode.workspace.fs.readDirectory(vscode.Uri.file(folder)).then(
    (found) => found,
    () => undefined,
  );
  return entries !== undefined && entries.length === 0;
}
