import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { isRavelError } from '../../src/base/errors.ts';
import type { Api } from '../../src/model/protocol.ts';
import { connect } from '../../src/server/client.ts';
import { makeGate } from '../support/gate.ts';
import { backlogOf, done, nextEvent, runPhase, scenarioText } from '../support/scenarioRuns.ts';
import { makeWorld, startCore } from '../support/world.ts';

/** A vault with two more plans, the first with one below it, its owner, and two clients. */
async function makeClients() {
  const world = await makeWorld({
    plan: { 'phase.md': 'reflect\n', 'backlog.yaml': backlogOf('first') },
    scenario: scenarioText({ reflect: [done] }),
  });
  const { core } = await startCore(world);
  for (const name of ['a', 'a/below', 'b']) {
    await core.api.request('create', { plan: `${world.plan}/${name}`, description: `What ${name} is for` });
  }
  writeFileSync(join(world.planDirectory, 'a/phase.md'), 'reflect\n');
  const open = async () => {
    const client = await connect({ socketPath: core.socketPath, clock: systemClock });
    onTestFinished(() => client.close());
    return client;
  };
  return { world, core, one: await open(), other: await open() };
}

const plansOf = async (api: Api) =>
  (await api.request('list', {})).plans.map(({ plan }) => plan.split('/').slice(2).join('/'));

/** `done` or the error code of each request. */
async function outcomesOf(...requests: readonly Promise<unknown>[]): Promise<string[]> {
  const settled = await Promise.allSettled(requests);
  return settled.map((outcome) => {
    if (outcome.status === 'fulfilled') return 'done';
    return isRavelError(outcome.reason) ? outcome.reason.code : String(outcome.reason);
  });
}

describe('two clients at once', () => {
  test('two clients at once that rename the same plan: one succeeds, the other is told that it is unknown', async () => {
    const { world, one, other } = await makeClients();
    const { plan } = world;
    const outcomes = await outcomesOf(
      one.request('rename', { plan: `${plan}/a`, to: `${plan}/c` }),
      other.request('rename', { plan: `${plan}/a`, to: `${plan}/d` }),
    );
    expect(outcomes.sort()).toEqual(['done', 'plan/unknown']);
    const left = await plansOf(one);
    expect([
      ['', 'b', 'c', 'c/below'],
      ['', 'b', 'd', 'd/below'],
    ]).toContainEqual(left);
  });

  test('two clients at once that rename two plans to names that differ only in case: one succeeds', async () => {
    const { world, one, other } = await makeClients();
    const { plan } = world;
    const outcomes = await outcomesOf(
      one.request('rename', { plan: `${plan}/a`, to: `${plan}/c` }),
      other.request('rename', { plan: `${plan}/b`, to: `${plan}/C` }),
    );
    expect(outcomes.sort()).toEqual(['done', 'plan/exists']);
    expect([
      ['', 'b', 'c', 'c/below'],
      ['', 'C', 'a', 'a/below'],
    ]).toContainEqual(await plansOf(one));
  });

  test.each<[string, (api: Api, plan: string) => Promise<unknown>]>([
    ['removes it with its children', (api, plan) => api.request('remove', { plan: `${plan}/a`, withChildren: true })],
    ['removes the plan below it', (api, plan) => api.request('remove', { plan: `${plan}/a/below` })],
    ['creates a plan of the new name', (api, plan) => api.request('create', { plan: `${plan}/c`, description: 'x' })],
    [
      'sends it a message',
      (api, plan) => api.request('send', { to: `${plan}/a`, type: 'note', text: 'Mind the cat.' }),
    ],
    [
      'adds a task to it',
      (api, plan) =>
        api.request('state', { plan: `${plan}/a`, verb: 'backlog/add', args: { title: 'Purr', category: 'core' } }),
    ],
    ['opens it by hand', (api, plan) => api.request('begin_manual_run', { plan: `${plan}/a` })],
  ])(
    'of which one renames a plan and the other %s: at least one succeeds, and the vault stays sound',
    async (name, meanwhile) => {
      const { world, core, one, other } = await makeClients();
      const { plan } = world;
      const outcomes = await outcomesOf(
        one.request('rename', { plan: `${plan}/a`, to: `${plan}/c` }),
        meanwhile(other, plan),
      );
      expect(outcomes).toContain('done');
      expect(outcomes.join()).not.toMatch(/base\/internal|Error/);
      const { diagnostics } = await core.api.request('verify', {});
      expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
      expect(readdirSync(join(world.vault, 'runtime')).filter((file) => file.startsWith('move'))).toEqual([]);
      expect((await plansOf(one)).includes('a')).toBe(outcomes[0] !== 'done' && !name.startsWith('removes it '));
    },
  );
});

test('a plan cannot be renamed or removed while its phase runs, and can be renamed once it ends', async () => {
  const { world, core, one } = await makeClients();
  const gate = await makeGate(world.root);
  writeFileSync(world.scenario, scenarioText({ reflect: [{ say: 'Working.' }, gate.wait, done] }));
  await core.api.request('create', { plan: `${world.plan}/run`, description: 'Runs' });
  const plan = `${world.plan}/run`;
  writeFileSync(join(world.planDirectory, 'run/phase.md'), 'reflect\n');
  const working = nextEvent(core, (event) => event.type === 'session.output' && event.output.kind === 'text');
  const run = runPhase(core, world, { plan });
  await working;
  const to = `${world.plan}/c`;
  expect(await outcomesOf(one.request('rename', { plan, to }), one.request('remove', { plan }))).toEqual([
    'plan/busy',
    'plan/busy',
  ]);
  gate.open();
  expect(await run).toMatchObject({ end: 'finished' });
  expect(await outcomesOf(one.request('rename', { plan, to }))).toEqual(['done']);
});

test('no plan can be renamed, created or restored to a name that leads through a symlink', async () => {
  const { world, one } = await makeClients();
  const { plan } = world;
  const outside = join(world.root, 'outside');
  mkdirSync(outside);
  const { archive } = await one.request('remove', { plan: `${plan}/b` });
  symlinkSync(outside, join(world.planDirectory, 'link'));
  symlinkSync(join(world.root, 'nowhere'), join(world.planDirectory, 'dangling'));
  for (const name of ['link', 'link/x', 'dangling', 'dangling/x']) {
    const to = `${plan}/${name}`;
    const outcomes = await outcomesOf(
      one.request('rename', { plan: `${plan}/a`, to }),
      one.request('create', { plan: to, description: 'x' }),
      one.request('restore', { archive, as: to }),
    );
    expect([name, outcomes]).toEqual([name, Array(3).fill('plan/exists')]);
  }
  expect(readdirSync(outside)).toEqual([]);
  expect(existsSync(join(world.root, 'nowhere'))).toBe(false);
});
