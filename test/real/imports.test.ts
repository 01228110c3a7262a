import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { claudeSettings, startClaudeWorld } from '../support/claudeWorld.ts';
import { makeFullWorld } from '../support/fullWorld.ts';
import { statusLines } from '../support/scenarioRuns.ts';
import { startCore } from '../support/world.ts';

test.each(['yaml', 'bare'])(
  'a plan imported from the fixture "%s" runs a cycle with the real Claude Code',
  {
    timeout: 120_000,
  },
  async (form) => {
    const folder = fileURLToPath(new URL(`../fixtures/plans/${form}`, import.meta.url));
    const { world, script, before } = await makeFullWorld(folder, { settings: claudeSettings() });
    const { model, environment } = await startClaudeWorld(world, script);
    const { core } = await startCore({ ...world, environment });
    const report = await core.api.request('run_cycle', { plan: world.plan, harness: 'claude-code' });
    expect(model.mismatches).toEqual([]);
    expect(report.reason).toBe('the cycle is complete');
    expect(await statusLines(world)).toEqual(before);
    expect(await world.read('ravel/project-root/core/memory.yaml')).toContain('- id: greetings-have-a-comma\n');
  },
);
