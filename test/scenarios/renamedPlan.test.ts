import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { causeRows } from '../../src/model/causeTree.ts';
import { makeCycleWorld } from '../support/cycleWorld.ts';
import { startCore } from '../support/world.ts';

const cart = 'greeter/project-root/cart';
const shop = 'greeter/project-root/shop/cart';
const basket = 'greeter/project-root/basket';

test('a plan renamed in the middle of its cycle still compares each phase with its own history', {
  timeout: 60_000,
}, async () => {
  const world = await makeCycleWorld();
  const { core } = await startCore(world);
  await core.api.request('create', { plan: cart, description: 'Greets whoever buys' });
  for (const file of ['backlog.yaml', 'memory.yaml', 'phase.md'])
    await world.writePlan(`cart/${file}`, await world.readPlan(file));
  await world.git('add', '-A');
  await world.git('commit', '--quiet', '-m', 'Plans');
  const run = (plan: string) => core.api.request('run_phase', { plan, harness: 'scripted', scenario: world.scenario });
  const rename = (plan: string, to: string) => core.api.request('rename', { plan, to });
  const render = async (plan: string, phase: string) => {
    const { result } = await core.api.request('state', { plan, verb: 'phase-summary/render', args: { phase } });
    return (result as { items: readonly { label: string; id: string }[] }).items.map(({ label, id }) => [label, id]);
  };

  expect(await run(cart)).toMatchObject({ phase: 'work', end: 'finished' });
  await rename(cart, shop);
  // What a person commits meanwhile makes no difference: the new folder is theirs to commit, now or later.
  await world.git('commit', '--quiet', '--allow-empty', '-m', 'Something else');
  const analysed = await run(shop);
  expect(analysed).toMatchObject({ phase: 'analyse-work', end: 'finished', next: 'reflect' });
  const prompt = await readFile(join(world.vault, 'runtime/sessions', analysed.session, 'prompt.md'), 'utf8');
  expect(prompt).toContain('\n~ add-a-farewell: not_started → done\n~ add-a-farewell: results added (1 line)\n```\n');
  expect(await world.git('log', '-1', '--format=%s')).toBe('Record the backlog of cart after work: 1 task changed\n');

  const added = await core.api.request('why', { subject: 'greet-in-french', plan: shop });
  expect(causeRows(added).map(({ node, how }) => [node.kind, how])).toEqual([
    ['person', undefined],
    ['task', 'committed'],
  ]);

  await rename(shop, basket);
  expect(await run(basket)).toMatchObject({ phase: 'reflect', end: 'finished', next: 'dream' });
  expect(await render(basket, 'reflect')).toEqual([['NEW', 'tests-run-with-node-test']]);
  expect(await run(basket)).toMatchObject({ phase: 'dream', end: 'finished' });
  expect(await run(basket)).toMatchObject({ phase: 'triage', end: 'finished' });
  expect(await render(basket, 'triage')).toEqual([
    ['REPRIORITISED', 'say-it-in-spanish'],
    ['OBSOLETE', 'add-a-farewell'],
  ]);
});
