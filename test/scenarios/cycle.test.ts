import { describe, expect, test } from 'vitest';
import { makeCycleWorld } from '../support/cycleWorld.ts';
import { describeOutcome } from '../support/describeOutcome.ts';
import { createNormaliser, formatEvents } from '../support/eventText.ts';
import { expectGolden } from '../support/golden.ts';
import { inProcessSessions } from '../support/inProcessSessions.ts';
import { startCore } from '../support/world.ts';

/**
 * Each start costs a phase a few milliseconds, and the tests half of their time. One that is added has to be worth it;
 * one that is saved lowers the bound.
 */
const gitStartsMax = 183;

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
});
