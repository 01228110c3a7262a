import { describe, expect, test } from 'vitest';
import { makeCycleWorld } from '../support/cycleWorld.ts';
import { describeOutcome } from '../support/describeOutcome.ts';
import { createNormaliser, formatEvents } from '../support/eventText.ts';
import { expectGolden } from '../support/golden.ts';
import { startCore } from '../support/world.ts';

describe('one cycle with the scripted harness', () => {
  test('runs all five reasoning phases and leaves the recorded events, files and commits', async () => {
    const world = await makeCycleWorld();
    const { core, events } = await startCore(world);
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
    const normalise = createNormaliser(world.root);
    await expectGolden(formatEvents(events, normalise), 'scenarios/cycle.events.txt');
    await expectGolden(normalise(await describeOutcome(world)), 'scenarios/cycle.files.txt');
  });
});
