import type { Command } from 'commander';
import { withApi } from '../../access/openApi.ts';
import { failure } from '../../model/codes.ts';
import { type SearchPlace, searchLimitMax, searchPlaces } from '../../model/requests/search.ts';
import type { CommandContext, Start } from '../context.ts';
import { formatDiagnostics } from '../render/diagnostics.ts';
import { formatFound } from '../render/found.ts';
import { several } from '../several.ts';

const help = `
QUERY is any text: words, a name from the code, a path, an error message, a whole question. The best entry comes first.
You can give an option several times; an entry must match one value of each option.

Examples:
  $ ravel search "refunds are paid twice"
  $ ravel search readPlanFile --in memory --in knowledge
  $ ravel search timeout --plan shop --status not_started
  $ ravel search "lock order" --explain
  $ ravel search "lock order" --json | jq .result.hits
`;

interface SearchFlags {
  readonly in?: readonly string[];
  readonly plan?: string;
  readonly tag?: readonly string[];
  readonly kind?: readonly string[];
  readonly status?: readonly string[];
  readonly limit?: string;
  readonly bytes?: string;
  readonly explain?: boolean;
}

export function addSearchCommand(command: Command, start: Start): void {
  command
    .command('search <query...>')
    .description('find what the vault knows: memory, tasks, sessions, decisions, plans and notes')
    .addOption(several('--in <place>', `search only there: ${searchPlaces.join(', ')}`))
    .option('--plan <plan>', 'only entries of this plan')
    .addOption(several('--tag <tag>', 'only entries with this tag'))
    .addOption(
      several('--kind <kind>', 'only entries of this kind, such as the category of a task or the phase of a session'),
    )
    .addOption(several('--status <status>', 'only entries with this status'))
    .option('--limit <count>', `maximum number of entries, up to ${searchLimitMax} (default: 20)`)
    .option('--bytes <count>', 'only as many entries as fit in this number of bytes')
    .option('--explain', 'show what made up each score')
    .addHelpText('after', help)
    .action((words: readonly string[], flags: SearchFlags) =>
      start((context) => search(context, words.join(' '), flags)),
    );
}

async function search(context: CommandContext, query: string, flags: SearchFlags): Promise<number> {
  const { ports, globals, style, columns } = context;
  const places = flags.in?.map(toPlace);
  return withApi(ports, globals.vault, 'local', async ({ api }) => {
    const found = await api.request('search', {
      ...{ query, in: places, plan: flags.plan, tags: flags.tag?.slice() },
      ...{ kinds: flags.kind?.slice(), statuses: flags.status?.slice() },
      ...{ limit: count('--limit', flags.limit), bytes: count('--bytes', flags.bytes) },
      ...{ explain: flags.explain, fresh: true },
    });
    context.result(found, [
      ...formatFound(found, { style, columns, isExplained: flags.explain === true }),
      ...formatDiagnostics(found.diagnostics, style, columns),
    ]);
    return 0;
  });
}

function toPlace(text: string): SearchPlace {
  const place = searchPlaces.find((known) => known === text);
  if (place !== undefined) return place;
  throw failure('cli/usage', '--in', `"${text}" is not a place; the places are ${searchPlaces.join(', ')}.`);
}

function count(flag: string, text: string | undefined): number | undefined {
  const number = Number(text);
  if (text === undefined || (Number.isSafeInteger(number) && number > 0))
    return text === undefined ? undefined : number;
  throw failure('cli/usage', flag, `"${text}" is not a whole number above 0.`);
}
