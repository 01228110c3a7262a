import { expect, test } from 'vitest';
import { formatYaml } from '../../src/yaml/yaml.ts';
import { claudeSettings, startClaudeWorld } from '../support/claudeWorld.ts';
import {
  cycleTask,
  expectSentAsAccounted,
  givenScript,
  largeMemory,
  namedFiles,
  smallBudget,
} from '../support/givenCycle.ts';
import { makeWorld, startCore } from '../support/world.ts';

test('context.json and what came later are, byte for byte, what the real Claude Code sends in a whole cycle', async () => {
  const task = { id: 'keep-cold', ...cycleTask, status: 'not_started', dependencies: [] };
  const world = await makeWorld({
    settings: `${claudeSettings()}${smallBudget}`,
    files: namedFiles,
    plan: { 'memory.yaml': largeMemory, 'backlog.yaml': formatYaml({ tasks: [task] }) },
  });
  const { model, environment } = await startClaudeWorld(world, givenScript);
  const { core } = await startCore({ ...world, environment }, { sessions: 'processes' });
  const report = await core.api.request('run_cycle', { plan: world.plan, harness: 'claude-code' });
  expect([report.reason, model.mismatches]).toEqual(['the cycle is complete', []]);
  await expectSentAsAccounted(world, report, model.requests);
});
