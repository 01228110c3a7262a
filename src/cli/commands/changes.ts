import type { Command } from 'commander';
import { withApi } from '../../access/openApi.ts';
import { harmless } from '../../base/text.ts';
import { failure } from '../../model/codes.ts';
import type { Api } from '../../model/protocol.ts';
import type { ChangedText, ChangesPage } from '../../model/requests/inspect.ts';
import type { CommandContext, Start } from '../context.ts';
import { plansOf } from '../recentPlans.ts';
import { diffOf, type FileDiff, formatChanges, patchOf } from '../render/sessionChanges.ts';
import { chosenSession } from './given.ts';
import { numberFlag } from './numberFlag.ts';

const help = `
Without a plan or session: the newest session of each plan that ran last. Without options: the files with the lines added and removed, the diff, and the claims with what code found. Of a work
session these are the commits that followed, or the files of the project as long as nothing is committed.

Examples:
  $ ravel changes shop                             the newest session of the plan
  $ ravel changes 01JD0000000000000000000001 --stat
  $ ravel changes shop --patch --no-pager
`;

interface ChangesFlags {
  readonly stat?: true;
  readonly patch?: true;
  readonly files: string;
  readonly pager: boolean;
}

export function addChangesCommand(command: Command, start: Start): void {
  command
    .command('changes [plan-or-session]')
    .description('show what a session changed, as a diff, and its claims with their evidence')
    .option('--stat', 'only the files and the claims')
    .option('--patch', 'only the diff')
    .option('--files <n>', 'maximum number of files whose diff is shown', '50')
    .option('--no-pager', 'no pager')
    .addHelpText('after', help)
    .action((named, options) => start((context) => changes(context, named, options)));
}

async function changes(context: CommandContext, named: string | undefined, flags: ChangesFlags): Promise<number> {
  const filesMax = numberFlag('--files', flags.files, 2000);
  const wantsDiff = flags.stat !== true || flags.patch === true;
  const { ports, globals } = context;
  return withApi(ports, globals.vault, 'local', async ({ api }) => {
    const asked = named === undefined ? await plansOf(api, named) : undefined;
    const chosen = typeof asked === 'object' ? asked : [await chosenSession(api, named)];
    if (chosen.length > 1 && flags.patch === true) {
      throw failure('cli/usage', '--patch', 'A patch is of one session: name a plan or a session.');
    }
    const { style, columns } = context;
    const facts = flags.patch !== true || flags.stat === true;
    const results = [];
    const all: FileDiff[] = [];
    const lines: string[] = chosen.length === 0 ? ['No session has run yet.'] : [];
    for (const one of chosen) {
      const page = await api.request('changes', one);
      const diffs = wantsDiff ? await loadDiffs(api, page, filesMax - all.length) : [];
      all.push(...diffs);
      results.push({ ...page, ...(wantsDiff && { diffs }) });
      lines.push(
        ...(lines.length === 0 || !facts ? [] : ['']),
        ...formatChanges(page, { facts, diffs }, { style, columns }),
      );
    }
    const { text, left } = patchOf(all);
    const isPatch = !facts;
    if (isPatch && left.length > 0) {
      const names = left.map((path) => harmless(path)).join(', ');
      // Standard output is the patch and nothing else.
      if (globals.json !== true && globals.quiet !== true) {
        ports.stderr.write(
          `Not in the patch, since they are too long, not text, or have a name that is not UTF-8: ${names}.\n`,
        );
      }
    }
    const result = typeof asked === 'object' ? { plans: results } : results[0];
    await context.page(result, lines, flags.pager, isPatch ? text : undefined);
    return 0;
  });
}

/** Both sides of each file, a file after the other: an owner limits the requests that a client has under way. */
async function loadDiffs(api: Api, { plan, session, sets }: ChangesPage, filesMax: number): Promise<FileDiff[]> {
  const wanted = sets.flatMap(({ set, files }) => files.map((file) => ({ set, file }))).slice(0, filesMax);
  const diffs: FileDiff[] = [];
  for (const { set, file } of wanted) {
    const side = (name: 'before' | 'after'): Promise<ChangedText> =>
      api.request('changed_file', { plan, session, set, path: file.path, side: name });
    const [before, after] = await Promise.all([side('before'), side('after')]);
    diffs.push(diffOf(set, file.path, before, after));
  }
  return diffs;
}
