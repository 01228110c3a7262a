import { t } from '@vscode/l10n';
import type { Disposable } from '../base/disposable.ts';
import { apiKeyProblem } from './apiKey.ts';
import { registerCommands } from './commands.ts';
import type { UiContext } from './uiContext.ts';

/** The commands that keep and forget the key. */
export function registerApiKey(ui: UiContext): Disposable {
  return registerCommands(ui, { setApiKey, removeApiKey });
}

async function setApiKey({ apiKey, prompter, link }: UiContext): Promise<void> {
  const key = await prompter.input({
    title: t('Set API Key'),
    prompt: t(
      'Kept in the secret storage of the editor, for Claude Code sessions. If you have logged in to Claude Code, you do not need a key.',
    ),
    password: true,
    ignoreFocusOut: true,
    validateInput: apiKeyProblem,
  });
  if (key === undefined) return;
  await apiKey.keep(key.trim());
  const isElsewhere = link.value?.state.kind === 'client' && link.value.state.external;
  const elsewhere = isElsewhere
    ? t(' The daemon that runs the vault has its own environment and does not get the key.')
    : '';
  void prompter.info(t`The key is saved. New sessions use it.${elsewhere}`);
}

async function removeApiKey({ apiKey, prompter }: UiContext): Promise<void> {
  await apiKey.keep(undefined);
  void prompter.info(t('The key is removed. New sessions do not use it.'));
}
