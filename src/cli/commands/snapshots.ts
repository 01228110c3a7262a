import type { Command } from 'commander';
import { resolvePlan, withApi } from '../../access/openApi.ts';
import { defined } from '../../base/defined.ts';
import { shellWord } from '../../base/text.ts';
import { failure } from '../../model/codes.ts';
import type { CommandContext, Start } from '../context.ts';
import { formatSnapshotDiff, formatSnapshots } from '../render/snapshots.ts';
import { numberFlag } from './numberFlag.ts';

const listHelp = `
A snapshot is a state of the plan that a commit has: its tasks, its memory, and where it is in its cycle.

Examples:
  $ ravel snapshots shop
  $ ravel snapshots shop --diff 4f2a90c1           what going back there would change
  $ ravel snapshots shop --diff 4f2a90c1 --with 9be0
`;

const rollbackHelp = `
The tasks, the memory and the phase are put back as they were. Messages, the session log, child plans and the source stay.
The state before is committed first, so \`ravel rollback\` also leads back.

Example:
  $ ravel rollback shop --to 4f2a90c1
`;

interface SnapshotsFlags {
  readonly diff?: string;
  readonly with?: string;
  readonly limit: string;
  readonly pager: boolean;
}

const limitMax = 10_000;

export function addSnapshotCommands(command: Command, start: Start): void {
  command
    .command('snapshots [plan]')
    .description('list the states that a plan had, or show what going back to one would change')
    .option('--diff <snapshot>', 'what going back to it would change')
    .option('--with <snapshot>', 'with --diff: compare with this snapshot and not with the plan as it is now')
    .option('--limit <n>', 'maximum number of snapshots', '20')
    .option('--no-pager', 'no pager')
    .addHelpText('after', listHelp)
    .action((plan, options) => start((context) => snapshots(context, plan, options)));
  command
    .command('rollback <plan>')
    .description("put a plan's tasks, memory and phase back as they were")
    .option('--to <snapshot>', 'id of the snapshot, from `ravel snapshots`; required')
    .addHelpText('after', rollbackHelp)
    .action((plan, options) => start((context) => rollback(context, plan, options.to)));
}

async function snapshots(context: CommandContext, named: string | undefined, flags: SnapshotsFlags): Promise<number> {
  const { ports, globals, style, columns } = context;
  const limit = numberFlag('--limit', flags.limit, limitMax);
  return withApi(ports, globals.vault, 'local', async ({ api }) => {
    const plan = await resolvePlan(api, named);
    if (flags.diff !== undefined) {
      const asked = { plan, snapshot: flags.diff, ...defined({ with: flags.with }) };
      const compared = await api.request('compare_snapshot', asked);
      await context.page(compared, formatSnapshotDiff(compared, style), flags.pager);
      return 0;
    }
    const found = await api.request('snapshots', { plan, limit });
    await context.page(found, formatSnapshots(found, style, columns), flags.pager);
    return 0;
  });
}

async function rollback(
  { ports, globals, result }: CommandContext,
  plan: string,
  snapshot: string | undefined,
): Promise<number> {
  if (snapshot === undefined) {
    const list = `ravel snapshots ${shellWord(plan)}`;
    throw failure('cli/usage', '--to', 'Say with --to which snapshot to go back to.', {
      help: `\`${list}\` lists them, and \`${list} --diff ID\` shows what going back to one would change.`,
    });
  }
  return withApi(ports, globals.vault, 'owner', async ({ api }) => {
    const done = await api.request('roll_back', { plan, snapshot });
    const { before, files, kept, uncommitted } = done;
    if (before === undefined) {
      result(done, [`${done.plan} is in this state already; nothing was changed.`]);
      return 0;
    }
    result(done, [
      `Put ${done.plan} back as it was at ${done.snapshot.slice(0, 12)}: ${files.join(', ')}.`,
      ...(kept.length === 0 ? [] : [`Saved by you at the same moment, and left as saved: ${kept.join(', ')}.`]),
      ...(uncommitted === undefined ? [] : [`It is not committed yet; the next phase commits it. ${uncommitted}`]),
      `To undo this: \`ravel rollback ${shellWord(done.plan)} --to ${before.slice(0, 12)}\`.`,
    ]);
    return 0;
  });
}
