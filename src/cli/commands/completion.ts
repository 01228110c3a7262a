import { Argument, type Command } from 'commander';
import { type Shell, shells } from '../completion/complete.ts';
import type { CommandContext, Start } from '../context.ts';

const help = `
The comment at the top of the script says where to put it. Completions know commands, options and their values, and the
ids of plans, tasks, questions, experts, entries, projects and archives.

Examples:
  $ eval "$(ravel completion bash)"                 for this shell
  $ ravel completion zsh > "\${fpath[1]}/_ravel"     for all to come
  $ ravel completion fish > ~/.config/fish/completions/ravel.fish
`;

export function addCompletionCommand(command: Command, start: Start): void {
  command
    .command('completion')
    .description('print the script that completes commands in your shell')
    .addArgument(new Argument('<shell>', 'the shell that reads it').choices(shells))
    .addHelpText('after', help)
    .action((shell: Shell) => start((context) => completion(context, shell)));
}

async function completion(context: CommandContext, shell: Shell): Promise<number> {
  const { scripts } = await import('../completion/scripts.ts');
  context.result({ shell, script: scripts[shell] }, [scripts[shell].trimEnd()]);
  return 0;
}
