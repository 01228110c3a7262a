import type { Command } from 'commander';
import { failure } from '../../model/codes.ts';
import type { CommandContext, Start } from '../context.ts';

const help = `
The owner of a vault tells you when a question waits, a phase fails, a run ends, a plan is faulted or a budget is used up.
The table [notify] of ~/.config/ravel/config.toml says how: docs/settings.md.

Example:
  $ ravel notify test
`;

export function addNotifyCommands(command: Command, start: Start): void {
  const notify = command
    .command('notify')
    .description('try how you are told what needs you')
    .addHelpText('after', help);
  notify
    .command('test')
    .description('send one notification, in each way that your configuration names')
    .addHelpText('after', help)
    .action(() => start(test));
}

async function test(context: CommandContext): Promise<number> {
  const sent = await context.ports.sendTestNotification();
  if (sent === undefined)
    throw failure('notify/off', 'notify', 'Your configuration names no way to tell you anything.');
  const [problem] = sent;
  if (problem !== undefined) throw failure('notify/failed', 'notify', sent.join(' '));
  context.result({ sent: true }, ['One notification is sent.']);
  return 0;
}
