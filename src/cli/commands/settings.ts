import type { Command } from 'commander';
import { withApi } from '../../access/openApi.ts';
import { defined } from '../../base/defined.ts';
import type { CommandContext, Start } from '../context.ts';
import { formatDiagnostics } from '../render/diagnostics.ts';
import { formatSettings } from '../render/settings.ts';

const help = `
Each overrides those before it: the default, daemon.toml, the editor's settings, the plan-state.md of a plan, a flag.

Examples:
  $ ravel settings
  $ ravel settings x
`;

export function addSettingsCommands(command: Command, start: Start): void {
  command
    .command('settings [plan]')
    .description('show every effective setting, of the vault or of a plan, and where it was set')
    .addHelpText('after', help)
    .action((plan) => start((context) => settings(context, plan)));
}

async function settings(context: CommandContext, plan: string | undefined): Promise<number> {
  return withApi(context.ports, context.globals.vault, 'local', async ({ api }) => {
    const result = await api.request('settings', defined({ plan }));
    context.result(result, [
      ...formatDiagnostics(result.diagnostics, context.style, context.columns),
      ...formatSettings(result, context.style, context.columns),
    ]);
    return 0;
  });
}
