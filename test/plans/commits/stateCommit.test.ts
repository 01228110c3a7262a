import { describe, expect, test } from 'vitest';
import { toQualifiedId, type Ulid } from '../../../src/model/id.ts';
import type { CodePhase } from '../../../src/model/phase.ts';
import { commitPlanState } from '../../../src/plans/commits/stateCommit.ts';
import { backlogOf, makePlanWorld, type PlanWorld } from '../../support/planServices.ts';

const session = '01M7X4TZFWPVQT6PFG4SYTM4BP' as Ulid;
const child = toQualifiedId('Demo/project-root/child');

async function makeWorld(): Promise<PlanWorld> {
  const world = await makePlanWorld({ children: [child], source: { 'a.txt': 'a\n' } });
  for (const [path, text] of [
    ['a.txt', 'changed\n'],
    ['ravel/project-root/backlog.yaml', backlogOf('one')],
    ['ravel/project-root/commits.yaml', 'commits: []\n'],
    ['ravel/project-root/dispatches.yaml', 'dispatches: []\n'],
    ['ravel/project-root/queries.yaml', 'queries: []\n'],
    ['ravel/project-root/child/backlog.yaml', backlogOf('two')],
    ['ravel/.gitignore', '*.tmp\n'],
    ['ravel/other.md', 'not of a plan\n'],
  ] as const) {
    world.write(`Demo/${path}`, text);
  }
  return world;
}

const commit = (world: PlanWorld, phase: CodePhase = 'git-commit-reflect', since?: string) =>
  commitPlanState(world.services.git, {
    ...{ location: world.location, phase, session, children: [child], since },
    message: 'Record what was learnt',
  });

const committed = async (world: PlanWorld) =>
  (await world.git('show', '--format=', '--name-only', 'HEAD')).split('\n').filter(Boolean);

describe('a commit of plan state', () => {
  test('takes a root plan’s own files and those of the adoption, but no source, scratch files or child plans', async () => {
    const world = await makeWorld();
    expect(await commit(world)).toMatchObject({ outcome: 'committed' });
    expect(await committed(world)).toEqual(['ravel/.gitignore', 'ravel/project-root/backlog.yaml']);
    expect(await world.git('log', '-1', '--format=%B')).toBe(
      `${[
        'Record what was learnt',
        '',
        'Ravel-Plan: Demo/project-root',
        'Ravel-Phase: git-commit-reflect',
        `Ravel-Session: ${session}`,
        `Ravel-Entry: ${session}/git-commit-reflect`,
      ].join('\n')}\n\n`,
    );
  });

  test('takes only the folder of a child plan', async () => {
    const world = await makeWorld();
    await commitPlanState(world.services.git, {
      ...{ location: await world.locate(child), phase: 'git-commit-triage', session, children: [] },
      message: 'Tidy up',
    });
    expect(await committed(world)).toEqual(['ravel/project-root/child/backlog.yaml']);
  });

  test('is made once for each code phase of a session', async () => {
    const world = await makeWorld();
    await commit(world);
    world.writePlan('backlog.yaml', backlogOf('one', 'three'));
    const head = await world.git('rev-parse', 'HEAD');
    expect(await commit(world)).toEqual({ outcome: 'nothing' });
    expect(await world.git('rev-parse', 'HEAD')).toBe(head);
    expect(await commit(world, 'git-commit-triage')).toMatchObject({ outcome: 'committed' });
  });

  test('is looked for after the commit at which work began, or everywhere if that commit is gone', async () => {
    const world = await makeWorld();
    await commit(world);
    const head = (await world.git('rev-parse', 'HEAD')).trim();
    world.writePlan('backlog.yaml', backlogOf('one', 'three'));
    expect(await commit(world, 'git-commit-reflect', `${'0'.repeat(39)}1`)).toEqual({ outcome: 'nothing' });
    expect(await commit(world, 'git-commit-reflect', `${head}~1`)).toEqual({ outcome: 'nothing' });
    expect(await commit(world, 'git-commit-reflect', head)).toMatchObject({ outcome: 'committed' });
  });

  test('does not stay staged as its own reversal when a crash came before the index was refreshed', async () => {
    const world = await makeWorld();
    await world.git('add', '--', 'ravel');
    await world.git('commit', '--quiet', '--message=State before');
    world.writePlan('backlog.yaml', backlogOf('one', 'three'));
    await commit(world);
    await world.git('read-tree', 'HEAD~1');
    expect(await commit(world)).toEqual({ outcome: 'nothing' });
    expect(await world.git('diff', '--cached', '--name-only')).toBe('');
  });

  test('is not made when nothing changed', async () => {
    const world = await makePlanWorld({ source: { 'a.txt': 'a\n' } });
    expect(await commit(world)).toEqual({ outcome: 'nothing' });
  });
});
