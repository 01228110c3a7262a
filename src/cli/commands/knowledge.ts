import { basename } from 'node:path';
import type { Command } from 'commander';
import { withApi } from '../../access/openApi.ts';
import { isRavelError } from '../../base/errors.ts';
import { oneLine, plural, shellWord } from '../../base/text.ts';
import { failure } from '../../model/codes.ts';
import { formatDeed } from '../../model/deedText.ts';
import {
  type Confidence,
  confidences,
  entryKinds,
  entryStatuses,
  knowledgeAxes,
  uncategorizedFolder,
} from '../../model/entry.ts';
import type { Api, RequestName, RequestParams, RequestResults } from '../../model/protocol.ts';
import { type EntryChangeResult, entriesMax, entryTextMax } from '../../model/requests/knowledge.ts';
import type { CommandContext, Start } from '../context.ts';
import { readGiven } from '../givenText.ts';
import { formatCommandRows } from '../render/commandRows.ts';
import { countDiagnostics, formatDiagnostics } from '../render/diagnostics.ts';
import { formatEntryPage, formatEntryRows } from '../render/entries.ts';
import { formatExploration } from '../render/exploration.ts';
import { formatGaps } from '../render/gaps.ts';
import { several } from '../several.ts';

const listHelp = `
Options can be given several times; an entry must fit one value of each that is named.

Examples:
  $ ravel knowledge list
  $ ravel knowledge list --axis languages --tag rust
  $ ravel knowledge list --project shop --confidence low --confidence prospective
  $ ravel knowledge list --status archived
  $ ravel knowledge list --limit 1000 --after knowledge/tools/retries.md
`;

const showHelp = `
ENTRY is an id, a title, an alias, or a path below knowledge/.

Examples:
  $ ravel knowledge show "Retries need a limit"
  $ ravel knowledge show languages/rust/retries
`;

const exploreHelp = `
A connection is two tags that no entry has together and no link joins, although entries of both are alike.

Examples:
  $ ravel knowledge explore
  $ ravel knowledge explore --tag retry
  $ ravel knowledge explore --axis languages --json
`;

const horizonHelp = `
A fresh session reads the text, a long one in parts, and proposes at most ten statements, each with a quotation that is
checked. What is kept is staged as \`prospective\`. It costs what its sessions cost.

Examples:
  $ ravel knowledge horizon --from article.md
  $ ravel knowledge horizon --from talk.md --expert rust --source "The talk of May"
`;

const addHelp = `
The entry goes to knowledge/uncategorized/ of the vault, unless --folder or --project says otherwise.

Examples:
  $ ravel knowledge add "Retries need a limit" --body "Without one, a client keeps a server down." --tag retry
  $ ravel knowledge add "Cart prices are cents" --project shop --from note.md --kind decision
`;

const supersedeHelp = `
The new evidence must be at least as good as the old. If it is not, link the two with \`ravel knowledge contradict\`.

Examples:
  $ ravel knowledge supersede "Retry forever" --by "Retries need a limit" --reason "The outage of May"
  $ ravel knowledge supersede "Retry policy" --section Limit --text "Five attempts." --reason "Measured in June"
`;

/** The entries of a vault and its projects. */
export function addKnowledgeCommands(program: Command, start: Start): void {
  const knowledge = program.command('knowledge').description('list, show and change what the vault knows');
  addReadingCommands(knowledge, start);
  addChangingCommands(knowledge, start);
}

interface ListFlags {
  readonly axis?: string;
  readonly project?: string;
  readonly tag?: readonly string[];
  readonly kind?: readonly string[];
  readonly status?: readonly string[];
  readonly confidence?: readonly string[];
  readonly after?: string;
  readonly limit?: string;
}

function addReadingCommands(knowledge: Command, start: Start): void {
  knowledge
    .command('list', { isDefault: true })
    .description('list entries')
    .option('--axis <axis>', `only this folder of the vault: ${knowledgeAxes.join(', ')}, uncategorized`)
    .option('--project <project>', 'only what this project knows')
    .addOption(several('--tag <tag>', 'only what has this tag'))
    .addOption(several('--kind <kind>', 'only of this kind'))
    .addOption(several('--status <status>', `only with this status: ${entryStatuses.join(', ')}`))
    .addOption(several('--confidence <confidence>', `only with this confidence: ${confidences.join(', ')}`))
    .option('--limit <count>', `maximum number of entries, up to ${entriesMax} (default: 200)`)
    .option('--after <entry>', 'begin behind this entry, by its path')
    .addHelpText('after', listHelp)
    .action((flags: ListFlags) => start((context) => list(context, flags)));
  knowledge
    .command('show <entry>')
    .description('show an entry with its links and its uses')
    .addHelpText('after', showHelp)
    .action((entry: string) => start((context) => show(context, entry)));
  knowledge
    .command('gaps')
    .description('what the knowledge lacks')
    .addHelpText('after', '\nExample:\n  $ ravel knowledge gaps\n')
    .action(() => start(gaps));
  knowledge
    .command('explore')
    .description('where the knowledge could grow: gaps, open questions, connections, what is worth proving')
    .option('--tag <tag>', 'only what concerns this tag')
    .option('--axis <axis>', `only this folder of the vault: ${knowledgeAxes.join(', ')}, uncategorized`)
    .addHelpText('after', exploreHelp)
    .action((flags: { tag?: string; axis?: string }) => start((context) => explore(context, flags)));
  knowledge
    .command('links')
    .description('links to nothing, links with one end, equal titles and ids, circles')
    .addHelpText('after', '\nExample:\n  $ ravel knowledge links\n')
    .action(() => start(links));
}

interface AddFlags {
  readonly body?: string;
  readonly from?: string;
  readonly project?: string;
  readonly folder?: string;
  readonly kind?: string;
  readonly tag?: string[];
  readonly alias?: string[];
  readonly topic?: string;
  readonly confidence?: string;
}

interface SupersedeFlags {
  readonly by?: string;
  readonly section?: string;
  readonly text?: string;
  readonly confidence?: string;
  readonly reason: string;
}

function addChangingCommands(knowledge: Command, start: Start): void {
  knowledge
    .command('add <title>')
    .description('add an entry')
    .option('--body <text>', 'what it says, in Markdown')
    .option('--from <file>', 'the file that has what it says; - reads standard input')
    .option('--project <project>', 'what only this project needs to know')
    .option('--folder <folder>', 'folder below knowledge/, such as languages/rust')
    .option('--kind <kind>', `one of ${entryKinds.join(', ')}`)
    .addOption(several('--tag <tag>', 'a tag'))
    .addOption(several('--alias <name>', 'another title'))
    .option('--topic <topic>', 'what it is about, as family/slug')
    .option('--confidence <confidence>', 'medium, low or prospective (default: low)')
    .addHelpText('after', addHelp)
    .action((title: string, flags: AddFlags) => start((context) => add(context, title, flags)));
  knowledge
    .command('validate <entry>')
    .description('say that an entry still holds')
    .option('--project <project>', 'the project in which it held')
    .option('--context <text>', 'how that was seen')
    .addHelpText('after', '\nExample:\n  $ ravel knowledge validate "Retries need a limit" --project shop\n')
    .action((entry: string, flags: { project?: string; context?: string }) =>
      start((context) => change(context, 'validate_entry', { entry, ...flags })),
    );
  knowledge
    .command('supersede <entry>')
    .description('replace an entry, or a statement of it, by a better one')
    .option('--by <entry>', 'the entry that takes its place')
    .option('--section <heading>', 'the section whose statement is replaced')
    .option('--text <text>', 'the new statement')
    .option('--confidence <confidence>', 'of the new statement (default: that of the entry)')
    .requiredOption('--reason <text>', 'why')
    .addHelpText('after', supersedeHelp)
    .action((entry: string, flags: SupersedeFlags) => start((context) => supersede(context, entry, flags)));
  knowledge
    .command('contradict <entry> <other>')
    .description('link two entries that contradict each other')
    .requiredOption('--reason <text>', 'why')
    .addHelpText(
      'after',
      '\nExample:\n  $ ravel knowledge contradict "Retry forever" "Retries need a limit" --reason "One cannot be right"\n',
    )
    .action((entry: string, other: string, { reason }: { reason: string }) =>
      start((context) => {
        assertDifferent('knowledge contradict', entry, other);
        return change(context, 'contradict_entry', { entry, other, reason });
      }),
    );
  knowledge
    .command('horizon')
    .description('find ideas in a text of others, and stage them as entries that were never tried')
    .option('--from <file>', 'the file that has the text; - reads standard input', '-')
    .option('--source <name>', 'what the text is (default: the name of the file)')
    .option('--expert <expert>', 'the expert that reads it')
    .addHelpText('after', horizonHelp)
    .action((flags: HorizonFlags) => start((context) => horizon(context, flags)));
  addMovingCommands(knowledge, start);
}

interface HorizonFlags {
  readonly from: string;
  readonly source?: string;
  readonly expert?: string;
}

function addMovingCommands(knowledge: Command, start: Start): void {
  knowledge
    .command('rename <entry> <title>')
    .description('give an entry another title; links by the old one still work')
    .addHelpText('after', '\nExample:\n  $ ravel knowledge rename "Retries" "Retries need a limit"\n')
    .action((entry: string, title: string) => start((context) => change(context, 'rename_entry', { entry, title })));
  knowledge
    .command('merge <entry> <into>')
    .description('merge an entry into another one; the first is archived')
    .addHelpText('after', '\nExample:\n  $ ravel knowledge merge "Backoff" "Retries need a limit"\n')
    .action((entry: string, into: string) =>
      start((context) => {
        assertDifferent('knowledge merge', entry, into);
        return change(context, 'merge_entries', { entry, into });
      }),
    );
  knowledge
    .command('archive <entry>')
    .description('move an entry to the archive')
    .requiredOption('--reason <text>', 'why')
    .addHelpText(
      'after',
      '\nExample:\n  $ ravel knowledge archive "Retry forever" --reason "We no longer use that client"\n',
    )
    .action((entry: string, { reason }: { reason: string }) =>
      start((context) => change(context, 'archive_entry', { entry, reason })),
    );
  knowledge
    .command('restore <entry>')
    .description('bring an archived entry back')
    .addHelpText('after', '\nExample:\n  $ ravel knowledge restore "Retry forever"\n')
    .action((entry: string) => start((context) => change(context, 'restore_entry', { entry })));
  knowledge
    .command('delete <entry>')
    .description('ask for the deletion of an entry; nothing is deleted before you approve')
    .requiredOption('--reason <text>', 'why')
    .addHelpText('after', '\nExample:\n  $ ravel knowledge delete "Retry forever" --reason "It names a customer"\n')
    .action((entry: string, { reason }: { reason: string }) => start((context) => askDeletion(context, entry, reason)));
}

async function list(context: CommandContext, flags: ListFlags): Promise<number> {
  const { ports, globals, style, columns } = context;
  const { axis, project, after, limit: _limit, ...others } = flags;
  const isFiltered = [axis, project, ...Object.values(others)].some((flag) => flag !== undefined);
  const limit = flags.limit === undefined ? 200 : countOf(flags.limit);
  return withApi(ports, globals.vault, 'local', async ({ api }) => {
    const found = await api.request('entries', {
      axis: axis === undefined ? undefined : wordOf('--axis', axis, [...knowledgeAxes, uncategorizedFolder]),
      ...{ project, limit, after, tags: flags.tag?.slice(), kinds: flags.kind?.slice() },
      statuses: flags.status?.map((word) => wordOf('--status', word, entryStatuses)),
      confidences: flags.confidence?.map((word) => wordOf('--confidence', word, confidences)),
    });
    if (found.total === 0 && project !== undefined && project !== '') await assertProject(api, project);
    const none = after === undefined ? noneLine(isFiltered) : 'No more entries.';
    context.result(found, [
      ...(found.entries.length === 0 ? [none] : formatEntryRows(found.entries, { style, columns })),
      ...(found.more > 0 ? [style.faint(moreLine(found))] : []),
      ...formatDiagnostics(found.diagnostics, style, columns),
    ]);
    return 0;
  });
}

/** `isFiltered` is whether others were left out. */
function noneLine(isFiltered: boolean): string {
  const what = isFiltered ? 'No entry fits' : 'There are no entries yet';
  return `${what}. Add one with \`ravel knowledge add TITLE --body TEXT\`.`;
}

function moreLine({ entries, more, isAtMost }: RequestResults['entries']): string {
  const count = plural(more, 'more entry', 'more entries');
  const last = entries.at(-1);
  const next = last === undefined ? '' : ` \`--after ${shellWord(last.entry)}\` lists the next ones.`;
  return `${isAtMost ? `At most ${count}` : count}.${next}`;
}

/** Throws `project/unknown`. */
async function assertProject(api: Api, project: string): Promise<void> {
  const { projects } = await api.request('projects', {});
  if (projects.some(({ name }) => name === project)) return;
  throw failure('project/unknown', project, `There is no project "${project}" in this vault.`);
}

async function show(context: CommandContext, entry: string): Promise<number> {
  const { ports, globals, style, columns } = context;
  return withApi(ports, globals.vault, 'local', async ({ api }) => {
    const page = await api.request('entry', { entry });
    try {
      await api.request('record_use', { entry: page.row.entry });
    } catch (error) {
      // A vault that cannot be written is read all the same.
      if (!isRavelError(error)) throw error;
      context.note([`The opening of the entry is not counted: ${error.message}`]);
    }
    context.result(page, formatEntryPage(page, { style, columns }));
    return 0;
  });
}

async function gaps(context: CommandContext): Promise<number> {
  const { ports, globals, style, columns } = context;
  return withApi(ports, globals.vault, 'local', async ({ api }) => {
    const found = await api.request('knowledge_gaps', {});
    context.result(found, [...formatGaps(found.gaps, style), ...formatDiagnostics(found.diagnostics, style, columns)]);
    return 0;
  });
}

async function explore(
  context: CommandContext,
  { tag, axis }: { readonly tag?: string; readonly axis?: string },
): Promise<number> {
  const { ports, globals, style, columns } = context;
  return withApi(ports, globals.vault, 'local', async ({ api }) => {
    const found = await api.request('explore_knowledge', {
      tag: tag?.replace(/^#/, ''),
      axis: axis === undefined ? undefined : wordOf('--axis', axis, [...knowledgeAxes, uncategorizedFolder]),
    });
    context.result(found, [
      ...formatExploration(found, { style, columns }),
      ...formatDiagnostics(found.diagnostics, style, columns),
    ]);
    return 0;
  });
}

async function horizon(context: CommandContext, { from, source, expert }: HorizonFlags): Promise<number> {
  const { ports, globals, style } = context;
  const text = await readGiven(ports, '--from', from);
  if (text.trim() === '') throw failure('cli/usage', 'knowledge horizon', 'The text is empty.');
  if (Buffer.byteLength(text) > entryTextMax) {
    const help = 'Give the chapters or parts of it one by one, each in a file of its own.';
    throw failure('disk/tooLarge', from, 'The text has more than 1 MB.', { help });
  }
  const named = source ?? (from === '-' ? 'standard input' : basename(from));
  return withApi(ports, globals.vault, 'runner', async ({ api }) => {
    const report = await api.request('read_horizon', { text, source: named, expert });
    const { kept, refused, unread } = report;
    context.result(report, [
      ...kept.flatMap(({ title, entry }) => [`Kept: ${oneLine(title)}`, `  ${style.faint(entry)}`]),
      ...refused.map(({ title, reason }) =>
        title === '' ? `Nothing proposed: ${oneLine(reason)}` : `Refused: ${oneLine(title)}: ${oneLine(reason)}`,
      ),
      ...unread,
      `${plural(kept.length, 'statement')} kept as prospective, ${refused.filter(({ title }) => title !== '').length} refused.`,
    ]);
    return unread.length > 0 ? 1 : 0;
  });
}

async function links(context: CommandContext): Promise<number> {
  const { ports, globals, style, columns } = context;
  return withApi(ports, globals.vault, 'local', async ({ api }) => {
    const found = await api.request('knowledge_links', {});
    const { diagnostics, entries, unreadable } = found;
    const verdict = diagnostics.length === 0 ? 'all links are fine' : countDiagnostics(diagnostics);
    context.result(found, [
      ...formatDiagnostics(diagnostics, style, columns),
      `${plural(entries, 'entry', 'entries')}: ${verdict}.`,
      ...(unreadable === 0 ? [] : [`${plural(unreadable, 'file')} could not be read; \`ravel verify\` says why.`]),
    ]);
    return diagnostics.some(({ severity }) => severity === 'error') ? 2 : 0;
  });
}

async function add(context: CommandContext, title: string, flags: AddFlags): Promise<number> {
  const { body, from, project, folder, tag: tags, alias: aliases, topic } = flags;
  if ((body === undefined) === (from === undefined)) {
    throw failure('cli/usage', 'knowledge add', 'Give either --body or --from.');
  }
  const text = body ?? (await readGiven(context.ports, '--from', from ?? '-'));
  const allowed = ['medium', 'low', 'prospective'] as const;
  const confidence = wordOf('--confidence', flags.confidence ?? 'low', allowed);
  const kind = flags.kind === undefined ? undefined : wordOf('--kind', flags.kind.toLowerCase(), entryKinds);
  return change(context, 'add_entry', {
    ...{ title, body: text, project, folder, kind, tags, aliases, topic, confidence },
  });
}

async function supersede(context: CommandContext, entry: string, flags: SupersedeFlags): Promise<number> {
  const { by, section, text, reason } = flags;
  if ((by === undefined) === (text === undefined)) {
    throw failure('cli/usage', 'knowledge supersede', 'Give either --by or --text.');
  }
  if (by !== undefined) assertDifferent('knowledge supersede', entry, by);
  const confidence: Confidence | undefined =
    flags.confidence === undefined ? undefined : wordOf('--confidence', flags.confidence, confidences);
  return change(context, 'supersede_entry', { entry, by, section, text, confidence, reason });
}

/** Two names of one entry are told by the vault, which knows its aliases. */
function assertDifferent(command: string, entry: string, other: string): void {
  const [one, two] = [entry, other].map((name) => name.trim().toLowerCase());
  if (one === two) throw failure('cli/usage', command, 'Name two different entries.');
}

type ChangingRequest =
  | 'add_entry'
  | 'validate_entry'
  | 'supersede_entry'
  | 'contradict_entry'
  | 'rename_entry'
  | 'merge_entries'
  | 'archive_entry'
  | 'restore_entry';

async function change<Name extends ChangingRequest & RequestName>(
  context: CommandContext,
  request: Name,
  params: RequestParams<Name>,
): Promise<number> {
  const { ports, globals, style, columns } = context;
  return withApi(ports, globals.vault, 'owner', async ({ api }) => {
    const result: EntryChangeResult = await api.request(request, params);
    context.result(result, [
      formatDeed(result.did),
      ...result.entries.map((entry) => `  ${style.faint(entry)}`),
      ...formatDiagnostics(result.diagnostics, style, columns),
    ]);
    return 0;
  });
}

async function askDeletion(context: CommandContext, entry: string, reason: string): Promise<number> {
  const { ports, globals } = context;
  return withApi(ports, globals.vault, 'owner', async ({ api }) => {
    const asked = await api.request('delete_entry', { entry, reason });
    const id = shellWord(asked.approval);
    context.result(asked, [
      `${asked.entry} is deleted once you approve it, and only if it is unchanged by then.`,
      ...formatCommandRows(
        'Next:',
        [
          [`ravel approvals show ${id}`, 'shows what would be lost'],
          [`ravel approvals accept ${id}`, 'deletes it'],
          [`ravel approvals reject ${id}`, 'keeps it'],
        ],
        context.columns,
      ),
    ]);
    return 0;
  });
}

function wordOf<Word extends string>(flag: string, text: string, words: readonly Word[]): Word {
  const word = words.find((one) => one === text);
  if (word !== undefined) return word;
  throw failure('cli/usage', flag, `"${text}" is not possible there; use ${words.join(', ')}.`);
}

function countOf(text: string): number {
  const count = Number(text);
  if (Number.isSafeInteger(count) && count > 0 && count <= entriesMax) return count;
  throw failure('cli/usage', '--limit', `"${text}" is not a whole number from 1 to ${entriesMax}.`);
}
