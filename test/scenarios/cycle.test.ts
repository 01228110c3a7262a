import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeCycleWorld } from '../support/cycleWorld.ts';
import { describeOutcome } from '../support/describeOutcome.ts';
import { createNormaliser, formatEvents } from '../support/eventText.ts';
import { expectGolden } from '../support/golden.ts';
import { inProcessSessions } from '../support/inProcessSessions.ts';
import { runPhase, scenarioText } from '../support/scenarioRuns.ts';
import { startCore } from '../support/world.ts';

/**
 * Each start costs a phase a few milliseconds, and the tests half of their time. One that is added has to be worth it;
 * one that is saved lowers the bound.
 */
const gitStartsMax = 136;

describe('one cycle with the scripted harness', () => {
  test('runs all five reasoning phases and leaves the recorded events, files and commits', async () => {
    const world = await makeCycleWorld();
    const commands: string[] = [];
    const { core, events } = await startCore(world, {
      spawn: (program, args, options) => {
        if (program === 'git') commands.push(args.join(' '));
        return inProcessSessions.spawn(program, args, options);
      },
    });
    const report = await core.api.request('run_cycle', {
      plan: world.plan,
      harness: 'scripted',
      scenario: world.scenario,
    });
    expect(report.reason).toBe('the cycle is complete');
    expect(report.phases.map((phase) => [phase.phase, phase.end])).toEqual([
      ['work', 'finished'],
      ['analyse-work', 'finished'],
      ['reflect', 'finished'],
      ['dream', 'finished'],
      ['triage', 'finished'],
    ]);
    expect(commands.length, commands.join('\n')).toBeLessThanOrEqual(gitStartsMax);
    const normalise = createNormaliser(world.root);
    await expectGolden(formatEvents(events, normalise), 'scenarios/cycle.events.txt');
    await expectGolden(normalise(await describeOutcome(world)), 'scenarios/cycle.files.txt');
  });

  test('leaves views that name the phase which is next', async () => {
    const world = await makeCycleWorld();
    const { core } = await startCore(world);
    const named = async () => {
      const next = (await readFile(join(world.planDirectory, 'phase.md'), 'utf8')).trim();
      const views = ['backlog.md', 'memory.md', 'session-log.md'].map((name) =>
        readFile(join(world.planDirectory, name), 'utf8').catch(() => ''),
      );
      const phases = (await Promise.all(views)).flatMap((text) => /^phase: (.*)$/m.exec(text)?.[1] ?? []);
      return { next, views: [...new Set(phases)] };
    };
    for (const next of ['analyse-work', 'reflect', 'dream', 'triage', 'work']) {
      await runPhase(core, world);
      expect(await named()).toEqual({ next, views: [next] });
    }
    await core.stop();
  });
});

test('work that fails in the second cycle and is dismissed leaves the plan as it was', async () => {
  const world = await makeCycleWorld();
  const { core } = await startCore(world);
  await core.api.request('run_cycle', { plan: world.plan, harness: 'scripted', scenario: world.scenario });
  const record = await readFile(join(world.planDirectory, 'latest-session.yaml'), 'utf8');
  await writeFile(world.scenario, scenarioText({ work: [{ exit: 3 }] }));
  const args = { title: 'Ready', category: 'any' };
  await core.api.request('state', { plan: world.plan, verb: 'backlog/add', args });
  const status = () => world.git('status', '--porcelain', '--', 'ravel');
  const added = await status();
  expect(added).toContain('backlog.yaml');
  const { end, session } = await runPhase(core, world);
  expect(end).toBe('failed');
  expect(await core.api.request('dismiss', { plan: world.plan })).toEqual({
    dismissed: session,
    phase: 'work',
    keptIn: expect.stringContaining(session),
  });
  expect(await status()).toBe(added);
  expect(await readFile(join(world.planDirectory, 'latest-session.yaml'), 'utf8')).toBe(record);
  await core.stop();
});
