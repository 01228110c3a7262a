import type { Command } from 'commander';
import { resolvePlan, withApi } from '../../access/openApi.ts';
import { failure } from '../../model/codes.ts';
import type { CommandContext, Start } from '../context.ts';
import { formatHistory } from '../render/history.ts';

const help = `
To see what a session said and did: ravel logs SESSION.

Examples:
  $ ravel history shop
  $ ravel history shop/project-root/checkout --cycles 20
`;

export function addHistoryCommands(command: Command, start: Start): void {
  command
    .command('history [plan]')
    .description('list past phases of a plan, by cycle, with their time and cost')
    .option('--cycles <n>', 'number of cycles, the newest last', '3')
    .addHelpText('after', help)
    .action((plan, options) => start((context) => history(context, plan, options)));
}

async function history(
  context: CommandContext,
  named: string | undefined,
  { cycles }: { readonly cycles: string },
): Promise<number> {
  const limit = Number(cycles);
  if (!/^[1-9][0-9]{0,3}$/.test(cycles) || limit > 1000) {
    throw failure('cli/usage', 'history', '--cycles takes a number from 1 to 1000.');
  }
  return withApi(context.ports, context.globals.vault, 'local', async ({ api }) => {
    const plan = await resolvePlan(api, named);
    const result = await api.request('history', { plan, limit });
    context.result(result, formatHistory(result, context.style, context.columns));
    return 0;
  });
}
