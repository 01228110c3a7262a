import type { Command } from 'commander';
import { withApi } from '../../access/openApi.ts';
import { defined } from '../../base/defined.ts';
import type { CommandContext, Start } from '../context.ts';
import { formatDiagnostics } from '../render/diagnostics.ts';
import { formatNext } from '../render/next.ts';
import { numberFlag } from './numberFlag.ts';

const help = `
The first task of each plan comes before the second ones, since a backlog has its tasks in the order of priority. Among
these, tasks that unblock more come first, then those that wait longer.

Examples:
  $ ravel next
  $ ravel next --under shop --limit 50
`;

export function addNextCommand(command: Command, start: Start): void {
  command
    .command('next')
    .description('list the tasks that can be started now, over all plans, the most useful first')
    .option('--under <plan>', 'a plan and those below it, or a whole project')
    .option('--limit <n>', 'maximum number of tasks to show', '20')
    .addHelpText('after', help)
    .action((options) => start((context) => next(context, options)));
}

async function next(
  context: CommandContext,
  { under, limit: text }: { readonly under?: string; readonly limit: string },
): Promise<number> {
  const limit = numberFlag('--limit', text, 1000);
  const { ports, globals } = context;
  return withApi(ports, globals.vault, 'local', async ({ api }) => {
    const result = await api.request('next', { limit, ...defined({ under }) });
    const { style, columns } = context;
    context.result(result, [
      ...formatNext(result, style, columns, { keepsRows: !ports.stdout.isTty }),
      ...formatDiagnostics(result.diagnostics, style, columns),
    ]);
    return 0;
  });
}
