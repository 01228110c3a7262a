import { describe, expect, test } from 'vitest';
import { ensureDirectory } from '../../../src/base/files.ts';
import type { SummarisedPhase } from '../../../src/model/phaseSummary.ts';
import { loadSummaryBaseline } from '../../../src/plans/commits/summaryBaseline.ts';
import { updateRunState } from '../../../src/vault/runState.ts';
import { failureOf } from '../../support/failureOf.ts';
import { backlogOf, makePlanWorld, memoryOf, type PlanWorld } from '../../support/planServices.ts';

async function make(): Promise<PlanWorld> {
  const plan = { 'backlog.yaml': backlogOf('a'), 'memory.yaml': memoryOf({ m: 'one' }) };
  return makePlanWorld({ plan, source: { 'a.txt': 'a\n' } });
}

async function commit(world: PlanWorld, title: string, ...trailers: string[]): Promise<string> {
  await world.git('commit', '--quiet', '--allow-empty', '--all', '-m', title, '-m', trailers.join('\n'));
  return (await world.git('rev-parse', 'HEAD')).trim();
}

function load(world: PlanWorld, phase: SummarisedPhase, baseline?: string) {
  return loadSummaryBaseline(world.services, world.location, { phase, baseline });
}

test('a given baseline can be any name of a commit, and only the file of the phase is read', async () => {
  const world = await make();
  const first = backlogOf('a');
  world.writePlan('backlog.yaml', backlogOf('a', 'b'));
  const second = await commit(world, 'More');
  expect([...(await load(world, 'triage', 'HEAD~1'))]).toEqual([['backlog.yaml', first]]);
  expect([...(await load(world, 'triage', second.slice(0, 10)))]).toEqual([['backlog.yaml', backlogOf('a', 'b')]]);
  expect([...(await load(world, 'dream', second)).keys()]).toEqual(['memory.yaml']);
  expect([...(await load(world, 'reflect', second)).keys()]).toEqual(['memory.yaml']);
});

test('an empty baseline gives no files', async () => {
  expect((await load(await make(), 'triage', '')).size).toBe(0);
});

test('a file missing from the baseline commit is left out', async () => {
  const world = await make();
  world.removePlan('memory.yaml');
  await commit(world, 'Without');
  expect((await load(world, 'dream', 'HEAD')).size).toBe(0);
});

test.each(['nonsense', '0123456789012345678901234567890123456789', 'HEAD:a.txt'])(
  'a baseline %s that does not name a commit is refused',
  async (name) => {
    const error = await failureOf(async () => load(await make(), 'triage', name));
    expect(error).toMatchObject({ code: 'git/unknownCommit', message: expect.stringContaining(name) });
  },
);

describe('the default baseline of a phase', () => {
  test('is the one in the run state', async () => {
    const world = await make();
    const head = (await world.git('rev-parse', 'HEAD')).trim();
    world.writePlan('backlog.yaml', backlogOf('b'));
    await commit(world, 'Later', 'Ravel-Plan: Demo/project-root', 'Ravel-Phase: git-commit-reflect');
    await ensureDirectory(world.services.disk, world.services.layout.plans);
    await updateRunState(world.services, world.plan, (state) => ({ ...state, baselines: { triage: head } }));
    expect([...(await load(world, 'triage'))]).toEqual([['backlog.yaml', backlogOf('a')]]);
  });

  test('is otherwise the plan’s last commit before that phase', async () => {
    const world = await make();
    const mine = 'Ravel-Plan: Demo/project-root';
    const bodies: Record<string, string> = {};
    for (const phase of ['git-commit-work', 'git-commit-reflect', 'git-commit-triage']) {
      world.writePlan('memory.yaml', memoryOf({ m: phase }));
      world.writePlan('backlog.yaml', backlogOf(phase));
      bodies[phase] = await commit(world, phase, mine, `Ravel-Phase: ${phase}`);
    }
    world.writePlan('memory.yaml', memoryOf({ m: 'other' }));
    await commit(world, 'Another plan', 'Ravel-Plan: Demo/project-root/child', 'Ravel-Phase: git-commit-work');
    const of = async (phase: SummarisedPhase) => [...(await load(world, phase)).values()].join('');
    expect(await of('reflect')).toContain('body: git-commit-work');
    expect(await of('dream')).toContain('body: git-commit-reflect');
    expect(await of('triage')).toContain('id: git-commit-reflect');
    await commit(world, 'Dreamt', mine, 'Ravel-Phase: git-commit-dream');
    expect(await of('triage')).toContain('id: git-commit-triage');
  });

  test('is otherwise empty', async () => {
    expect((await load(await make(), 'reflect')).size).toBe(0);
  });
});
