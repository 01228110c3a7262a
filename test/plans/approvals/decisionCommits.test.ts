import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { Approval } from '../../../src/model/approval.ts';
import { loadApproval, openApproval } from '../../../src/plans/approvals/approvals.ts';
import { commitDecision, commitUncommittedDecisions } from '../../../src/plans/approvals/decisionCommits.ts';
import { recordDecision } from '../../../src/plans/approvals/decisions.ts';
import { ManualClock } from '../../support/manualClock.ts';
import { demoPlan, makePlanWorld } from '../../support/planServices.ts';

/** A vault with its own repository, like one that `ravel init` made. */
async function make(settings: object = {}) {
  const world = await makePlanWorld({ clock: new ManualClock(), settings });
  const { services, layout } = world;
  const git = async (...args: string[]) => {
    const env = { ...process.env, HOME: world.folder, GIT_CONFIG_NOSYSTEM: '1' };
    return (await promisify(execFile)('git', args, { cwd: layout.root, env })).stdout;
  };
  await git('init', '--quiet');
  await git('add', '--all');
  await git('commit', '--quiet', '-m', 'Start');
  return {
    ...{ world, services, git },
    /** Writes a decision to the disk and stops there, like a crash right after it. */
    async decide() {
      const id = await openApproval(services, {
        ...{ kind: 'needs-input', plan: demoPlan, session: services.newUlid() },
        ...{ subject: 'Which colour?', options: [], details: { question: 'Which colour?' } },
      });
      const approval = (await loadApproval(services, id)) as Approval;
      const made = await recordDecision(services, approval, { decision: 'accept', text: 'Blue.' });
      if (made === undefined) throw new Error('the approval was already decided');
      return made;
    },
    titles: async () => (await git('log', '--reverse', '--format=%s')).trim().split('\n'),
    status: async () => (await git('status', '--porcelain', '--untracked-files=all', '--', 'decisions')).trim(),
  };
}

test('a decision left uncommitted by a crash is committed once, with its usual title', async () => {
  const { services, decide, titles, status } = await make();
  await decide();
  for (const _again of [1, 2]) await commitUncommittedDecisions(services);
  expect(await titles()).toEqual(['Start', 'Record a decision: needs-input']);
  expect(await status()).toBe('');
});

test('several left decisions go into one commit, without files that a person added or changed', async () => {
  const { world, services, decide, git, titles, status } = await make();
  const first = await decide();
  await commitDecision(services, first);
  const [second, third] = [await decide(), await decide()];
  world.write(`vault/decisions/${first.id}.yaml`, 'mine\n');
  world.write('vault/decisions/notes.md', 'mine\n');
  world.write('vault/decisions/01M7X4TZFWPVQT6PFG4SYTM4BP.yaml', 'no decision\n');
  await commitUncommittedDecisions(services);
  expect(await titles()).toEqual(['Start', 'Record a decision: needs-input', 'Record 2 decisions']);
  expect((await git('show', '--format=', '--name-only')).trim().split('\n')).toEqual(
    [second.id, third.id].sort().map((id) => `decisions/${id}.yaml`),
  );
  expect((await status()).split('\n').map((line) => line.trim())).toEqual([
    `M decisions/${first.id}.yaml`,
    '?? decisions/01M7X4TZFWPVQT6PFG4SYTM4BP.yaml',
    '?? decisions/notes.md',
  ]);
});

test('a crash between a commit and the index update does not leave a staged removal', async () => {
  const { services, decide, git, titles, status } = await make();
  const { id } = await decide();
  await commitUncommittedDecisions(services);
  await git('rm', '--quiet', '--cached', `decisions/${id}.yaml`);
  expect(await status()).toContain('D ');
  await commitUncommittedDecisions(services);
  expect(await status()).toBe('');
  expect(await titles()).toHaveLength(2);
});

test.each([
  ['when the vault’s commit setting is never', { vault: { commit: 'never' } }, '??'],
  ['when nothing is decided', {}, ''],
] as const)('left decisions are not committed %s', async (_where, settings, expected) => {
  const { services, decide, titles, status } = await make(settings);
  if (expected !== '') await decide();
  await commitUncommittedDecisions(services);
  expect(await titles()).toEqual(['Start']);
  expect((await status()).slice(0, 2)).toBe(expected);
});

test('a vault without a repository gets a warning, and its start continues', async () => {
  const world = await makePlanWorld({ clock: new ManualClock() });
  world.write('vault/decisions/01M7X4TZFWPVQT6PFG4SYTM4BP.yaml', 'no decision\n');
  await commitUncommittedDecisions(world.services);
  expect(world.events).toMatchObject([{ type: 'diagnostic', diagnostic: { severity: 'warning' } }]);
});
