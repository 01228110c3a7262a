import type { Command } from 'commander';
import { withApi } from '../../access/openApi.ts';
import { failure } from '../../model/codes.ts';
import type { CommandContext, Start } from '../context.ts';
import { formatSpending } from '../render/spending.ts';

const help = `
Costs are what the harness reported, or estimated if budget.prices in daemon.toml lists the model.

Examples:
  $ ravel spending
  $ ravel spending --days 7
`;

export function addSpendingCommands(command: Command, start: Start): void {
  command
    .command('spending')
    .description('show what sessions have cost, by day and plan')
    .option('--days <n>', 'number of days, ending today', '1')
    .addHelpText('after', help)
    .action((options) => start((context) => spending(context, options)));
}

async function spending(context: CommandContext, { days }: { readonly days: string }): Promise<number> {
  if (!/^[1-9][0-9]{0,2}$/.test(days)) throw failure('cli/usage', 'spending', '--days takes a number from 1 to 366.');
  return withApi(context.ports, context.globals.vault, 'local', async ({ api }) => {
    const result = await api.request('spending', { days: Number(days) });
    context.result(result, formatSpending(result, context.style, context.columns));
    return 0;
  });
}
