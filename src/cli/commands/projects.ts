import type { Command } from 'commander';
import { withApi } from '../../access/openApi.ts';
import { plural } from '../../base/text.ts';
import type { CommandContext, Start } from '../context.ts';
import { countDiagnostics, formatDiagnostics } from '../render/diagnostics.ts';
import { padEnd, widthOf } from '../render/text.ts';
import { formatRemoved, formatRenamed } from './relocations.ts';
import { whileCounting } from './vaults.ts';

const help = `
Examples:
  $ ravel projects
  $ ravel projects rename shop webshop             its plans become webshop/project-root/...
  $ ravel projects remove shop                     its folder stays as it is

To add a project, use \`ravel adopt\`.
`;

const rescanHelp = `
Examples:
  $ ravel rescan                                   after cloning a vault, or moving it or a project
  $ ravel rescan --obsidian                        also creates missing files for Obsidian
`;

export function addProjectCommands(program: Command, start: Start): void {
  const projects = program
    .command('projects')
    .description('list, rename or remove the projects of the vault')
    .addHelpText('after', help);
  projects
    .command('list', { isDefault: true })
    .description('list the projects and their folders')
    .addHelpText('after', '\nExample:\n  $ ravel projects list\n')
    .action(() => start(listProjects));
  projects
    .command('rename <project> <new-name>')
    .description('rename a project in the vault')
    .addHelpText('after', '\nExample:\n  $ ravel projects rename shop webshop\n')
    .action((from, to) => start((context) => renameProject(context, from, to)));
  projects
    .command('remove <project>')
    .description('take a project out of the vault; its folder stays as it is')
    .addHelpText('after', '\nExample:\n  $ ravel projects remove shop\n')
    .action((name) => start((context) => removeProject(context, name)));
  program
    .command('rescan')
    .description('restore the links of projects, and check every file')
    .option('--obsidian', 'create missing files for Obsidian')
    .addHelpText('after', rescanHelp)
    .action((options) => start((context) => rescan(context, options)));
}

async function listProjects(context: CommandContext): Promise<number> {
  const { ports, globals, style, columns } = context;
  return withApi(ports, globals.vault, 'local', async ({ api }) => {
    const found = await api.request('projects', {});
    const width = Math.max(0, ...found.projects.map(({ name }) => widthOf(name)));
    const rows = found.projects.map(({ name, path, remote, plans }) => {
      const where = path ?? `not on this machine${remote === undefined ? '' : `; ${remote}`}`;
      return `${padEnd(name, width)}  ${padEnd(plural(plans, 'plan'), 9)}  ${where}`;
    });
    context.result(found, [
      ...(rows.length === 0 ? ['There are no projects yet. Adopt one with `ravel adopt PROJECT`.'] : rows),
      ...formatDiagnostics(found.diagnostics, style, columns),
    ]);
    return 0;
  });
}

async function renameProject(context: CommandContext, project: string, to: string): Promise<number> {
  return withApi(context.ports, context.globals.vault, 'owner', async ({ api }) => {
    const renamed = await api.request('rename_project', { project, to });
    context.result(renamed, formatRenamed(renamed, context));
    return 0;
  });
}

async function removeProject(context: CommandContext, project: string): Promise<number> {
  return withApi(context.ports, context.globals.vault, 'owner', async ({ api }) => {
    const removed = await api.request('remove_project', { project });
    const stays = removed.project === '' ? [] : [`Its folder stays as it is: ${removed.project}.`];
    context.result(removed, [
      `The project ${project} is no longer in this vault.`,
      ...stays,
      ...formatRemoved(removed, context),
    ]);
    return 0;
  });
}

/** Exit code 2 if anything is an error; a project that is not on this machine is not an error. */
async function rescan(context: CommandContext, options: { obsidian?: true }): Promise<number> {
  const { ports, globals, style, columns } = context;
  return withApi(ports, globals.vault, 'local', async ({ api }) => {
    const result = await whileCounting(context, api, () => api.request('rescan', options));
    const { plans, linked, made = [], diagnostics } = result;
    const links = linked.length === 0 ? '' : `, linked ${linked.join(', ')}`;
    const verdict = diagnostics.length === 0 ? '' : `; ${countDiagnostics(diagnostics)}`;
    context.result(result, [
      ...formatDiagnostics(diagnostics, style, columns),
      ...(made.length === 0 ? [] : [`Made ${made.join(', ')}.`]),
      `${plural(plans, 'plan')}${links}${verdict}.`,
    ]);
    return diagnostics.some(({ severity }) => severity === 'error') ? 2 : 0;
  });
}
