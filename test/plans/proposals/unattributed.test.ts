import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { changePlanFiles } from '../../../src/plans/proposals/planWriter.ts';
import { unattributedChanges } from '../../../src/plans/proposals/unattributed.ts';
import { failureOf } from '../../support/failureOf.ts';
import { backlogOf, makePlanWorld, type PlanWorld } from '../../support/planServices.ts';

async function check(change: (world: PlanWorld, directory: string) => unknown, expected: string[]): Promise<void> {
  const world = await makePlanWorld({ children: ['Demo/project-root/child'] });
  const { transaction } = await world.begin('work');
  const directory = join(world.project, 'ravel/project-root');
  await change(world, directory);
  expect(await unattributedChanges(world.services, world.plan, directory, transaction.folder)).toEqual(expected);
}

const byVerb = (world: PlanWorld, text: string) =>
  changePlanFiles(world.services, world.plan, () => ({ edits: new Map([['backlog.yaml', text]]), result: 0 }));

test('an unchanged plan has no unattributed changes', () => check(() => undefined, []));

test('a change by a verb is attributed', () => check((world) => byVerb(world, backlogOf('one')), []));

test('every other change is unattributed', async () => {
  await check((world) => world.writePlan('backlog.yaml', backlogOf('one')), ['backlog.yaml']);
  await check((world) => world.removePlan('memory.yaml'), ['memory.yaml']);
  await check((world) => world.writePlan('note.txt', 'new'), ['note.txt']);
  await check((_world, directory) => symlink('/etc/hosts', join(directory, 'link')), ['link']);
});

test('a plan that is gone is refused rather than reported as changed', async () => {
  const problem = await failureOf(() => check((world) => world.removePlan('plan-state.md'), []));
  expect(problem.code).toBe('plan/gone');
});

test('a verb does not attribute an edit made before or after it', async () => {
  await check(
    async (world) => {
      await byVerb(world, backlogOf('one'));
      world.writePlan('backlog.yaml', backlogOf('two'));
      world.writePlan('phase.md', 'triage\n');
    },
    ['backlog.yaml', 'phase.md'],
  );
  await check(
    async (world) => {
      world.writePlan('backlog.yaml', backlogOf('two'));
      await byVerb(world, backlogOf('one'));
    },
    ['backlog.yaml'],
  );
});

test('rendered views, temporary files and child plans are ignored', async () => {
  await check((world) => world.writePlan('backlog.md', 'a view'), []);
  await check((world) => world.writePlan('.backlog.yaml.1a.tmp', 'a leftover'), []);
  await check(async (_world, directory) => {
    await writeFile(join(directory, 'child/backlog.yaml'), backlogOf('one'));
    await mkdir(join(directory, 'folder'));
  }, []);
});
