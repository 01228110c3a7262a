import { readdir } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { makeCycleWorld } from '../support/cycleWorld.ts';
import { createNormaliser, formatEvents } from '../support/eventText.ts';
import { expectGolden } from '../support/golden.ts';
import { startCore, type World } from '../support/world.ts';

describe('one cycle with the scripted harness', () => {
  test('runs all five reasoning phases, and leaves files and commits as written down', async () => {
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

/** Files, history and status after a run, as one text. */
async function describeOutcome(world: World): Promise<string> {
  const sections: string[] = [];
  for (const file of (await readdir(world.planDirectory)).sort()) {
    if (!file.endsWith('.md') || file === 'phase.md') {
      sections.push(`=== ${file}\n${await world.readPlan(file)}`);
    }
  }
  sections.push(`=== git log\n${await world.git('log', '--reverse', '--stat=100', '--format=commit %s%n%b')}`);
  sections.push(`=== git status\n${await world.git('status', '--porcelain')}`);
  return sections.join('\n');
}
