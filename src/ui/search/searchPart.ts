import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { disposeAll } from '../../base/disposable.ts';
import type { RequestResults } from '../../model/protocol.ts';
import type { SearchHit } from '../../model/requests/search.ts';
import { registerCommands } from '../commands.ts';
import type { LiveChoices } from '../livePick.ts';
import { openRecordAt } from '../messages/openCause.ts';
import { ShownTexts } from '../runner/shownTexts.ts';
import type { Part, UiContext } from '../uiContext.ts';
import { requireLink } from '../vaultLink.ts';
import { explanationText, foundChoice, foundMessage } from './foundChoices.ts';

/** Results in the list, which a person narrows by typing. */
const shownMax = 50;

/** Finding what the vault knows, while a person types. */
export const searchPart: Part = (ui) => {
  const texts = new ShownTexts('ravel-found');
  return disposeAll([texts, registerCommands(ui, { searchVault: (_workplace) => searchVault(ui, texts) })]);
};

async function searchVault(ui: UiContext, texts: ShownTexts): Promise<unknown> {
  const { api } = requireLink(ui);
  const picked = await ui.prompter.pickLive<SearchHit>({
    title: t('Search Vault'),
    placeholder: t('Words, names from the code, paths, or a question'),
    button: t('Explain the Score of the Selected Entry'),
    async find(query, show, signal) {
      if (query.trim() === '') return show({ choices: [], message: '' });
      const order = { query, typing: true, explain: true, limit: shownMax };
      const found = await api.request('search', order, signal);
      show(choicesOf(found));
      if (found.isUpdating) show(choicesOf(await api.request('search', { ...order, fresh: true }, signal)));
    },
  });
  if (picked === undefined) return undefined;
  const { value: hit, text, isButton } = picked;
  if (!isButton) return openRecordAt(vscode.Uri.file(hit.file), hit.id);
  const page = texts.keep('Search.txt', explanationText(text, hit));
  return vscode.window.showTextDocument(await vscode.workspace.openTextDocument(page), { preview: true });
}

function choicesOf(found: RequestResults['search']): LiveChoices<SearchHit> {
  return { choices: found.hits.map(foundChoice), message: foundMessage(found) };
}
