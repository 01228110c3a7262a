import { appendFile, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { segmentFromId, toQualifiedId } from '../../src/model/id.ts';
import { runHere } from '../support/commandHere.ts';
import { makeCycleWorld } from '../support/cycleWorld.ts';
import { failureOf } from '../support/failureOf.ts';
import { nextEvent } from '../support/phaseWorld.ts';
import { makeWorld, startCore, type World } from '../support/world.ts';

const child = 'greeter/project-root/child';
const longAgo = '2020-01-01T00:00:00Z';
const environmentOf = (world: World) => ({ ...world.environment, RAVEL_VAULT: world.vault });

describe('what happened since a time', () => {
  test('is told by plan: cycles, commits, refusals, messages, lessons, costs, and what waits', async () => {
    const world = await makeCycleWorld();
    const { core } = await startCore(world);
    const { plan, scenario } = world;
    await core.api.request('create', { plan: child, description: 'Greets in other tongues' });
    await core.api.request('run_cycle', { plan, harness: 'scripted', scenario });
    const to = { 'target-plan': child, from: plan, reason: 'It is yours', body: 'Count the coins' };
    const routed = nextEvent(core, 'message.routed', ({ outcome }) => outcome.kind === 'routed');
    await core.api.request('dispatch', to);
    await routed;
    const elsewhere = { ...to, 'target-plan': 'shop/project-root' };
    const refused = nextEvent(core, 'message.routed', ({ outcome }) => outcome.kind === 'refused');
    await core.api.request('dispatch', elsewhere);
    await refused;
    const since = await core.api.request('since', { since: longAgo });
    const ours = since.plans.find((one) => one.plan === plan);
    expect(ours).toMatchObject({ cycles: 1, phases: 9, unfinished: 0, tasks: { items: ['add-a-farewell'] } });
    expect(ours?.commits.items.map(({ title }) => title)).toContain('Say goodbye');
    expect(ours?.refusals.items.map(({ gate }) => gate)).toContain('claims');
    expect(ours?.learned.items).toContainEqual({ title: 'Tests run with node --test', place: 'memory' });
    expect(ours?.sent.items.map(({ with: to, text, refused: why }) => [to, text, typeof why]).sort()).toEqual([
      [undefined, 'Count the coins', 'string'],
      [child, 'Count the coins', 'undefined'],
    ]);
    expect(since.plans.find((one) => one.plan === child)?.received.items[0]).toMatchObject({
      with: plan,
    });
    expect(since.totals).toMatchObject({ cycles: 1, messages: 2, sessions: 5 });
    expect(since.waiting).toEqual({ items: [], total: 0 });

    await writeFile(scenario, 'version: 1\nphases:\n  work:\n    - exit: 3\n');
    await core.api.request('run_phase', { plan, harness: 'scripted', scenario });
    const later = await core.api.request('since', { since: since.until, items: 1 });
    expect(later.plans[0]).toMatchObject({ plan, unfinished: 1 });
    expect(later.waiting).toMatchObject({ total: 1, items: [{ kind: 'unfinished-phase', plan }] });

    // A damaged history costs that plan's past alone, and is named.
    const histories = join(world.vault, 'runtime/history');
    const file = join(histories, `${segmentFromId(toQualifiedId(plan))}.jsonl`);
    await writeFile(file, `not a line\n${await readFile(file, 'utf8')}`);
    const damaged = await core.api.request('since', { since: longAgo });
    expect(damaged.diagnostics).toMatchObject([{ code: 'journal/corrupt', file }]);
    expect(damaged.totals).toMatchObject({ phases: 0, messages: 2 });

    // A history that nothing wrote since is not read.
    await utimes(file, 1, 1);
    await utimes(histories, 1, 1);
    const quiet = await core.api.request('since', { since: longAgo });
    expect(quiet.diagnostics).toEqual([]);
    expect(await failureOf(() => core.api.request('since', { since: 'then' }))).toMatchObject({
      code: 'server/badParams',
    });
  });
});

/** The program takes some seconds to answer. */
function isADay({ since, until }: { readonly since: string; readonly until: string }): boolean {
  const lengthMs = Date.parse(until) - Date.parse(since);
  return lengthMs >= 24 * 60 * 60_000 && lengthMs < 25 * 60 * 60_000;
}

describe('ravel since', () => {
  test('keeps the time of the last look in the state folder of the person, and refuses what names no time', async () => {
    const world = await makeWorld();
    const state = join(world.root, 'state');
    const environment = { ...environmentOf(world), XDG_STATE_HOME: state };
    const ask = async (...args: string[]) => {
      const ran = await runHere(['since', ...args, '--json'], { environment });
      expect(ran).toMatchObject({ code: 0, stderr: '' });
      return JSON.parse(ran.stdout).result as { readonly since: string; readonly until: string };
    };
    const first = await ask();
    expect(isADay(first)).toBe(true);
    const [look = ''] = await readdir(join(state, 'ravel/visits'));
    const saved = async () => JSON.parse(await readFile(join(state, 'ravel/visits', look), 'utf8')).at;
    expect(await saved()).toBe(first.until);
    // A look at less than what came since the last one leaves it where it was.
    await writeFile(join(state, 'ravel/visits', look), JSON.stringify({ at: '2026-01-02T03:04:05Z' }));
    await ask('0m');
    expect(await saved()).toBe('2026-01-02T03:04:05Z');
    expect((await ask()).since).toBe('2026-01-02T03:04:05Z');
    expect(Date.parse(await saved())).toBeGreaterThan(Date.parse('2026-01-02T03:04:05Z'));
    await appendFile(join(state, 'ravel/visits', look), 'damaged');
    const afterDamage = await ask();
    expect(isADay(afterDamage)).toBe(true);

    for (const [when, problem] of [
      ['soon', 'none of: today, yesterday'],
      ['2999-01-01', 'in the future'],
    ] as const) {
      const refused = await runHere(['since', when], { environment });
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(problem)]);
    }
    const told = await runHere(['since', 'yesterday'], { environment });
    expect(told.stdout).toMatch(/^Since .*\n\nNothing happened\.\nNothing waits for you\.\n$/);
  });
});
