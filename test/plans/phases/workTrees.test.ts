import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createDeferred } from '../../../src/base/async.ts';
import type { Phase } from '../../../src/model/phase.ts';
import { type OpenManualRun, WorkTrees } from '../../../src/plans/phases/workTrees.ts';
import type { PlanLocation } from '../../../src/vault/walk.ts';
import { makePlanWorld } from '../../support/planServices.ts';

const child = 'Demo/project-root/child';

async function makeTrees(byHand: OpenManualRun = () => undefined) {
  const world = await makePlanWorld({ children: [child], source: { 'main.ts': '' } });
  const trees = new WorkTrees(world.services, byHand);
  const { signal } = new AbortController();
  const [root, below] = [world.location, await world.locate(child)];
  const log: string[] = [];
  const run = (location: PlanLocation, phase: Phase) =>
    trees.withTree(location, phase, async () => void log.push(`${location.id} ${phase}`));
  return {
    trees,
    root,
    below,
    signal,
    log,
    run,
    events: world.events,
    git: world.git,
    onEvent: world.services.onEvent,
  };
}

test('a phase that reads the source waits for the tree, and other phases do not', async () => {
  const { trees, root, below, log, run, events } = await makeTrees();
  const end = createDeferred<void>();
  const working = trees.withTree(root, 'work', () => end.promise);
  const waiting = (['work', 'analyse-work', 'git-commit-work'] as const).map((phase) => run(below, phase));
  await run(below, 'reflect');
  expect(log).toEqual([`${child} reflect`]);
  expect(events).toMatchObject(
    ['work', 'analyse-work', 'git-commit-work'].map((phase) => ({ type: 'run.queued', actor: child, phase })),
  );
  expect(events[0]).toMatchObject({ behind: root.id, reason: `${root.id} works in the same tree` });
  end.resolve();
  await Promise.all([working, ...waiting]);
  expect(log.slice(1)).toEqual([`${child} work`, `${child} analyse-work`, `${child} git-commit-work`]);
});

test('who waits for a phase that a person has open is told how to end it', async () => {
  const root = 'Demo/project-root';
  const world = await makeTrees((plan) => (plan === root ? 'analyse-work' : undefined));
  const end = createDeferred<void>();
  const open = world.trees.withTree(world.root, 'analyse-work', () => end.promise);
  const waiting = world.run(world.below, 'work');
  const reason = `${root} has analyse-work open by hand in this tree. Finish it with \`ravel run ${root} --by-hand\`, or drop it with \`ravel dismiss ${root}\`.`;
  expect(world.events).toMatchObject([{ type: 'run.queued', behind: root, reason }]);
  expect(world.trees.waitsFor(world.below.id)).toBe(reason);
  end.resolve();
  await Promise.all([open, waiting]);
  expect(world.trees.waitsFor(world.below.id)).toBeUndefined();
});

test('a plan that holds the tree does not queue for it again', async () => {
  const { trees, root, log, run, events } = await makeTrees();
  await trees.withTree(root, 'work', () => run(root, 'git-commit-work'));
  expect(log).toEqual([`${root.id} git-commit-work`]);
  expect(events).toEqual([]);
});

test('a kept tree is held from work to its commits, and releasing it twice is harmless', async () => {
  const { trees, root, below, signal, log, run } = await makeTrees();
  await trees.keep(root, signal);
  const waiting = run(below, 'work');
  for (const phase of ['work', 'analyse-work', 'git-commit-work'] as const) await run(root, phase);
  expect(log).toEqual(['work', 'analyse-work', 'git-commit-work'].map((phase) => `${root.id} ${phase}`));
  trees.release(root.id);
  trees.release(root.id);
  await waiting;
  expect(log.at(-1)).toBe(`${child} work`);
});

describe('commits in one repository are made one after the other:', () => {
  test.each([
    ['of two plans of a project', (project: string) => project],
    ['in two working trees', (project: string) => join(project, '../tree')],
    ['of two projects in it', (project: string) => join(project, 'ravel')],
  ])('%s', async (_name, secondProject) => {
    const { trees, root, below, onEvent, git } = await makeTrees();
    const queued = new Promise((resolve) => {
      onEvent((event) => event.type === 'run.queued' && resolve(event));
    });
    await git('worktree', 'add', '--quiet', '-b', 'tree', join(root.projectDirectory, '../tree'));
    const [begun, end] = [createDeferred<void>(), createDeferred<void>()];
    const log: string[] = [];
    const first = trees.withRepository(root, 'git-commit-work', async () => {
      begun.resolve();
      await end.promise;
      log.push('first');
    });
    await begun.promise;
    const other = { ...below, projectDirectory: secondProject(root.projectDirectory) };
    const second = trees.withRepository(other, 'git-commit-triage', async () => void log.push('second'));
    expect(await Promise.race([queued, second])).toMatchObject({
      actor: child,
      reason: `${root.id} commits in the same repository`,
    });
    end.resolve();
    await Promise.all([first, second]);
    expect(log).toEqual(['first', 'second']);
  });
});
