import { t } from '@vscode/l10n';
import { type Disposable, disposeAll } from '../base/disposable.ts';
import { placeText } from '../model/secretState.ts';
import { registerCommands } from './commands.ts';
import { EditorSecrets, secretNameProblem, secretStateText, secretValueProblem } from './editorSecrets.ts';
import { sanitizeLabel } from './sanitizeLabel.ts';
import type { UiContext } from './uiContext.ts';
import { requireLink } from './vaultLink.ts';

/** The commands about secrets, and the way of their values to the owner: over its socket, into its memory. */
export function registerSecrets(ui: UiContext): Disposable {
  const secrets = new EditorSecrets(ui.context.secrets);
  const give = () => void giveSecrets(ui, secrets).catch(ui.onError);
  let opening: Disposable | undefined;
  const follow = () => {
    opening?.dispose();
    opening = ui.link.value?.onDidOpen(give);
  };
  return disposeAll([
    registerCommands(ui, {
      setSecret: () => setSecret(ui, secrets),
      removeSecret: () => removeSecret(ui, secrets),
      showSecrets,
    }),
    secrets.onDidChange(give),
    ui.link.onDidChange(follow),
    { dispose: () => opening?.dispose() },
  ]);
}

/** A vault that is only looked at runs nothing that needs them, and one that is not open is given them when it opens. */
async function giveSecrets({ link }: UiContext, secrets: EditorSecrets): Promise<void> {
  const kind = link.value?.state.kind;
  if (kind !== 'owner' && kind !== 'client') return;
  const values = await secrets.all();
  await link.value?.api.request('give_secrets', { values });
}

async function setSecret(ui: UiContext, secrets: EditorSecrets): Promise<void> {
  ui.requireTrust();
  const { api } = requireLink(ui);
  const name = await ui.prompter.input({
    title: t('Set Secret'),
    prompt: t('The name of the secret, such as NPM_TOKEN.'),
    ignoreFocusOut: true,
    validateInput: secretNameProblem,
  });
  if (name === undefined) return;
  const value = await ui.prompter.input({
    title: t('Set Secret'),
    prompt: t('The value is kept in the secret storage of the editor. No session may pass it on.'),
    password: true,
    ignoreFocusOut: true,
    validateInput: secretValueProblem,
  });
  if (value === undefined) return;
  // Named first: a value that no configuration names would be kept and not looked for.
  await api.request('name_secret', { name, kept: true });
  await secrets.keep(name, value);
  await giveSecrets(ui, secrets);
  void ui.prompter.info(t`The secret ${name} is saved.`);
}

async function removeSecret(ui: UiContext, secrets: EditorSecrets): Promise<void> {
  ui.requireTrust();
  const { api } = requireLink(ui);
  const { secrets: rows } = await api.request('secrets', {});
  const named = rows.filter(({ place }) => place.kind === 'editor').map(({ name }) => name);
  const names = [...new Set([...named, ...Object.keys(await secrets.all())])];
  if (names.length === 0) return void ui.prompter.info(t('The editor keeps no secret.'));
  const choices = names.map((name) => ({ label: name, value: name }));
  const name = await ui.prompter.pick(choices, { title: t('Remove Secret') });
  if (name === undefined) return;
  if (named.includes(name)) await api.request('name_secret', { name, kept: false });
  await secrets.keep(name, undefined);
  await giveSecrets(ui, secrets);
  void ui.prompter.info(t`The secret ${name} is removed.`);
}

async function showSecrets(ui: UiContext): Promise<void> {
  ui.requireTrust();
  const { secrets } = await requireLink(ui).api.request('secrets', {});
  if (secrets.length === 0) return void ui.prompter.info(t('Your configuration names no secret.'));
  const choices = secrets.map((row) => ({
    ...{ label: row.name, value: row.name, description: sanitizeLabel(placeText(row.place), 200) },
    detail: sanitizeLabel(secretStateText(row), 400),
  }));
  await ui.prompter.pick(choices, { title: t('Secrets') });
}
