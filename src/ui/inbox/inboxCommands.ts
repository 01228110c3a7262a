import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CommandTable } from '../commands.ts';
import { plainChoice } from '../sanitizeLabel.ts';
import { planName } from '../trees/planRows.ts';
import type { UiContext } from '../uiContext.ts';
import { requireLink } from '../vaultLink.ts';
import { type ApprovalPages, deadLetterOf } from './approvalPages.ts';

/** Commands about messages that could not be delivered, and about actors that take none. */
export function inboxCommands(pages: ApprovalPages): CommandTable {
  return {
    async openDeadLetter(ui, argument) {
      const letter = await chooseDeadLetter(ui, argument, t('Open Dead Letter'));
      if (letter !== undefined) await pages.showDeadLetter(letter);
      return letter;
    },
    async redeliverDeadLetter(ui, argument) {
      ui.requireTrust();
      const letter = await chooseDeadLetter(ui, argument, t('Redeliver Dead Letter'));
      return letter === undefined ? undefined : requireLink(ui).api.request('redeliver', { message: letter });
    },
    async discardDeadLetter(ui, argument) {
      ui.requireTrust();
      const letter = await chooseDeadLetter(ui, argument, t('Discard Dead Letter'));
      if (letter === undefined) return undefined;
      const really = await ui.prompter.confirm(
        t('Discard this message?'),
        t('It is then gone, and the sender is not told.'),
        t('Discard'),
      );
      return really ? requireLink(ui).api.request('discard', { message: letter }) : undefined;
    },
    async reviveActor(ui, argument) {
      ui.requireTrust();
      const actor = await chooseMute(ui, argument);
      return actor === undefined ? undefined : requireLink(ui).api.request('revive', { actor });
    },
    async openFault({ link }, file, line) {
      requireLink({ link });
      if (typeof file !== 'string') return undefined;
      const at = new vscode.Position(typeof line === 'number' ? Math.max(0, line - 1) : 0, 0);
      await vscode.window.showTextDocument(vscode.Uri.file(file), {
        preview: true,
        selection: new vscode.Range(at, at),
      });
      return file;
    },
    async openVaultSettings({ link, prompter }, line) {
      const file = vscode.Uri.joinPath(vscode.Uri.file(requireLink({ link }).vault), 'daemon.toml');
      const isThere = await vscode.workspace.fs.stat(file).then(
        () => true,
        () => false,
      );
      const selection = typeof line === 'number' ? { selection: new vscode.Range(line, 0, line, 0) } : undefined;
      if (isThere) await vscode.commands.executeCommand('vscode.open', file, selection);
      else await prompter.info(t`All settings have their defaults. To change one, add it to ${file.fsPath}.`);
    },
  };
}

async function chooseDeadLetter(
  { link, model, prompter }: UiContext,
  argument: unknown,
  title: string,
): Promise<string | undefined> {
  if (typeof argument === 'string') return argument.replace(/^dead-letter:/, '');
  const shown = argument instanceof vscode.Uri ? argument : vscode.window.activeTextEditor?.document.uri;
  const letter = shown === undefined ? undefined : deadLetterOf(shown);
  if (letter !== undefined) return letter;
  requireLink({ link });
  if (model.deadLetters.length === 0) {
    await prompter.info(t('All messages were delivered.'));
    return undefined;
  }
  const choices = model.deadLetters.map((row) => ({
    label: plainChoice(t`${row.type} to ${planName(row.actor)}`),
    detail: plainChoice(row.reason),
    value: row.message,
  }));
  return prompter.pick(choices, { title });
}

async function chooseMute({ link, prompter }: UiContext, argument: unknown): Promise<string | undefined> {
  if (typeof argument === 'string') return argument.replace(/^mute:/, '');
  const { api } = requireLink({ link });
  const { actors } = await api.request('actors', {});
  const mute = actors.filter(({ state }) => state === 'faulted');
  if (mute.length === 0) {
    await prompter.info(t('All plans and experts accept messages.'));
    return undefined;
  }
  const choices = mute.map(({ actor, fault }) => ({
    label: plainChoice(actor),
    detail: plainChoice(fault?.message ?? ''),
    value: actor,
  }));
  return prompter.pick(choices, { title: t('Revive') });
}
