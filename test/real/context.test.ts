import { expect, test } from 'vitest';
import { reasoningPhases } from '../../src/model/phase.ts';
import { claudeSettings, startClaudeWorld } from '../support/claudeWorld.ts';
import { cycleScenario, cycleSettings, makeCycleWorld } from '../support/cycleWorld.ts';
import { readAccounted, requestsOf, textsOf, toolsSent } from '../support/givenCycle.ts';
import { startCore } from '../support/world.ts';

test('context.json accounts for every byte that was sent, in each phase', { timeout: 120_000 }, async () => {
  const world = await makeCycleWorld({ settings: `${cycleSettings}\n${claudeSettings()}` });
  const { model, environment } = await startClaudeWorld(world, cycleScenario);
  const { core } = await startCore({ ...world, environment });
  const report = await core.api.request('run_cycle', { plan: world.plan, harness: 'claude-code' });
  expect(report.phases.map(({ phase }) => phase)).toEqual(reasoningPhases);
  for (const { phase, session } of report.phases) {
    // The parts follow each other without a gap, each is what its hash says, and the whole was sent as it is.
    const given = await readAccounted(world, session);
    const [request] = requestsOf(model.requests, phase);
    expect(request, `the first request of ${phase}`).toBeDefined();
    if (request === undefined) continue;
    const sent = textsOf(request);
    expect(sent).toContain(given.system);
    expect(sent).toContain(given.prompt);
    const ours = toolsSent(request);
    expect(ours).toEqual(given.tools);
    expect(given.recorded?.length).toBeGreaterThan(0);
    // Every other text and tool of the request is one that was recorded for this version and profile.
    const others = sent.length - 2 + (request.tools ?? []).length - ours.length;
    expect(given.recorded).toHaveLength(others);
    expect(given.reported?.inputTokens).toBeGreaterThan(0);
  }
});
