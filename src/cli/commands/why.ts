import type { Command } from 'commander';
import { withApi } from '../../access/openApi.ts';
import { defined } from '../../base/defined.ts';
import type { CommandContext, Start } from '../context.ts';
import { formatCauses } from '../render/causes.ts';

const help = `
SUBJECT is a task as PLAN#TASK; a message, a session, a suggestion or a commit by its id; or a rule of routing.yaml by its
name. If a name could mean two things, say which: rule:NAME, message:ID and so on. The output begins with the oldest
cause; each item is below what led to it, and ▶ marks the subject.

Examples:
  $ ravel why shop/project-root/till#close-on-sundays
  $ ravel why close-on-sundays --plan shop/project-root/till
  $ ravel why 01M0A9XQYJ6N8K3T5V7W9Y1Z2A
  $ ravel why rule:till-hours
  $ ravel why 1f3a9c2e --json
`;

export function addWhyCommand(command: Command, start: Start): void {
  command
    .command('why <subject>')
    .description('show what led to a task, message, rule, suggestion, session or commit, and what came of it')
    .option('--plan <plan>', 'the plan that the task belongs to')
    .addHelpText('after', help)
    .action((subject, options) => start((context) => why(context, subject, options)));
}

async function why(context: CommandContext, subject: string, { plan }: { readonly plan?: string }): Promise<number> {
  return withApi(context.ports, context.globals.vault, 'local', async ({ api }) => {
    const result = await api.request('why', { subject, ...defined({ plan }) });
    context.result(result, formatCauses(result, context.style));
    return 0;
  });
}
