import type { Command } from 'commander';
import { withApi } from '../../access/openApi.ts';
import { plural } from '../../base/text.ts';
import { failure } from '../../model/codes.ts';
import { expertId } from '../../model/namedTarget.ts';
import type { Api } from '../../model/protocol.ts';
import type { AddedExperts, ExpertRow } from '../../model/requests/experts.ts';
import type { CommandContext, Start } from '../context.ts';
import { readGiven } from '../givenText.ts';
import { formatDiagnostics } from '../render/diagnostics.ts';
import { ownLines, padEnd, widthOf, wrap } from '../render/text.ts';
import { several } from '../several.ts';

const help = `
Examples:
  $ ravel experts                                  the experts of this vault
  $ ravel experts rust                             one of them in full
`;

const addHelp = `
Copies experts that come with Ravel, and the entries that they know, into the vault. No file of yours is replaced.

Examples:
  $ ravel experts add                              lists those that can be added
  $ ravel experts add rust ffi
  $ ravel experts add --all
`;

const createHelp = `
Examples:
  $ ravel experts create postgres --description "Knows our databases" --scope tools/postgres --from persona.md
  $ ravel experts create go --description "Knows Go" --scope languages/go --tag go --persona "You are terse."
`;

interface CreateFlags {
  readonly description: string;
  readonly scope: readonly string[];
  readonly persona?: string;
  readonly from?: string;
  readonly tag?: readonly string[];
}

export function addExpertCommands(program: Command, start: Start): void {
  const experts = program
    .command('experts [id]')
    .description('list the experts of the vault, or show one')
    .addHelpText('after', help)
    .action((id) => start((context) => (id === undefined ? listExperts(context) : showExpert(context, id))));
  experts
    .command('list')
    .description('list the experts of the vault')
    .addHelpText('after', '\nExample:\n  $ ravel experts list\n')
    .action(() => start(listExperts));
  experts
    .command('show <id>')
    .description('show one of them in full')
    .addHelpText('after', '\nExample:\n  $ ravel experts show rust\n')
    .action((id) => start((context) => showExpert(context, id)));
  experts
    .command('add [ids...]')
    .description('add experts that come with Ravel, or list them')
    .option('--all', 'add all of them')
    .addHelpText('after', addHelp)
    .action((ids: readonly string[], { all = false }: { all?: boolean }) =>
      start((context) => (all || ids.length > 0 ? addExperts(context, all ? undefined : ids) : listShipped(context))),
    );
  experts
    .command('create <id>')
    .description('declare an expert of your own')
    .requiredOption('--description <text>', 'what it knows, in one sentence')
    .addOption(several('--scope <folder>', 'a folder below knowledge/ that it answers from').makeOptionMandatory())
    .option('--persona <text>', 'who it is and how it answers; every session of it begins with this')
    .option('--from <file>', 'the file that has the persona; - reads standard input')
    .addOption(several('--tag <tag>', 'what it takes in of what plans prove'))
    .addHelpText('after', createHelp)
    .action((id: string, flags: CreateFlags) => start((context) => createExpert(context, id, flags)));
}

async function listShipped(context: CommandContext): Promise<number> {
  const { ports, globals, style } = context;
  return withApi(ports, globals.vault, 'local', async ({ api }) => {
    const found = await api.request('shipped_experts', {});
    const width = Math.max(0, ...found.experts.map(({ expert }) => widthOf(expert)));
    const rows = found.experts.map(({ expert, description, entries, isAdded }) => {
      const rest = `${plural(entries, 'entry', 'entries')}${isAdded ? ', added' : ''}`;
      return `${padEnd(expert, width)}  ${description}  ${style.faint(rest)}`;
    });
    context.result(found, rows.length === 0 ? ['No expert comes with this copy of Ravel.'] : rows);
    return 0;
  });
}

async function addExperts(context: CommandContext, ids: readonly string[] | undefined): Promise<number> {
  const { ports, globals, style, columns } = context;
  return withApi(ports, globals.vault, 'owner', async ({ api }) => {
    const added = await api.request('add_experts', ids === undefined ? {} : { experts: [...ids] });
    context.result(added, [...describeAdded(added), ...formatDiagnostics(added.diagnostics, style, columns)]);
    return 0;
  });
}

async function createExpert(context: CommandContext, id: string, flags: CreateFlags): Promise<number> {
  const { ports, globals, style, columns } = context;
  const { description, scope, persona, from, tag = [] } = flags;
  if ((persona === undefined) === (from === undefined)) {
    throw failure('cli/usage', 'experts create', 'Give either --persona or --from.');
  }
  const text = persona ?? (await readGiven(ports, '--from', from ?? '-'));
  return withApi(ports, globals.vault, 'owner', async ({ api }) => {
    const params = { expert: id, description, persona: text, scope: [...scope], tags: [...tag] };
    const created = await api.request('create_expert', params);
    context.result(created, [
      `Declared ${created.actor}.`,
      `  ${style.faint(created.file)}`,
      ...formatDiagnostics(created.diagnostics, style, columns),
    ]);
    return 0;
  });
}

/** What was added, and what stayed because the vault had it. */
export function describeAdded({ experts, files, kept }: AddedExperts): string[] {
  const entries = files.length - experts.length;
  const names = experts.length === 0 ? '' : `: ${experts.join(', ')}`;
  return [
    `Added ${plural(experts.length, 'expert')} and ${plural(entries, 'entry', 'entries')}${names}.`,
    ...(kept.length === 0 ? [] : [`The vault had ${plural(kept.length, 'file')} already; they stay as they are.`]),
  ];
}

async function listExperts(context: CommandContext): Promise<number> {
  const { ports, globals, style, columns } = context;
  return withApi(ports, globals.vault, 'local', async ({ api }) => {
    const found = await api.request('experts', {});
    const width = Math.max(0, ...found.experts.map(({ actor }) => widthOf(actor)));
    const rows = found.experts.map(({ actor, declaration }) => `${padEnd(actor, width)}  ${declaration.description}`);
    context.result(found, [
      ...(rows.length === 0 ? [noExperts] : rows),
      ...formatDiagnostics(found.diagnostics, style, columns),
    ]);
    return 0;
  });
}

const noExperts =
  'This vault declares no experts. `ravel experts add` lists those that come with Ravel; each is a file experts/<id>.md.';

/** Throws `expert/unknown`. A faulty declaration is one all the same. */
export async function assertExpert(api: Api, name: string): Promise<void> {
  const actor = expertId(name);
  const { experts, diagnostics } = await api.request('experts', {});
  if (experts.every((one) => one.actor !== actor) && diagnostics.every(({ subject }) => subject !== actor)) {
    throw unknownExpert(actor);
  }
}

function unknownExpert(actor: string): Error {
  return failure('expert/unknown', actor, `There is no expert "${actor}" in this vault.`);
}

async function showExpert(context: CommandContext, id: string): Promise<number> {
  const { ports, globals, style, columns } = context;
  const actor = expertId(id);
  return withApi(ports, globals.vault, 'local', async ({ api }) => {
    const found = await api.request('experts', {});
    const diagnostics = found.diagnostics.filter(({ subject }) => subject === actor);
    const expert = found.experts.find((one) => one.actor === actor);
    if (expert === undefined && diagnostics.length === 0) throw unknownExpert(actor);
    const lines = expert === undefined ? [] : formatExpert(expert, context);
    context.result({ expert, diagnostics }, [...lines, ...formatDiagnostics(diagnostics, style, columns)]);
    return expert === undefined ? 2 : 0;
  });
}

function formatExpert({ actor, file, declaration }: ExpertRow, { style, columns }: CommandContext): string[] {
  const { description, persona, tags, model } = declaration;
  const fields: readonly (readonly [string, string | undefined])[] = [
    ['knows', declaration['knowledge-scope'].join(', ')],
    ['in projects', declaration['project-knowledge'].join(', ') || undefined],
    ['tags', tags.join(', ') || undefined],
    ['model', model ?? undefined],
    ['file', file],
  ];
  return [
    style.strong(actor),
    ...wrap(description, columns - 2).map((line) => `  ${line}`),
    ...fields.flatMap(([name, value]) =>
      value === undefined
        ? []
        : wrap(value, columns - 14).map((line, at) => `  ${style.faint((at === 0 ? name : '').padEnd(12))}${line}`),
    ),
    '',
    style.strong('Persona'),
    ...ownLines(persona.trim()),
  ];
}
