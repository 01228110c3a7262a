import type { Command } from 'commander';
import { withApi } from '../../access/openApi.ts';
import type { Api } from '../../model/protocol.ts';
import type { ChangedText, ChangesPage } from '../../model/requests/inspect.ts';
import type { CommandContext, Start } from '../context.ts';
import { diffOf, type FileDiff, formatChanges } from '../render/sessionChanges.ts';
import { chosenSession } from './given.ts';
import { numberFlag } from './numberFlag.ts';

const help = `
Without options: the files with the lines added and removed, the diff, and the claims with what code found. Of a work
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
  return withApi(context.ports, context.globals.vault, 'local', async ({ api }) => {
    const page = await api.request('changes', await chosenSession(api, named));
    const diffs = wantsDiff ? await loadDiffs(api, page, filesMax) : [];
    const { style, columns } = context;
    const parts = { facts: flags.patch !== true || flags.stat === true, diffs };
    const lines = formatChanges(page, parts, { style, columns });
    await context.page({ ...page, ...(wantsDiff && { diffs }) }, lines, flags.pager);
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
