import { resolve } from 'node:path';
import type { Command } from 'commander';
import { withApi } from '../../access/openApi.ts';
import { harmless, plural, shellWord } from '../../base/text.ts';
import { descriptionLengthMax } from '../../model/plan.ts';
import type { ImportedAs, ImportReport } from '../../model/requests/imports.ts';
import type { CommandContext, Start } from '../context.ts';
import { formatCommandRows } from '../render/commandRows.ts';
import { formatDiagnostics } from '../render/diagnostics.ts';
import { padEnd, widthOf } from '../render/text.ts';
import { describePutAway } from './relocations.ts';

const help = `
Copies plans in YAML byte for byte, and converts plans in the older Markdown form, keeping the originals under imported/
in the new plan. The folder itself is only read.

Example, for a project that keeps such a plan in LLM_STATE/core:
  $ ravel adopt . --name shop --description "The shop's web service and its tests"
  $ ravel import LLM_STATE/core --as shop/project-root/core --description "The core of the shop" --dry-run
  $ ravel import LLM_STATE/core --as shop/project-root/core --description "The core of the shop"
`;

interface ImportOptions {
  readonly as: string;
  readonly description: string;
  readonly dryRun?: boolean;
}

export function addImportCommands(program: Command, start: Start): void {
  program
    .command('import <dir>')
    .description('copy a plan of an older program into a project')
    .requiredOption('--as <plan>', 'its id here: <project>/project-root/<name>, or the project alone for its root plan')
    .requiredOption('--description <text>', `one sentence of at most ${descriptionLengthMax} characters`)
    .option('--dry-run', 'show what would be imported, and import nothing')
    .addHelpText('after', help)
    .action((dir, options) => start((context) => importPlan(context, dir, options)));
}

async function importPlan(context: CommandContext, dir: string, options: ImportOptions): Promise<number> {
  const { ports, globals } = context;
  // What an earlier plan of that id left is put away by the owner alone.
  const need = options.dryRun === true ? 'local' : 'owner';
  return withApi(ports, globals.vault, need, async ({ api }) => {
    const report = await api.request('import', {
      directory: resolve(ports.workingDirectory, dir),
      plan: options.as,
      description: options.description,
      dryRun: options.dryRun === true,
    });
    context.result(report, formatReport(report, context));
    return 0;
  });
}

function formatReport(report: ImportReport, { style, columns }: CommandContext): string[] {
  const { plan, directory, dryRun, tasks, entries, sessions, files, diagnostics } = report;
  const memory = plural(entries, 'memory entry', 'memory entries');
  const counts = `${plural(tasks, 'task')}, ${memory} and ${plural(sessions, 'session')}`;
  const paths = files.map(({ path, from }) => harmless(from === undefined ? path : `${path} from ${from}`));
  const width = Math.max(0, ...paths.map(widthOf));
  const rows = files.map(({ as, note }, at) => {
    const path = padEnd(paths[at] ?? '', note === undefined ? 0 : width + 2);
    return `  ${padEnd(words[as], 11)}${path}${note === undefined ? '' : style.faint(harmless(note))}`;
  });
  return [
    dryRun ? `This would import ${counts} as ${plan}:` : `Imported ${counts} as ${plan}, in ${directory}.`,
    ...rows,
    ...formatDiagnostics(diagnostics, style, columns),
    ...(dryRun
      ? ['Nothing was imported. Run it again without --dry-run.']
      : [
          ...describePutAway(report),
          'Its files go into the first commit that a cycle makes of its state, unless you commit them before.',
          ...formatCommandRows(
            'Next:',
            [
              [`ravel status ${shellWord(plan)}`, 'shows what was imported'],
              [`ravel run ${shellWord(plan)}`, 'runs one cycle'],
            ],
            columns,
          ),
        ]),
  ];
}

const words: Readonly<Record<ImportedAs, string>> = {
  taken: 'as it is',
  converted: 'converted',
  kept: 'original',
  made: 'new',
  'left-out': 'left out',
};
