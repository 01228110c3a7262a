import { describe, expect, test } from 'vitest';
import { runHere } from '../support/commandHere.ts';
import { makeReflectWorld, runOptionsOf, setScenario } from '../support/phaseWorld.ts';
import { startCore } from '../support/world.ts';

const usageOf = (usd: number) => ({ usage: { 'input-tokens': 1000, 'output-tokens': 10, 'cost-usd': usd } });
const usage = usageOf(0.4);
const finish = { finish: { outcome: 'done', summary: 'Done.' } };
const settings = '[budget]\nvault-usd-per-day = 0.5\n';

describe('a vault with a daily spending limit', () => {
  test('lets a session start while money is left, and refuses one once it is spent', async () => {
    const world = await makeReflectWorld([usage, finish], { settings });
    const { core } = await startCore(world);
    await setScenario(world, { reflect: [usage, finish], triage: [usageOf(0.1), finish], work: [finish] });
    const first = await core.api.request('run_phase', runOptionsOf(world));
    expect(first.end).toBe('finished');
    const spent = await core.api.request('spending', {});
    expect(spent).toMatchObject({ vaultUsdPerDay: 0.5, reservedUsd: 0, days: [{ usd: 0.4, sessions: 1 }] });
    const second = await core.api.request('run_phase', runOptionsOf(world));
    expect(second.end).toBe('finished');
    await expect(core.api.request('run_phase', { ...runOptionsOf(world) })).rejects.toMatchObject({
      code: 'budget/exceeded',
    });
  });

  test('stops a run over cycles at the limit and leaves it paused', async () => {
    const world = await makeReflectWorld([usageOf(0.5), finish], { settings });
    const { core, events } = await startCore(world);
    const report = await core.api.request('run_cycle', { ...runOptionsOf(world), cycles: 2 });
    expect(report).toMatchObject({ stop: 'budget', reason: /^the vault can spend \$0\.50 a day/ });
    expect(report.phases.map(({ phase, end }) => [phase, end])).toEqual([['reflect', 'finished']]);
    expect((await core.api.request('status', { plan: world.plan })).paused).toMatchObject({ done: 0, cycles: 2 });
    expect(events.filter(({ type }) => type === 'budget.reached' || type === 'run.paused')).toHaveLength(2);
  });
});

test('ravel spending lists what was spent by day and plan, and refuses a bad number of days', async () => {
  const world = await makeReflectWorld([usage, finish]);
  const { core } = await startCore(world);
  await core.api.request('run_phase', runOptionsOf(world));
  const environment = { ...world.environment, RAVEL_VAULT: world.vault };
  const { stdout, code } = await runHere(['spending', '--days', '2'], { environment });
  expect(code).toBe(0);
  const today = stdout.split('\n').slice(2, 4);
  expect(today[0]).toMatch(/^\d{4}-\d\d-\d\d +\$0\.40\* +1 +all plans$/);
  expect(today[1]).toMatch(/^ +\$0\.40\* +1 +greeter\/project-root$/);
  expect(await runHere(['spending', '--days', 'many'], { environment })).toMatchObject({ code: 2 });
});
