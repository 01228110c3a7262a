import { type Command, Option } from 'commander';
import { resolvePlan, withApi } from '../../access/openApi.ts';
import type { RequestResults } from '../../model/protocol.ts';
import { whenForms } from '../../model/when.ts';
import type { CommandContext, Start } from '../context.ts';
import { formatHistory } from '../render/history.ts';
import { numberFlag } from './numberFlag.ts';
import { namedTime } from './since.ts';

const help = `
WHEN is ${whenForms}. To see what a session said and did: ravel logs SESSION. What it changed: ravel changes SESSION.

Examples:
  $ ravel history shop
  $ ravel history shop/project-root/checkout --limit 20
  $ ravel history shop --since yesterday
`;

interface HistoryFlags {
  readonly limit?: string;
  readonly cycles?: string;
  readonly since?: string;
  readonly pager: boolean;
}

export function addHistoryCommands(command: Command, start: Start): void {
  command
    .command('history [plan]')
    .description('list past cycles of a plan: their phases, tasks, commits, time and cost')
    .option('--limit <n>', 'number of cycles, the newest last (default: 3, with --since all)')
    .option('--since <when>', 'only cycles in which a phase ended since then')
    .option('--no-pager', 'no pager')
    // As it was called first.
    .addOption(new Option('--cycles <n>').hideHelp())
    .addHelpText('after', help)
    .action((plan, options) => start((context) => history(context, plan, options)));
}

const cyclesMax = 1000;

async function history(context: CommandContext, named: string | undefined, flags: HistoryFlags): Promise<number> {
  const { ports, globals, style, columns } = context;
  const asked = flags.limit ?? flags.cycles ?? (flags.since === undefined ? '3' : String(cyclesMax));
  const limit = numberFlag(flags.cycles === undefined ? '--limit' : '--cycles', asked, cyclesMax);
  const sinceMs = flags.since === undefined ? undefined : namedTime(flags.since, ports.clock.wallMs());
  return withApi(ports, globals.vault, 'local', async ({ api }) => {
    const plan = await resolvePlan(api, named);
    const found = await api.request('history', { plan, limit });
    const result = sinceMs === undefined ? found : newerThan(found, sinceMs);
    await context.page(result, formatHistory(result, style, columns), flags.pager);
    return 0;
  });
}

function newerThan(history: RequestResults['history'], sinceMs: number): RequestResults['history'] {
  const cycles = history.cycles.filter(({ phases }) => phases.some(({ endedAt }) => Date.parse(endedAt) >= sinceMs));
  return { ...history, cycles };
}
