import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { defined } from '../../base/defined.ts';
import { isRavelError } from '../../base/errors.ts';
import type { EntryStatus } from '../../model/entry.ts';
import type { Api } from '../../model/protocol.ts';
import { type EntryPage, type EntryRow, entriesMax } from '../../model/requests/knowledge.ts';
import type { UiContext } from '../uiContext.ts';
import { requireLink } from '../vaultLink.ts';
import { entryChoices } from './entryChoices.ts';
import { entryNameOf } from './entryId.ts';
import { entryOfRow } from './knowledgeRows.ts';

/** Entries that a list to choose from, or a view, has; a search finds the others of a larger vault. */
const readEntriesMax = 5 * entriesMax;

export interface EntryQuestion {
  readonly title: string;
  /** Without it all but archived ones come into question. */
  readonly statuses?: readonly EntryStatus[];
  /** Entries that cannot be meant, by their paths in the vault. */
  readonly without?: readonly string[];
}

/**
 * The entry that a command is about: the one whose row it was called on, the one that is named, the one that is open in
 * the editor, else the one that a person picks. Undefined if they picked none.
 */
export async function entryAskedAbout(
  ui: UiContext,
  argument: unknown,
  named: unknown,
  question: EntryQuestion,
): Promise<EntryPage | undefined> {
  const { api } = requireLink(ui);
  const given = typeof named === 'string' ? named : entryOfRow(argument);
  if (given !== undefined) return api.request('entry', { entry: given });
  const opened = await entryOfEditor(ui);
  if (opened !== undefined && fits(opened.row, question)) return opened;
  const picked = await pickEntry(ui, question);
  return picked === undefined ? undefined : api.request('entry', { entry: picked.entry });
}

/** An entry that a person picks from all that come into question; says so if there is none. */
export async function pickEntry(
  ui: Pick<UiContext, 'link' | 'prompter'>,
  { title, statuses, without }: EntryQuestion,
): Promise<EntryRow | undefined> {
  const { entries, total } = await listEntries(requireLink(ui).api, statuses);
  const choices = entryChoices(entries, without);
  if (choices.length === 0) {
    await ui.prompter.info(
      statuses?.includes('archived') === true
        ? t('The archive holds no entry.')
        : t('This vault has no such entry yet.'),
    );
    return undefined;
  }
  const more = total > entries.length ? t`, ${entries.length} of ${total}` : '';
  const options = { title: `${title}${more}`, matchOnDescription: true, matchOnDetail: true };
  return ui.prompter.pick(choices, options);
}

/** The entries of a vault and its projects, up to `readEntriesMax`, and how many there are. */
export async function listEntries(
  api: Api,
  statuses?: readonly EntryStatus[],
): Promise<{ readonly entries: readonly EntryRow[]; readonly total: number }> {
  const entries: EntryRow[] = [];
  let total = 0;
  do {
    const which = defined({ statuses: statuses?.slice() });
    const page = await api.request('entries', {
      ...defined({ after: entries.at(-1)?.entry }),
      limit: entriesMax,
      ...which,
    });
    entries.push(...page.entries);
    total = entries.length + page.more;
    if (page.entries.length === 0) break;
  } while (entries.length < Math.min(total, readEntriesMax));
  // Entries can move from one page to the next while they are read.
  return { entries: [...new Map(entries.map((row) => [row.entry, row])).values()], total };
}

function fits({ status, entry }: EntryRow, { statuses, without = [] }: EntryQuestion): boolean {
  if (without.includes(entry)) return false;
  return statuses === undefined ? status !== 'archived' : statuses.includes(status);
}

/** The entry that is open in the editor. A copy of an entry elsewhere is none. */
async function entryOfEditor(ui: UiContext): Promise<EntryPage | undefined> {
  const document = vscode.window.activeTextEditor?.document;
  if (document === undefined || document.uri.scheme !== 'file') return undefined;
  const { api, vault } = requireLink(ui);
  const name = entryNameOf(document.getText(), document.uri.fsPath, vault);
  if (name === undefined) return undefined;
  try {
    const page = await api.request('entry', { entry: name });
    const files = [page.row.file, document.uri.fsPath];
    const [own, opened] = await Promise.all(files.map((file) => ui.machine.realPath(file)));
    return own === opened ? page : undefined;
  } catch (error) {
    // Whatever else is open; the person picks an entry.
    if (isRavelError(error) && error.code.startsWith('entry/')) return undefined;
    throw error;
  }
}
