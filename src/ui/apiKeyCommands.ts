import type { Disposable } from '../base/disposable.ts';
import { apiKeyProblem } from './apiKey.ts';
import { registerCommands } from './commands.ts';
import type { Workplace } from './workplace.ts';

/** The commands that keep and forget the key. */
export function registerApiKey(workplace: Workplace): Disposable {
  return registerCommands(workplace, { setApiKey, removeApiKey });
}

async function setApiKey({ apiKey, prompter, link }: Workplace): Promise<void> {
  const key = await prompter.input({
    title: 'Set API Key',
    prompt:
      'Kept in the secret storage of the editor, for sessions of Claude Code. Who has logged in to Claude Code needs none.',
    password: true,
    ignoreFocusOut: true,
    validateInput: apiKeyProblem,
  });
  if (key === undefined) return;
  await apiKey.keep(key.trim());
  const isElsewhere = link.value?.state.kind === 'client' && link.value.state.external;
  const elsewhere = isElsewhere
    ? ' The daemon that runs the vault has an environment of its own, and does not get it.'
    : '';
  void prompter.info(`The key is kept. Sessions that start from now on use it.${elsewhere}`);
}

async function removeApiKey({ apiKey, prompter }: Workplace): Promise<void> {
  await apiKey.keep(undefined);
  void prompter.info('The key is forgotten. Sessions that start from now on do without it.');
}
