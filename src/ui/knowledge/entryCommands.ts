import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { formatDeed } from '../../model/deedText.ts';
import { type EntryStatus, entryStatuses } from '../../model/entry.ts';
import type { Api } from '../../model/protocol.ts';
import type { EntryChangeResult, EntryPage } from '../../model/requests/knowledge.ts';
import type { CommandName } from '../commandNames.ts';
import type { CommandTable, RunCommand } from '../commands.ts';
import { statusMessageMs } from '../notify.ts';
import { refuseEmpty } from '../prompter.ts';
import { sanitizeLabel } from '../sanitizeLabel.ts';
import type { UiContext } from '../uiContext.ts';
import { requireLink } from '../vaultLink.ts';
import { entryAskedAbout, pickEntry } from './chooseEntry.ts';
import { statementChoices } from './entryChoices.ts';

/** What a deed needs to ask for the rest. */
interface Asking {
  readonly ui: UiContext;
  readonly api: Api;
  readonly page: EntryPage;
  /** Its path in the vault. */
  readonly entry: string;
  /** Above each question, with the name of the entry. */
  readonly title: string;
}

/** Something that a person can do with an entry. */
interface Deed {
  /** As in the palette. */
  readonly title: string;
  /** What it does, for the list of all of them. */
  readonly does: string;
  /** With which entries; all but archived ones unless told. */
  readonly statuses?: readonly EntryStatus[];
  /** Asks for what is missing. What it resolves with is then carried out; undefined if the person stopped. */
  ask(asking: Asking): Promise<(() => Promise<EntryChangeResult>) | undefined>;
}

const archived: readonly EntryStatus[] = ['archived'];

const deeds: Readonly<Partial<Record<CommandName, Deed>>> = {
  validateEntry: {
    title: t('Confirm That Entry Still Holds'),
    does: t('Notes today as the day on which it was seen to hold'),
    ask:
      async ({ api, entry }) =>
      () =>
        api.request('validate_entry', { entry }),
  },
  supersedeEntry: {
    title: t('Supersede Entry…'),
    does: t('Another entry, or a new statement, takes its place; the old words stay readable'),
    ask: askSuperseding,
  },
  contradictEntry: {
    title: t('Contradict Entry…'),
    does: t('Links it with an entry that says the opposite; both stand'),
    async ask({ ui, api, entry, title }) {
      const other = await pickEntry(ui, { title: t`${title} by Which Entry?`, without: [entry] });
      if (other === undefined) return undefined;
      const reason = await askReason(ui, title, t`How do they contradict each other? Both keep your reason.`);
      return reason === undefined
        ? undefined
        : () => api.request('contradict_entry', { entry, other: other.entry, reason });
    },
  },
  renameEntry: {
    title: t('Rename Entry…'),
    does: t('Gives it another title; links by the old one still work'),
    async ask({ ui, api, entry, page, title: heading }) {
      const title = await ui.prompter.input({
        ...{ title: heading, prompt: t('The new title. Links by the old one still work.'), value: page.row.title },
        validateInput: refuseEmpty,
      });
      return title === undefined ? undefined : () => api.request('rename_entry', { entry, title });
    },
  },
  mergeEntry: {
    title: t('Merge Entry…'),
    does: t('Another entry takes over its statements, title and aliases; this one is archived'),
    async ask({ ui, api, entry, title }) {
      const into = await pickEntry(ui, { title: t`${title} Into Which Entry?`, without: [entry] });
      return into === undefined ? undefined : () => api.request('merge_entries', { entry, into: into.entry });
    },
  },
  archiveEntry: {
    title: t('Archive Entry…'),
    does: t('Moves it to the archive, where it answers no question; you can restore it'),
    async ask({ ui, api, entry, title }) {
      const prompt = t('Why? The entry moves to the archive; it answers no question there, and you can restore it.');
      const reason = await askReason(ui, title, prompt);
      return reason === undefined ? undefined : () => api.request('archive_entry', { entry, reason });
    },
  },
  restoreEntry: {
    title: t('Restore Entry…'),
    does: t('Brings it back from the archive'),
    statuses: archived,
    ask:
      async ({ api, entry }) =>
      () =>
        api.request('restore_entry', { entry }),
  },
  deleteEntry: {
    title: t('Delete Entry…'),
    does: t('Removes its file, after asking you once more'),
    statuses: entryStatuses,
    ask: askDeletion,
  },
};

/** Commands that change an entry: the one of a row, the one that is open, or one that a person picks. */
export const entryCommands: CommandTable = {
  ...Object.fromEntries(Object.entries(deeds).map(([name, deed]) => [name, commandOf(deed)])),

  /** All of them for one entry, so that no one need know their names. */
  async changeEntry(ui, argument, named) {
    ui.requireTrust();
    const page = await entryAskedAbout(ui, argument, named, {
      title: t('Change Which Entry?'),
      statuses: entryStatuses,
    });
    if (page === undefined) return undefined;
    const choices = Object.values(deeds)
      .filter((deed) => isFor(deed, page))
      .map((deed) => ({ label: deed.title, detail: deed.does, value: deed }));
    const deed = await ui.prompter.pick(choices, { title: t`Change “${sanitizeLabel(page.row.title, 80)}”` });
    return deed === undefined ? undefined : carryOut(ui, deed, page);
  },
};

function commandOf(deed: Deed): RunCommand {
  return async (ui, argument, named) => {
    ui.requireTrust();
    const { title, statuses } = deed;
    const question = { title: t`${title.replace('…', '')}: Which Entry?`, ...(statuses !== undefined && { statuses }) };
    const page = await entryAskedAbout(ui, argument, named, question);
    return page === undefined ? undefined : carryOut(ui, deed, page);
  };
}

function isFor({ statuses }: Deed, { row }: EntryPage): boolean {
  return statuses === undefined ? row.status !== 'archived' : statuses.includes(row.status);
}

async function carryOut(ui: UiContext, deed: Deed, page: EntryPage): Promise<EntryChangeResult | undefined> {
  const { api } = requireLink(ui);
  const [verb = ''] = deed.title.split(' ');
  const title = `${verb} “${sanitizeLabel(page.row.title, 80)}”`;
  const change = await deed.ask({ ui, api, page, entry: page.row.entry, title });
  if (change === undefined) return undefined;
  const location = vscode.ProgressLocation.Window;
  const result = await vscode.window.withProgress({ location, title }, change);
  const did = formatDeed(result.did);
  ui.log.info(did);
  vscode.window.setStatusBarMessage(sanitizeLabel(did), statusMessageMs);
  const [problem] = result.diagnostics;
  if (problem !== undefined) await ui.prompter.warn(problem.message);
  return result;
}

async function askSuperseding({ ui, api, entry, page, title }: Asking): ReturnType<Deed['ask']> {
  const { prompter } = ui;
  const hasStatement = page.statements.length > 0;
  const ways = [
    {
      label: t('By another entry'),
      detail: t('Both stay and link to each other; the older one answers no question'),
      value: 'entry',
    },
    ...(hasStatement
      ? [
          {
            label: t('By a new statement'),
            detail: t('The old words move under “Superseded” of the same entry'),
            value: 'text',
          },
        ]
      : []),
  ];
  const way = await prompter.pick(ways, { title });
  if (way === undefined) return undefined;
  if (way === 'entry') {
    const by = await pickEntry(ui, { title: t`${title} by Which Entry?`, without: [entry] });
    if (by === undefined) return undefined;
    const reason = await askReason(ui, title, t('Why is the other one better?'));
    return reason === undefined ? undefined : () => api.request('supersede_entry', { entry, by: by.entry, reason });
  }
  const [first = '', ...others] = page.statements;
  const section =
    others.length === 0
      ? first
      : await prompter.pick(statementChoices(page.statements), { title: t`${title}: Which Statement?` });
  if (section === undefined) return undefined;
  const text = await prompter.input({
    title,
    prompt: t('The new statement, in Markdown.'),
    validateInput: refuseEmpty,
  });
  if (text === undefined) return undefined;
  const reason = await askReason(ui, title, t('Why is it better than what the entry says now?'));
  return reason === undefined ? undefined : () => api.request('supersede_entry', { entry, section, text, reason });
}

/** The question that the vault asks before it deletes anything is answered here at once, by the same person. */
async function askDeletion({ ui, api, entry, page, title }: Asking): ReturnType<Deed['ask']> {
  const reason = await askReason(ui, title, t('Why? An archived entry can be restored; a deleted one only from git.'));
  if (reason === undefined) return undefined;
  const detail = t`${page.row.entry} is removed, and links to it lead to nothing. Only git can bring it back.`;
  if (!(await ui.prompter.confirm(t`Delete “${sanitizeLabel(page.row.title, 120)}”?`, detail, t('Delete'))))
    return undefined;
  return async () => {
    const { approval, entry: asked } = await api.request('delete_entry', { entry, reason });
    const { contentHash } = await api.request('approval', { approval });
    const { did } = await api.request('decide', { approval, contentHash, decision: 'accept', reason });
    return { did: did.replace(/\.$/, ''), entries: [asked], diagnostics: [] };
  };
}

function askReason({ prompter }: UiContext, title: string, prompt: string): Promise<string | undefined> {
  return prompter.input({ title, prompt, validateInput: refuseEmpty });
}
