import type { Command } from 'commander';
import { withApi } from '../../access/openApi.ts';
import { defined } from '../../base/defined.ts';
import { localTime } from '../../base/localTime.ts';
import { plural, shellWord } from '../../base/text.ts';
import { failure } from '../../model/codes.ts';
import type { Api } from '../../model/protocol.ts';
import type { PutAway, Removed, Renamed } from '../../model/requests/archives.ts';
import type { CommandContext, Start } from '../context.ts';
import { formatDiagnostics } from '../render/diagnostics.ts';
import { padEnd, widthOf } from '../render/text.ts';

const renameHelp = `
Example:
  $ ravel rename shop/project-root/cart shop/project-root/checkout/cart

The plans below it move too, with everything that belongs to them in runtime/. Ravel does not commit the move.
`;

const removeHelp = `
Example:
  $ ravel remove shop/project-root/cart --with-children

Nothing is lost: the plan is kept in archive/ of the vault, and \`ravel archive restore\` brings it back.
`;

const archiveHelp = `
Examples:
  $ ravel archive
  $ ravel archive restore shop/project-root/cart
  $ ravel archive restore plans/shop%2Fproject-root%2Fcart-01HZY0000000000000000000S1

If an id was removed several times, use the name from the list.
`;

/** Giving plans another place, putting them away, and bringing them back. */
export function addRelocationCommands(program: Command, start: Start): void {
  program
    .command('rename <plan> <new-id>')
    .description('change the id of a plan within its project')
    .addHelpText('after', renameHelp)
    .action((plan, to) => start((context) => rename(context, plan, to)));
  program
    .command('remove <plan>')
    .description('move a plan to the archive')
    .option('--with-children', 'also move the plans below it')
    .addHelpText('after', removeHelp)
    .action((plan, options) => start((context) => remove(context, plan, options)));
  const archive = program
    .command('archive')
    .description('list or restore removed plans and projects')
    .addHelpText('after', archiveHelp);
  archive
    .command('list', { isDefault: true })
    .description('list what can be restored, oldest first')
    .addHelpText('after', '\nExample:\n  $ ravel archive list\n')
    .action(() => start(listArchives));
  archive
    .command('restore <archive>')
    .description('bring back a plan or a project')
    .option('--as <new-id>', 'restore a plan under another id')
    .addHelpText('after', archiveHelp)
    .action((name, options) => start((context) => restore(context, name, options)));
}

export function formatRenamed({ plan, names, diagnostics }: Renamed, { style, columns }: CommandContext): string[] {
  return [
    `Renamed to ${plan}${names.length > 1 ? `, with ${plural(names.length - 1, 'plan')} below it` : ''}.`,
    ...formatDiagnostics(diagnostics, style, columns),
  ];
}

export function formatRemoved({ archive, diagnostics }: Removed, { style, columns }: CommandContext): string[] {
  return [
    `It can be brought back with \`ravel archive restore ${shellWord(archive)}\`.`,
    ...formatDiagnostics(diagnostics, style, columns),
  ];
}

/** To a person whose new plan has the id of an earlier one. */
export function describePutAway({ putAway }: PutAway): string[] {
  return putAway === undefined ? [] : [`The files of an earlier plan of this id are now in ${putAway} of the vault.`];
}

async function rename(context: CommandContext, plan: string, to: string): Promise<number> {
  return withApi(context.ports, context.globals.vault, 'owner', async ({ api }) => {
    const renamed = await api.request('rename', { plan, to });
    context.result(renamed, [...formatRenamed(renamed, context), ...uncommitted(renamed.project)]);
    return 0;
  });
}

async function remove(context: CommandContext, plan: string, options: { withChildren?: boolean }): Promise<number> {
  return withApi(context.ports, context.globals.vault, 'owner', async ({ api }) => {
    const removed = await api.request('remove', { plan, withChildren: options.withChildren === true });
    const [first, ...others] = removed.plans;
    context.result(removed, [
      `Removed ${first}${others.length === 0 ? '' : `, with ${plural(others.length, 'plan')} below it`}.`,
      ...formatRemoved(removed, context),
      ...uncommitted(removed.project),
    ]);
    return 0;
  });
}

/** Commits are made by code phases alone; this is a person's change. */
function uncommitted(project: string): string[] {
  return [`Ravel committed nothing; commit the change yourself, beginning with \`git -C ${project} add -A ravel\`.`];
}

async function listArchives(context: CommandContext): Promise<number> {
  const { ports, globals, style, columns } = context;
  return withApi(ports, globals.vault, 'local', async ({ api }) => {
    const found = await api.request('archives', {});
    const width = Math.max(0, ...found.archives.map(({ of }) => widthOf(of)));
    const rows = found.archives.map(({ of, at, plans, archive }) => {
      return `${padEnd(of, width)}  ${localTime(at)}  ${padEnd(plural(plans.length, 'plan'), 8)}  ${archive}`;
    });
    context.result(found, [
      ...(rows.length === 0 ? ['The archive is empty.'] : rows),
      ...formatDiagnostics(found.diagnostics, style, columns),
    ]);
    return 0;
  });
}

async function restore(context: CommandContext, named: string, options: { as?: string }): Promise<number> {
  return withApi(context.ports, context.globals.vault, 'owner', async ({ api }) => {
    const archive = await chooseArchive(api, named);
    const restored = await api.request('restore', { archive, ...defined({ as: options.as }) });
    context.result(restored, [`Restored ${restored.plan}, in ${restored.directory}.`]);
    return 0;
  });
}

/** A plan or a project that was removed once may be named by its id. */
async function chooseArchive(api: Api, named: string): Promise<string> {
  const { archives } = await api.request('archives', {});
  const found = archives.filter(({ of }) => of === named).map(({ archive }) => archive);
  if (found.length < 2) return found[0] ?? named;
  throw failure('cli/usage', named, `It was removed ${found.length} times; name one of ${found.join(', ')}.`, {
    help: 'See `ravel archive list` for when.',
  });
}
