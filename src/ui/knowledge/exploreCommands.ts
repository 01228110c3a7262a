import { basename } from 'node:path';
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { defined } from '../../base/defined.ts';
import { entryTextMax, type HorizonReport } from '../../model/requests/knowledge.ts';
import { cancellable } from '../cancellation.ts';
import type { CommandTable } from '../commands.ts';
import { plainChoice, sanitizeLabel } from '../sanitizeLabel.ts';
import type { UiContext } from '../uiContext.ts';
import { requireLink } from '../vaultLink.ts';
import { entryAskedAbout, listEntries } from './chooseEntry.ts';
import { exploreChoices, keptChoices, linkChoices } from './exploreText.ts';
import { showKnowledgePage } from './knowledgePages.ts';
import { openEntryNamed, selectedText } from './openEntry.ts';

/** Commands that show where the knowledge could grow and how it hangs together, and that find ideas in a text. */
export const exploreCommands: CommandTable = { exploreKnowledge, showEntryLinks, findIdeas };

async function exploreKnowledge(ui: UiContext): Promise<string | undefined> {
  const { entries } = await listEntries(requireLink(ui).api);
  const choices = exploreChoices(entries);
  const [only] = choices.length === 1 ? choices : [];
  const chosen = only?.value ?? (await ui.prompter.pick(choices, { title: t('Explore Which Knowledge?') }));
  if (chosen === undefined) return undefined;
  await showKnowledgePage('explore', encodeURIComponent(chosen), t('Where the knowledge could grow'));
  return chosen;
}

/** Where the links of an entry lead, and which entries link to it; the one that a person picks opens. */
async function showEntryLinks(ui: UiContext, argument: unknown, named: unknown): Promise<string | undefined> {
  const page = await entryAskedAbout(ui, argument, named, { title: t('Show Links of Which Entry?') });
  if (page === undefined) return undefined;
  const title = t`Links of “${sanitizeLabel(page.row.title, 80)}”`;
  const choices = linkChoices(page);
  if (choices.length === 0) {
    await ui.prompter.info(t('This entry links to no other, and none links to it.'));
    return undefined;
  }
  const chosen = await ui.prompter.pick(choices, { title, matchOnDescription: true, matchOnDetail: true });
  if (chosen !== undefined) await openEntryNamed(ui, chosen);
  return chosen;
}

/** Hands in the selected text, the open document or a file; what is kept is staged, and listed with what is not. */
async function findIdeas(ui: UiContext): Promise<HorizonReport | undefined> {
  ui.requireTrust();
  const { api } = requireLink(ui);
  const given = await askText(ui);
  if (given === undefined) return undefined;
  const expert = await askReader(ui);
  if (expert === undefined) return undefined;
  const report = await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: t`Looking for ideas in ${sanitizeLabel(given.source, 80)}`,
      cancellable: true,
    },
    (_progress, token) =>
      cancellable(token, (signal) =>
        api.request('read_horizon', { ...given, ...defined({ expert: expert || undefined }) }, signal),
      ),
  );
  const { kept, unread } = report;
  const [problem] = unread;
  if (problem !== undefined) await ui.prompter.warn(problem);
  const count = t`${kept.length} Kept, ${report.refused.length} Refused`;
  const chosen = await ui.prompter.pick(keptChoices(report), { title: t`Ideas: ${count}`, matchOnDetail: true });
  if (chosen !== undefined && chosen !== '') await openEntryNamed(ui, chosen);
  return report;
}

async function askText({
  prompter,
}: UiContext): Promise<{ readonly text: string; readonly source: string } | undefined> {
  const { document: opened } = vscode.window.activeTextEditor ?? {};
  const selected = selectedText();
  const name = plainChoice(opened === undefined ? '' : basename(opened.fileName));
  const choices = [
    ...(selected === undefined ? [] : [{ label: t('The selected text'), detail: name, value: 'selected' }]),
    ...(opened === undefined ? [] : [{ label: t('The open document'), detail: name, value: 'open' }]),
    { label: 'A file…', value: 'file' },
  ];
  const which = await prompter.pick(choices, {
    ...{
      title: t('Find Ideas in Which Text?'),
      placeHolder: t('Sessions read it as material of others, at their cost'),
    },
  });
  if (which === undefined) return undefined;
  const uri = which === 'file' ? await prompter.file({ title: t('Find Ideas in Which File?') }) : opened?.uri;
  if (uri === undefined) return undefined;
  const document = which === 'file' ? await vscode.workspace.openTextDocument(uri) : opened;
  const text = (which === 'selected' ? selected : document?.getText()) ?? '';
  const isEmpty = text.trim() === '';
  if (!isEmpty && Buffer.byteLength(text) <= entryTextMax) return { text, source: basename(uri.fsPath) };
  await prompter.info(
    isEmpty ? t('The text is empty.') : t('The text has more than 1 MB. Hand in its parts one by one.'),
  );
  return undefined;
}

/** The id of an expert whose persona reads; empty for none. */
async function askReader({ model, prompter }: UiContext): Promise<string | undefined> {
  const experts = model.experts.rows.map(({ actor, declaration }) => ({
    label: plainChoice(actor),
    detail: plainChoice(declaration.description),
    value: actor.replace(/^expert:/, ''),
  }));
  if (experts.length === 0) return '';
  const none = { label: t('No expert'), detail: t('A session without a persona'), value: '' };
  return prompter.pick([none, ...experts], { title: t('Read by Which Expert?'), matchOnDetail: true });
}
