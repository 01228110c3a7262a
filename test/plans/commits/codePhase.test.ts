import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ensureDirectory } from '../../../src/base/files.ts';
import { secretId } from '../../../src/gates/secrets/secretId.ts';
import type { CodePhase } from '../../../src/model/phase.ts';
import type { PlanFile } from '../../../src/model/plan.ts';
import { runCodePhase } from '../../../src/plans/commits/codePhase.ts';
import { joined } from '../../support/madeSecrets.ts';
import { backlogOf, makePlanWorld, memoryOf, type PlanWorld } from '../../support/planServices.ts';

async function make(phase: CodePhase, plan: Partial<Record<PlanFile, string>> = {}): Promise<PlanWorld> {
  const files = { 'phase.md': `${phase}\n`, 'backlog.yaml': backlogOf('a'), ...plan };
  const world = await makePlanWorld({ plan: files, source: { 'a.txt': 'a\n' } });
  await ensureDirectory(world.services.disk, world.services.layout.plans);
  return world;
}

async function run(world: PlanWorld, phase: CodePhase) {
  const session = world.services.newUlid();
  const { services, location } = world;
  const result = await runCodePhase(services, { location, phase, session, children: [] });
  expect(result).toMatchObject({ outcome: 'done' });
  return world.planText('phase.md')?.trim();
}

describe('the session log in a code phase', () => {
  const latest = 'id: s1\ntimestamp: 2026-04-12T08:00:00Z\nphase: work\nbody: |\n  It works.\n';

  test('is not made without a latest record', async () => {
    const world = await make('git-commit-work');
    world.removePlan('session-log.yaml');
    expect(await run(world, 'git-commit-work')).toBe('reflect');
    expect(world.planText('session-log.yaml')).toBeUndefined();
  });

  test('gets the latest record once, with its time as written', async () => {
    const world = await make('git-commit-work', { 'latest-session.yaml': latest });
    world.removePlan('session-log.yaml');
    await run(world, 'git-commit-work');
    const log = world.planText('session-log.yaml') ?? '';
    expect(log).toContain(
      'sessions:\n- id: s1\n  timestamp: 2026-04-12T08:00:00Z\n  phase: work\n  body: |\n    It works.\n',
    );
    world.writePlan('phase.md', 'git-commit-work\n');
    await run(world, 'git-commit-work');
    expect(world.planText('session-log.yaml')).toBe(log);
    expect(world.planText('latest-session.yaml')).toBe(latest);
  });

  test('keeps earlier records byte for byte', async () => {
    const old = 'sessions:\n- {id: s0, timestamp: 2026-04-11T08:00:00Z, phase: work, body: x} # old\n';
    const world = await make('git-commit-work', { 'latest-session.yaml': latest, 'session-log.yaml': old });
    await run(world, 'git-commit-work');
    expect(world.planText('session-log.yaml')?.startsWith(old)).toBe(true);
  });
});

describe('the phase after a reflection', () => {
  /** Title and body of the one entry have this many words. */
  const memory = (words: number) => memoryOf({ m: Array.from({ length: words - 3 }, () => 'word').join(' ') });

  test.each<[string, Partial<Record<PlanFile, string>>, string]>([
    [
      'triage when the memory grew by exactly the headroom',
      { 'dream-word-count': '100\n', 'memory.yaml': memory(1600) },
      'triage',
    ],
    [
      'dream when the memory grew by one word more than the headroom',
      { 'dream-word-count': '100\n', 'memory.yaml': memory(1601) },
      'dream',
    ],
    ['triage with an empty memory', { 'dream-word-count': '0\n', 'memory.yaml': 'entries: []\n' }, 'triage'],
    ['triage with an unreadable memory', { 'dream-word-count': '0\n', 'memory.yaml': 'entries: [\n' }, 'triage'],
  ])('is %s', async (_name, files, expected) => {
    const world = await make('git-commit-reflect', files);
    expect(await run(world, 'git-commit-reflect')).toBe(expected);
  });

  test('is dream when a missing word count makes the whole memory count as growth', async () => {
    const world = await make('git-commit-reflect', { 'memory.yaml': memory(1501) });
    world.removePlan('dream-word-count');
    expect(await run(world, 'git-commit-reflect')).toBe('dream');
  });

  test('is triage without a memory', async () => {
    const world = await make('git-commit-reflect');
    world.removePlan('memory.yaml');
    expect(await run(world, 'git-commit-reflect')).toBe('triage');
  });
});

test('what changed after it was judged is judged again as it is committed', async () => {
  const world = await make('git-commit-work');
  const { services, location } = world;
  const token = joined('gh¦p_85RKTjrXp3l2pdI4YTHRu3kowQ2hZAPfWq6S');
  await writeFile(join(location.projectDirectory, 'late.txt'), `${token}\n`);
  const job = { location, phase: 'git-commit-work' as const, session: services.newUlid(), children: [] };
  const thrown: unknown = await runCodePhase(services, job).catch((error: unknown) => error);
  expect(thrown).toMatchObject({ code: 'gate/secretInCommit', message: expect.stringContaining('late.txt, line 1') });
  expect(world.planText('phase.md')).toBe('git-commit-work\n');
  const gates = { ...services.settings.gates, 'allowed-secrets': [secretId(token)] };
  const allowing = { ...services, settings: { ...services.settings, gates } };
  expect(await runCodePhase(allowing, job)).toMatchObject({ outcome: 'done', next: 'reflect' });
});
