import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import type { Core } from '../../src/core.ts';
import { loadContext } from '../../src/harness/sessionContext.ts';
import { type Backlog, backlogSchema } from '../../src/model/backlog.ts';
import type { ReasoningPhase } from '../../src/model/phase.ts';
import { VaultLayout } from '../../src/vault/layout.ts';
import { loadPlanTexts } from '../../src/vault/planStore.ts';
import { readYaml } from '../../src/yaml/yaml.ts';
import { finishDone, nextEvent, oneEntry, type Steps, setScenario } from '../support/phaseWorld.ts';
import { backlogOf } from '../support/scenarioRuns.ts';
import { addThreeProjects, cards } from '../support/threeProjects.ts';
import { makeWorld, startCore, type World } from '../support/world.ts';

/** The only plan of the project shop, about to run `phase`, beside other projects with plans and an expert. */
async function makeShop(phase: ReasoningPhase, backlog: string) {
  const world = await makeWorld({
    name: 'shop',
    plan: { 'phase.md': `${phase}\n`, 'memory.yaml': oneEntry, 'backlog.yaml': backlog },
    settings: '[run]\nharness = "scripted"\n',
  });
  const folders = await addThreeProjects(world, { cards: 'Charges and refunds cards' });
  const { core } = await startCore(world);
  return { world, core, folders };
}

async function run({ world, core }: { world: World; core: Core }, phase: ReasoningPhase, steps: Steps) {
  await setScenario(world, { [phase]: steps });
  const started = nextEvent(core, 'session.started');
  const { plan, scenario } = world;
  expect(await core.api.request('run_phase', { plan, harness: 'scripted', scenario })).toMatchObject({
    end: 'finished',
  });
  return new VaultLayout(world.vault).session((await started).session);
}

async function backlogIn(directory: string): Promise<Backlog> {
  const texts = await loadPlanTexts(nodeDisk, directory, ['backlog.yaml']);
  return readYaml(backlogSchema, texts.get('backlog.yaml') ?? '', { file: 'backlog.yaml', subject: '' }).value ?? {};
}

const toBank = {
  call: 'message_dispatch',
  with: { 'target-project': 'bank', 'suggested-target-plan': cards, reason: 'They charge', body: 'Refund by card.' },
};

test.each<[ReasoningPhase, Steps]>([
  [
    'work',
    [
      { call: 'backlog_set_status', with: { id: 'first', status: 'done' } },
      { call: 'backlog_set_results', with: { id: 'first', body: 'It is done.' } },
      toBank,
      finishDone,
    ],
  ],
  ['triage', [toBank, finishDone]],
])('the prompt of a %s session lists the plans of other projects and how to name them', async (phase, steps) => {
  const shop = await makeShop(phase, backlogOf('first'));
  const session = await run(shop, phase, steps);
  const prompt = readFileSync(join(session, 'prompt.md'), 'utf8');
  expect(prompt).toContain(`- ${shop.world.plan} (this plan): Greets people politely\n`);
  expect(prompt).toContain('## bank\n\n- bank/project-root: Keeps accounts and moves money\n');
  expect(prompt).toContain(`- ${cards}: Charges and refunds cards\n`);
  expect(prompt).toContain('- expert:rust: Knows the Rust language\n');
  expect(prompt).toMatch(/^- `target-project`: another project.*`suggested-target-plan`/m);
  expect(prompt).toMatch(/^- `target`: `auto`/m);
  expect(prompt).not.toMatch(/^- `target-plan`/m);
  const context = await loadContext(nodeDisk, session);
  const told = context?.given.find(({ name }) => name === 'prompt/RELATED_PLANS');
  expect(told?.reason).toBe('whom messages can be sent to, by name, and how');
  const tool = context?.given.find(({ name }) => name === 'tools/message_dispatch');
  expect(tool).toBeDefined();
});

test('a triage that passes a message on must name it as the cause, and the message keeps its origin', async () => {
  const origin = '01M00000000000000000000001';
  const id = '01M00000000000000000000002';
  const message = { id, from: 'mail/project-root', at: '2026-01-02T03:04:05Z', reason: 'r', body: 'b', state: 'new' };
  const shop = await makeShop('triage', stringify({ tasks: [], received: [{ ...message, depth: 4, origin }] }));
  await shop.core.api.request('create', { plan: `${shop.world.plan}/till`, description: 'Takes the money' });
  const dispatch = { 'target-plan': `${shop.world.plan}/till`, reason: 'It is theirs', body: 'Count the money.' };
  const handled = nextEvent(shop.core, 'message.handled', ({ actor }) => actor === dispatch['target-plan']);
  const session = await run(shop, 'triage', [
    { call: 'received_decline', with: { id, reason: 'Passed on to the till.' } },
    { call: 'message_dispatch', with: dispatch, expect: 'refused' },
    { call: 'message_dispatch', with: { ...dispatch, cause: id } },
    finishDone,
  ]);
  expect(readFileSync(join(session, 'prompt.md'), 'utf8')).toMatch(/^- `target-plan`: another plan of shop/m);
  await handled;
  const { received } = await backlogIn(join(shop.world.planDirectory, 'till'));
  expect(received).toMatchObject([{ body: expect.stringContaining('Count the money.'), depth: 5, origin }]);
});

test('a message that a reflection sends keeps the origin of the message that its work came from', async () => {
  const origin = '01M00000000000000000000001';
  const id = '01M00000000000000000000002';
  const task = 'count-the-money';
  const message = { id, from: 'mail/project-root', at: '2026-01-02T03:04:05Z', reason: 'r', body: 'b', task };
  const tasks = [{ id: task, title: 'Count the money', category: 'till', status: 'not_started' }];
  const received = [{ ...message, state: 'promoted', depth: 2, origin }];
  const shop = await makeShop('work', stringify({ tasks, received }));
  const till = `${shop.world.plan}/till`;
  await shop.core.api.request('create', { plan: till, description: 'Takes the money' });
  await run(shop, 'work', [
    { call: 'backlog_set_status', with: { id: task, status: 'done' } },
    { call: 'backlog_set_results', with: { id: task, body: 'It is counted.' } },
    finishDone,
  ]);
  await shop.core.api.request('state', { plan: shop.world.plan, verb: 'phase/set', args: { phase: 'reflect' } });
  const handled = nextEvent(shop.core, 'message.handled', ({ actor }) => actor === till);
  const dispatch = { 'target-plan': till, reason: 'It is theirs', body: 'Lock the till.' };
  await run(shop, 'reflect', [{ call: 'message_dispatch', with: dispatch }, finishDone]);
  await handled;
  const left = await backlogIn(join(shop.world.planDirectory, 'till'));
  expect(left.received).toMatchObject([{ body: expect.stringContaining('Lock the till.'), depth: 3, origin }]);
});
