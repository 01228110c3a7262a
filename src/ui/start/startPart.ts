import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { defined } from '../../base/defined.ts';
import { disposeAll } from '../../base/disposable.ts';
import { failure } from '../../model/codes.ts';
import { type CommandTable, registerCommands } from '../commands.ts';
import type { Part, UiContext } from '../uiContext.ts';
import { claudeCommands } from './claudeCommands.ts';
import { commandForTerminal } from './commandForTerminal.ts';
import { demoCommands } from './demoCommands.ts';
import { doctorPart } from './doctorCommands.ts';
import { goalCommands } from './goalCommands.ts';
import { planCreationCommands } from './planCreationCommands.ts';
import { projectCommands } from './projectCommands.ts';
import { showAtStart } from './showAtStart.ts';
import { followFacts } from './startFacts.ts';
import { StartPage } from './startPage.ts';
import { vaultCommands } from './vaultCommands.ts';

/** What the buttons of messages lead to; not for the palette, since each needs to be told something. */
const helperCommands: CommandTable = { openPage, typeInTerminal };

/** The first five minutes: from nothing to a vault, a project, a plan, a demo and Claude Code. */
export const startPart: Part = (ui) => {
  const commands = registerCommands(ui, {
    ...vaultCommands,
    ...projectCommands,
    ...planCreationCommands,
    ...goalCommands,
    ...demoCommands,
    ...claudeCommands,
    ...helperCommands,
  });
  const parts = [commands, doctorPart(ui), followFacts(ui), new StartPage(ui)];
  showAtStart(ui);
  return disposeAll(parts);
};

/** Puts a command into a terminal, and leaves it to the person to send it off. */
async function typeInTerminal(ui: UiContext, given: unknown): Promise<void> {
  ui.requireTrust();
  const { text, folder } = typed(given);
  const vault = ui.link.value?.vault;
  const start = await ui.machine.commandLine();
  const cwd = folder ?? vault;
  const terminal = vscode.window.createTerminal({ name: 'Ravel', ...defined({ cwd }) });
  terminal.show();
  terminal.sendText(commandForTerminal(text, start, vault), false);
}

function typed(given: unknown): { readonly text: string; readonly folder: string | undefined } {
  if (typeof given !== 'object' || given === null || !('text' in given) || typeof given.text !== 'string') {
    throw failure('base/internal', 'typeInTerminal', t('There is no text to type.'));
  }
  // A second line would be sent off by its end.
  const [text = ''] = given.text.split(/[\r\n]/);
  const folder = 'folder' in given && typeof given.folder === 'string' ? given.folder : undefined;
  return { text, folder };
}

/** Only pages that our own messages name, so that foreign text cannot become a link through this command. */
const pages: readonly string[] = ['https://git-scm.com/', 'https://docs.anthropic.com/'];

async function openPage(_ui: UiContext, given: unknown): Promise<void> {
  if (typeof given !== 'string' || !pages.some((page) => given.startsWith(page))) {
    throw failure('base/internal', 'openPage', t('This page does not belong to Ravel.'));
  }
  await vscode.env.openExternal(vscode.Uri.parse(given, true));
}
