import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { counted } from '../../base/text.ts';
import type { CommandTable } from '../commands.ts';
import { notify, statusMessageMs } from '../notify.ts';
import { refuseEmpty } from '../prompter.ts';
import { sanitizeLabel } from '../sanitizeLabel.ts';
import type { UiContext } from '../uiContext.ts';
import { requireLink } from '../vaultLink.ts';
import { folderChoices, kindChoices, type NewPlace, placeChoices, shippedChoices } from './addChoices.ts';
import { listEntries } from './chooseEntry.ts';
import { entryTitleMessage, expertIdMessage, scopeMessage, tagsIn, tagsMessage } from './newNames.ts';
import { openEntryNamed, selectedText } from './openEntry.ts';

/** Commands that add entries and experts. */
export const addCommands: CommandTable = { addEntry, addExpert };

/** Asks for a title, a place, a kind, tags and the statement; a selected text is the statement. */
async function addEntry(ui: UiContext, given: unknown): Promise<string | undefined> {
  ui.requireTrust();
  const { api } = requireLink(ui);
  const { prompter } = ui;
  const heading = t('Add Entry');
  const selected = selectedText();
  const title = await prompter.input({
    title: heading,
    prompt: t('What stays true, as a title that says it in a few words'),
    placeHolder: t('Retries need a limit'),
    ...(typeof given === 'string' && { value: given }),
    ignoreFocusOut: true,
    validateInput: entryTitleMessage,
  });
  if (title === undefined) return undefined;
  const about = t`Add “${sanitizeLabel(title, 80)}”`;
  const place = await askPlace(ui, about);
  if (place === undefined) return undefined;
  const kind = await prompter.pick(kindChoices(), { title: t`${about}: Of Which Kind?` });
  if (kind === undefined) return undefined;
  const tags = await prompter.input({
    ...{ title: about, ignoreFocusOut: true, validateInput: tagsMessage },
    ...{ prompt: t('Tags with commas between them (Enter for none)'), placeHolder: t('retry, network') },
  });
  if (tags === undefined) return undefined;
  const body =
    selected ??
    (await prompter.input({
      ...{ title: about, ignoreFocusOut: true, validateInput: refuseEmpty },
      prompt: t('The statement, in Markdown. The entry opens afterwards, and you can write on.'),
      placeHolder: t('Without one, a client keeps a server down.'),
    }));
  if (body === undefined) return undefined;
  const { did, entries } = await api.request('add_entry', {
    ...{ title: title.trim(), body, kind, tags: [...tagsIn(tags)], ...place },
  });
  vscode.window.setStatusBarMessage(sanitizeLabel(did), statusMessageMs);
  const [entry] = entries;
  if (entry !== undefined) await openEntryNamed(ui, entry);
  return entry;
}

/** A folder of the vault, or a project; one that is not there yet can be named. */
async function askPlace(ui: UiContext, about: string): Promise<NewPlace | undefined> {
  const { api } = requireLink(ui);
  const [{ entries }, { projects }] = await Promise.all([listEntries(api), api.request('projects', {})]);
  const names = projects.map(({ name }) => name);
  const place = await ui.prompter.pick(placeChoices(entries, names), {
    ...{ title: t`${about} Where?`, matchOnDescription: true, matchOnDetail: true },
  });
  if (place !== 'other') return place;
  const folder = await ui.prompter.input({
    ...{ title: about, ignoreFocusOut: true, validateInput: scopeMessage },
    prompt: t('The folder below knowledge/, which begins with an axis'),
    placeHolder: 'languages/zig',
  });
  return folder === undefined ? undefined : { folder: folder.trim() };
}

/** Offers the experts that come with Ravel, and to declare one of your own. */
async function addExpert(ui: UiContext): Promise<readonly string[] | undefined> {
  ui.requireTrust();
  const { api } = requireLink(ui);
  const { experts } = await api.request('shipped_experts', {});
  const chosen = await ui.prompter.pick(shippedChoices(experts), {
    title: t('Add Which Expert?'),
    matchOnDetail: true,
  });
  if (chosen === undefined) return undefined;
  if (chosen === 'own') return declareExpert(ui);
  const added = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Window, title: t('Adding experts and what they know') },
    () => api.request('add_experts', { experts: [...chosen] }),
  );
  const entries = added.files.length - added.experts.length;
  const message =
    added.experts.length === 0
      ? t('The vault had them already.')
      : t`Added ${added.experts.join(', ')} with ${counted(entries, t('{0} entry'), t('{0} entries'))} of knowledge.`;
  notify(ui, { tone: 'info', message, actions: [{ title: t('Ask Question…'), command: 'ravel.askQuestion' }] });
  const [problem] = added.diagnostics;
  if (problem !== undefined) await ui.prompter.warn(problem.message);
  return added.experts;
}

async function declareExpert(ui: UiContext): Promise<readonly string[] | undefined> {
  const { api } = requireLink(ui);
  const { prompter, model } = ui;
  const taken = model.experts.rows.map(({ actor }) => actor.replace(/^expert:/, ''));
  const expert = await prompter.input({
    ...{ title: t('Declare an Expert'), ignoreFocusOut: true, placeHolder: 'postgres' },
    prompt: t('Its id: lower-case letters, digits and hyphens'),
    validateInput: (text) => expertIdMessage(text, taken),
  });
  if (expert === undefined) return undefined;
  const title = t`Declare Expert ${sanitizeLabel(expert.trim(), 80)}`;
  const about = { title, ignoreFocusOut: true, validateInput: refuseEmpty };
  const description = await prompter.input({ ...about, prompt: t('What it knows, in one sentence') });
  if (description === undefined) return undefined;
  const { entries } = await listEntries(api);
  const folder = await prompter.pick(folderChoices(entries), {
    title: t`${title}: Which Entries Does It Answer From?`,
  });
  if (folder === undefined) return undefined;
  const scope =
    folder !== ''
      ? folder
      : await prompter.input({
          ...{ ...about, validateInput: scopeMessage, placeHolder: 'tools/postgres' },
          prompt: t('The folder below knowledge/ that it answers from'),
        });
  if (scope === undefined) return undefined;
  const persona = await prompter.input({
    ...{ ...about, placeHolder: t('You are precise, and you name the version that you speak of.') },
    prompt: t('Its persona: who it is and how it answers. Its file opens afterwards, and you can write on.'),
  });
  if (persona === undefined) return undefined;
  const params = { expert: expert.trim(), description, persona, scope: [scope.trim()], tags: [] };
  const { file, diagnostics } = await api.request('create_expert', params);
  await vscode.window.showTextDocument(vscode.Uri.file(file));
  const [problem] = diagnostics;
  if (problem !== undefined) await prompter.warn(problem.message);
  return [expert.trim()];
}
