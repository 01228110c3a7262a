import type { Command } from 'commander';
import type { SecretRow } from '../../model/secretState.ts';
import type { CommandContext, Start } from '../context.ts';

const help = `
The table [secrets] of ~/.config/ravel/config.toml names your secrets and says where each is kept: docs/settings.md. Their
values are never printed. Ends with 1 if one of them cannot be read.

Example:
  $ ravel secrets list
`;

export function addSecretsCommands(command: Command, start: Start): void {
  const secrets = command
    .command('secrets')
    .description('see the secrets whose values no session may pass on')
    .addHelpText('after', help);
  secrets
    .command('list', { isDefault: true })
    .description('try each secret of your configuration, and say where it is kept')
    .addHelpText('after', help)
    .action(() => start(list));
}

async function list(context: CommandContext): Promise<number> {
  const rows = await context.ports.inspectSecrets();
  const lines = rows.length === 0 ? ['Your configuration names no secret.'] : rows.map(lineOf);
  context.result(rows, lines);
  return rows.some(({ state }) => state === 'failed') ? 1 : 0;
}

function lineOf(row: SecretRow): string {
  const { name, place } = row;
  const kept = place.kind === 'environment' ? `variable ${place.variable}` : `program ${place.program}`;
  return `${name}  ${kept}  ${stateText(row)}`;
}

function stateText(row: SecretRow): string {
  switch (row.state) {
    case 'guarded':
      return 'its value is looked for';
    case 'absent':
      return 'has no value here';
    case 'short':
      return 'its value is too short to be looked for';
    case 'failed':
      return `cannot be read: ${row.problem}`;
  }
}
