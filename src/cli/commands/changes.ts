import type { Command } from 'commander';
import { withApi } from '../../access/openApi.ts';
import { isRavelError } from '../../base/errors.ts';
import { harmless } from '../../base/text.ts';
import { failure } from '../../model/codes.ts';
import type { Api } from '../../model/protocol.ts';
import type { ChangedText, ChangesPage, CommitPage } from '../../model/requests/inspect.ts';
import type { CommandContext, Start } from '../context.ts';
import { plansOf } from '../recentPlans.ts';
import { diffOf, type FileDiff, formatChanges, formatCommit, patchOf } from '../render/sessionChanges.ts';
import { chosenSession } from './given.ts';
import { sessionByPart } from './logs.ts';
import { numberFlag } from './numberFlag.ts';
import { changesFiles, type PutBackFlags, putBackFiles } from './putBack.ts';

const help = `
Without a plan, session or commit: the newest session of each plan that ran last. Without options: the files with the lines
added and removed, the diff, and the claims with what code found. Of a work session these are the commits that followed, or
the files of the project as long as nothing is committed. Of a commit, what it changed.

What a work session changed and did not finish can be put back as it was before, file by file. A file that was changed after the
session is left as it is. What the session had left is kept, and \`--undo-put-back\` brings it again.

Examples:
  $ ravel changes shop                             the newest session of the plan
  $ ravel changes 01JD0000000000000000000001 --stat
  $ ravel changes 4f2a90c1                         a commit, as \`ravel history\` lists it
  $ ravel changes shop --patch --no-pager
  $ ravel changes shop --put-back src/cart.ts
  $ ravel changes shop --undo-put-back --all
`;

interface ChangesFlags extends PutBackFlags {
  readonly stat?: true;
  readonly patch?: true;
  readonly files: string;
  readonly pager: boolean;
}

export function addChangesCommand(command: Command, start: Start): void {
  command
    .command('changes [plan-or-session-or-commit]')
    .description('show what a session or a commit changed, as a diff, and the claims with their evidence')
    .option('--stat', 'only the files and the claims')
    .option('--patch', 'only the diff')
    .option('--files <n>', 'maximum number of files whose diff is shown', '50')
    .option('--put-back [paths...]', 'put files back as they were before the session')
    .option('--undo-put-back [paths...]', 'give files again what the session had left in them')
    .option('--all', 'with --put-back or --undo-put-back: all files of the session')
    .option('--no-pager', 'no pager')
    .addHelpText('after', help)
    .action((named, options) => start((context) => changes(context, named, options)));
}

async function changes(context: CommandContext, named: string | undefined, flags: ChangesFlags): Promise<number> {
  if (changesFiles(flags)) return putBackFiles(context, named, flags);
  const filesMax = numberFlag('--files', flags.files, 2000);
  const wantsDiff = flags.stat !== true || flags.patch === true;
  return withApi(context.ports, context.globals.vault, 'local', async ({ api }) => {
    const { style, columns } = context;
    const commit = named === undefined ? undefined : await commitNamed(api, named);
    if (commit !== undefined) {
      const diffs = wantsDiff ? await loadDiffs(api, commit, filesMax) : [];
      const lines = formatCommit(commit, { facts: flags.patch !== true || flags.stat === true, diffs }, style);
      return show(context, flags, { result: { ...commit, ...(wantsDiff && { diffs }) }, lines, diffs });
    }
    const asked = named === undefined ? await plansOf(api, named) : undefined;
    const chosen = typeof asked === 'object' ? asked : [await chosenSession(api, named)];
    if (chosen.length > 1 && flags.patch === true) {
      throw failure('cli/usage', '--patch', 'A patch is of one session: name a plan or a session.');
    }
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
    return show(context, flags, {
      ...{ result: typeof asked === 'object' ? { plans: results } : results[0], lines, diffs: all },
    });
  });
}

/** The commit of this name; undefined for what is none, such as a session or a plan. */
async function commitNamed(api: Api, named: string): Promise<CommitPage | undefined> {
  if (!/^[0-9a-f]{7,64}$/.test(named) || (await sessionByPart(api, named)) !== undefined) return undefined;
  try {
    return await api.request('commit_changes', { commit: named });
  } catch (error) {
    if (!isRavelError(error, 'git/unknownCommit')) throw error;
    const { plans } = await api.request('outline', {});
    // A plan can have such a name.
    if (plans.some(({ plan }) => plan.split('/').includes(named))) return undefined;
    throw error;
  }
}

interface Found {
  readonly result: unknown;
  readonly lines: readonly string[];
  readonly diffs: readonly FileDiff[];
}

async function show(context: CommandContext, flags: ChangesFlags, { result, lines, diffs }: Found): Promise<number> {
  const { ports, globals } = context;
  const { text, left } = patchOf(diffs);
  const isPatch = flags.patch === true && flags.stat !== true;
  if (isPatch && left.length > 0) {
    const names = left.map((path) => harmless(path)).join(', ');
    // Standard output is the patch and nothing else.
    if (globals.json !== true && globals.quiet !== true) {
      ports.stderr.write(
        `Not in the patch, since they are too long, not text, or have a name that is not UTF-8: ${names}.\n`,
      );
    }
  }
  await context.page(result, lines, flags.pager, isPatch ? text : undefined);
  return 0;
}

/** Both sides of each file, a file after the other: an owner limits the requests that a client has under way. */
async function loadDiffs(api: Api, page: ChangesPage | CommitPage, filesMax: number): Promise<FileDiff[]> {
  const { plan, sets } = page;
  // A page of a commit names the session only for the person.
  const session = 'commit' in page ? {} : { session: page.session };
  const wanted = sets.flatMap(({ set, files }) => files.map((file) => ({ set, file }))).slice(0, filesMax);
  const diffs: FileDiff[] = [];
  for (const { set, file } of wanted) {
    const side = (name: 'before' | 'after'): Promise<ChangedText> =>
      api.request('changed_file', { plan, ...session, set, path: file.path, side: name });
    const [before, after] = await Promise.all([side('before'), side('after')]);
    diffs.push(diffOf(set, file.path, before, after));
  }
  return diffs;
}
