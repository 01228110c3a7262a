import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inspectFile } from '../../src/inspect/changedFile.ts';
import { inspectChanges } from '../../src/inspect/changes.ts';
import { checkRepository, takeWorkBaseline } from '../../src/plans/phases/preflight.ts';
import { demoPlan, makePlanWorld, type PlanWorld } from '../support/planServices.ts';

/** A look at work that began after `before`, and has done `since`. */
async function lookAfter(before: (world: PlanWorld) => unknown, since: (world: PlanWorld) => unknown) {
  const world = await makePlanWorld({ source: { 'a.txt': 'one\n', 'b.txt': 'one\n' } });
  const { services, location } = world;
  await before(world);
  const work = await takeWorkBaseline(services, location, await checkRepository(services, location));
  await since(world);
  const at = { plan: demoPlan, session: services.newUlid(), phase: 'work' } as const;
  return { services, location, state: { baselines: { work }, cycle: 1 }, records: [], rollbacks: [], at };
}

async function check(
  before: (world: PlanWorld) => unknown,
  since: (world: PlanWorld) => unknown,
  expected: { readonly files: readonly string[]; readonly earlier?: number },
): Promise<void> {
  const { sets } = await inspectChanges(await lookAfter(before, since));
  const source = sets.find(({ kind }) => kind === 'source');
  const files = source?.files.map(
    ({ path, status, added, removed, changedBefore }) =>
      `${path} ${status} +${added} -${removed}${changedBefore ? ', also before' : ''}`,
  );
  expect({ files, earlier: source?.earlierCount ?? 0 }).toEqual({ earlier: 0, ...expected });
}

const editsOfAPerson = ({ write, project }: PlanWorld) => {
  write('Demo/a.txt', 'mine\n');
  write('Demo/new.txt', 'mine\n');
  rmSync(join(project, 'b.txt'));
};

test('what a person had changed before work began is not listed as the doing of the session', () =>
  check(editsOfAPerson, ({ write }) => write('Demo/made.txt', 'by the session\n'), {
    files: ['made.txt added +1 -0'],
    earlier: 3,
  }));

test('what both have changed is listed, and said to be of both', () =>
  check(editsOfAPerson, ({ write }) => write('Demo/new.txt', 'mine\nand the session’s\n'), {
    files: ['new.txt added +2 -0, also before'],
    earlier: 2,
  }));

test('a person’s change that a session undid is listed, though the file is as it was committed', () =>
  check(
    ({ write }) => write('Demo/a.txt', 'mine\n'),
    ({ write }) => write('Demo/a.txt', 'one\n'),
    {
      files: ['a.txt changed +0 -0, also before'],
    },
  ));

test('text that a person had changed before is not shown as a change', async () => {
  const look = await lookAfter(editsOfAPerson, () => undefined);
  const wanted = { set: 'source', path: 'new.txt', side: 'after' } as const;
  await expect(inspectFile(look, wanted)).rejects.toThrow('is not among these changes');
});
