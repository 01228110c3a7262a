import { type Command, Option } from 'commander';
import { withApi } from '../../access/openApi.ts';
import { recordsOfCycle } from '../../model/history.ts';
import type { QualifiedId } from '../../model/id.ts';
import type { RequestResults } from '../../model/protocol.ts';
import { whenForms } from '../../model/when.ts';
import type { CommandContext, Start } from '../context.ts';
import { plansOf } from '../recentPlans.ts';
import { formatHistory } from '../render/history.ts';
import { numberFlag } from './numberFlag.ts';
import { namedTime } from './since.ts';

const help = `
WHEN is ${whenForms}. To see what a session said and did: ravel logs SESSION. What it changed: ravel changes SESSION.

Without a plan: the plans that ran last, of each its newest cycles.

Examples:
  $ ravel history
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
    .description('list past cycles of a plan, or of all: their phases, tasks, commits, time and cost')
    .option('--limit <n>', 'number of cycles, the newest last (default: 3, with --since all)')
    .option('--since <when>', 'only cycles in which a phase ended, or that were put back, since then')
    .option('--no-pager', 'no pager')
    // As it was called first.
    .addOption(new Option('--cycles <n>').hideHelp())
    .addHelpText('after', help)
    .action((plan, options) => start((context) => history(context, plan, options)));
}

const cyclesMax = 1000;

async function history(context: CommandContext, named: string | undefined, flags: HistoryFlags): Promise<number> {
  const { ports, globals, style, columns } = context;
  const count = flags.limit ?? flags.cycles ?? (flags.since === undefined ? '3' : String(cyclesMax));
  const limit = numberFlag(flags.cycles === undefined ? '--limit' : '--cycles', count, cyclesMax);
  const sinceMs = flags.since === undefined ? undefined : namedTime(flags.since, ports.clock.wallMs());
  return withApi(ports, globals.vault, 'local', async ({ api }) => {
    const load = async (plan: QualifiedId) => {
      const found = await api.request('history', { plan, limit });
      return sinceMs === undefined ? found : newerThan(found, sinceMs);
    };
    const asked = await plansOf(api, named);
    if (typeof asked === 'string') {
      const result = await load(asked);
      await context.page(result, formatHistory(result, style, columns), flags.pager);
      return 0;
    }
    const plans = [];
    for (const { plan } of asked) plans.push({ plan, ...(await load(plan)) });
    const shown = plans.filter(({ cycles }) => cycles.length > 0);
    const lines = shown.flatMap((one, at) => [
      ...(at === 0 ? [] : ['']),
      style.strong(one.plan),
      ...formatHistory(one, style, columns),
    ]);
    const none = sinceMs === undefined ? 'No phase has ended yet.' : 'No phase has ended since then.';
    await context.page({ plans: shown }, shown.length === 0 ? [none] : lines, flags.pager);
    return 0;
  });
}

function newerThan(history: RequestResults['history'], sinceMs: number): RequestResults['history'] {
  const isNewer = ({ endedAt }: { readonly endedAt: string }) => Date.parse(endedAt) >= sinceMs;
  const cycles = history.cycles.filter((cycle) => recordsOfCycle(cycle).some(isNewer));
  return { ...history, cycles };
}
