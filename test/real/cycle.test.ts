import { expect, test } from 'vitest';
import { claudeSettings, startClaudeWorld } from '../support/claudeWorld.ts';
import { cycleScenario, cycleSettings, makeCycleWorld } from '../support/cycleWorld.ts';
import { describeOutcome } from '../support/describeOutcome.ts';
import { createNormaliser, formatEvents } from '../support/eventText.ts';
import { expectGolden } from '../support/golden.ts';
import { startCore } from '../support/world.ts';

test('a cycle with the real Claude Code gives the same events, files and commits as the scripted one', {
  timeout: 120_000,
}, async () => {
  const world = await makeCycleWorld({ settings: `${cycleSettings}\n${claudeSettings()}` });
  const { model, environment } = await startClaudeWorld(world, cycleScenario);
  const { core, events } = await startCore({ ...world, environment });
  const report = await core.api.request('run_cycle', { plan: world.plan, harness: 'claude-code' });
  expect(model.mismatches).toEqual([]);
  expect(report.reason).toBe('the cycle is complete');
  const normalise = createNormaliser(world.root);
  await expectGolden(formatEvents(events, normalise), 'scenarios/cycle.events.txt');
  await expectGolden(normalise(await describeOutcome(world)), 'scenarios/cycle.files.txt');
});
