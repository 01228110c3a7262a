import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Core } from '../../src/core.ts';
import type { RavelEvent } from '../../src/model/event.ts';
import type { Ulid } from '../../src/model/id.ts';
import { decide, onlyApproval } from '../support/approvalWorld.ts';
import { failureOf } from '../support/failureOf.ts';
import { decided, makeSuggestionWorld, payments, readRules, search } from '../support/suggestionWorld.ts';
import { startCore, type World } from '../support/world.ts';

type Routed = Extract<RavelEvent, { type: 'message.routed' }>;

const settings = '[run]\nharness = "scripted"\n[harnesses.scripted]\nscenario = "../scenario.yaml"\n';

/** A routing session sends messages about refunds to payments, with a suggested rule, and the rest to search. */
const scenario = JSON.stringify({
  version: 1,
  consultations: {
    route: [
      alternative('chargeback', payments, { any: ['refund', 'chargeback'] }),
      alternative('refund', payments, { any: ['refund'], note: 'Money back' }),
      alternative(undefined, search),
    ],
  },
});

function alternative(when: string | undefined, target: string, rule?: object) {
  const accepted = { target_plan: target, justification: 'It fits' };
  const step = { call: 'accept_dispatch', with: rule === undefined ? accepted : { ...accepted, suggested_rule: rule } };
  return { ...(when !== undefined && { when }), steps: [step] };
}

/** Sends a message to `auto`; resolves with how it was routed and how many sessions that took. */
async function send({ core, events }: { core: Core; events: readonly RavelEvent[] }, body: string) {
  const before = events.filter(({ type }) => type === 'session.started').length;
  const found = new Map<Ulid, Routed>();
  let onRouted = (): void => undefined;
  const listening = core.api.onEvent((event) => {
    if (event.type !== 'message.routed') return;
    found.set(event.message, event);
    onRouted();
  });
  const { message } = await core.api.request('dispatch', { target: 'auto', reason: 'It is needed', body });
  while (!found.has(message)) {
    await new Promise<void>((resolve) => {
      onRouted = resolve;
      if (found.has(message)) resolve();
    });
  }
  listening.dispose();
  const sessions = events.filter(({ type }) => type === 'session.started').length - before;
  const routed = found.get(message);
  const to = routed?.outcome.kind === 'routed' ? routed.outcome.to : routed?.outcome.kind;
  return { to, step: routed?.step, sessions, rules: routed?.rules };
}

async function start(given: Parameters<typeof makeSuggestionWorld>[0] = {}) {
  const world = await makeSuggestionWorld({ settings, scenario, ...given });
  return { world, running: await startCore(world) };
}

async function gitLog(world: World): Promise<string> {
  return world.git('-C', world.vault, 'log', '--format=%s%n%b');
}

test('a rule that a session suggested and a person accepted routes the next message without a session', async () => {
  const { world, running } = await start({ rules: '# Mine\nrules: []\n' });
  expect(await send(running, 'Please refund the order of Ada')).toEqual({
    to: payments,
    step: 'level-2',
    sessions: 1,
    rules: [],
  });
  const page = await onlyApproval(running.core.api);
  expect(page).toMatchObject({
    kind: 'rule-suggestion',
    details: { by: 'level-2', rule: { any: ['refund'], target: payments } },
  });
  expect(await send(running, 'Another refund, for Grace')).toMatchObject({ step: 'level-2', sessions: 1 });
  const again = await onlyApproval(running.core.api);
  expect(again.approval).toBe(page.approval);
  const [row] = (await running.core.api.request('suggestions', {})).suggestions;
  expect(row).toMatchObject({ backTest: { matched: 2, agreed: 2, freed: 2 }, objections: [] });
  await decide(running.core.api, page, 'accept', { reason: 'Theirs' });
  const { rules } = parse(await readRules(world));
  expect(await send(running, 'They want their refunds now')).toEqual({
    to: payments,
    step: 'rules',
    sessions: 0,
    rules: [rules[0].id],
  });
  expect(await readRules(world)).toMatch(/^# Mine\nrules:\n/);
  expect(await gitLog(world)).toMatch(/Route refund to greeter[\s\S]*Theirs/);
  expect((await running.core.api.request('rules', {})).rules).toMatchObject([{ fired: 1 }]);
});

test('a rule that a person rejected is not suggested again for another message', async () => {
  const { running } = await start();
  await send(running, 'Please refund the order of Ada');
  await decide(running.core.api, await onlyApproval(running.core.api), 'reject');
  expect(await send(running, 'Please refund the order of Grace')).toMatchObject({ step: 'level-2', sessions: 1 });
  expect((await running.core.api.request('suggestions', {})).suggestions).toEqual([]);
});

test.each([
  ['on', '', 0],
  ['off', ', enabled: false', 1],
])(
  'a rule is suggested although routing.yaml has an equal one only if that one is off (here: %s)',
  async (_what, off, count) => {
    const others = `- {id: grace, any: [grace], target: ${search}}\n- {id: ada, any: [grace], target: ${payments}}\n`;
    const { running } = await start({
      rules: `rules:\n- {id: money, any: [refund], target: ${payments}, 'on': dispatch${off}}\n${others}`,
    });
    expect(await send(running, 'Please refund the order of Grace')).toMatchObject({ step: 'level-2', sessions: 1 });
    expect((await running.core.api.request('suggestions', {})).suggestions).toHaveLength(count);
  },
);

test('a suggestion that recorded decisions contradict is accepted only with an override', async () => {
  const { running } = await start({ history: [decided('The refund page is not found', search)] });
  await send(running, 'Please refund the order of Ada');
  const page = await onlyApproval(running.core.api);
  expect(page.shown).toMatch(/contradicts 1 of the 2 decisions/);
  expect(await failureOf(() => decide(running.core.api, page, 'accept'))).toMatchObject({ code: 'rule/contradicted' });
  const { approval, contentHash } = page;
  await running.core.api.request('decide', { approval, contentHash, decision: 'accept', override: true });
  expect(await send(running, 'One more refund')).toMatchObject({ step: 'rules', sessions: 0 });
});

test('an edit of routing.yaml takes effect at the next message, and a broken file keeps the last good rules', async () => {
  const { world, running } = await start();
  const file = join(world.vault, 'routing.yaml');
  await writeFile(file, `rules:\n- id: kittens\n  any: [kitten]\n  target: ${search}\n`);
  expect(await send(running, 'A kitten is lost')).toMatchObject({ to: search, step: 'rules', rules: ['kittens'] });
  await writeFile(file, 'rules: [\n');
  expect(await send(running, 'Two kittens are lost')).toMatchObject({ to: search, step: 'rules', rules: ['kittens'] });
  await writeFile(file, 'rules: []\n');
  expect(await send(running, 'Three kittens are lost')).toMatchObject({ step: 'level-2', sessions: 1 });
});

test('Ravel proposes a rule from the history by itself once enough messages were routed', async () => {
  const history = Array.from({ length: 9 }, (_, at) => decided(`The kitten ${'abcdefghi'[at]}${at} is lost`, search));
  const { running } = await start({ history, settings: `${settings}[routing]\npropose-every = 1\n` });
  const opened = new Promise<void>((resolve) => {
    running.core.api.onEvent((event) => {
      if (event.type === 'approval.opened' && event.kind === 'rule-suggestion') resolve();
    });
  });
  await send(running, 'Where is the needle?');
  await opened;
  const { suggestions } = await running.core.api.request('suggestions', {});
  const row = suggestions.find(({ suggestion: { rule } }) => rule.any?.includes('kitten'));
  expect(row).toMatchObject({ suggestion: { by: 'history', rule: { target: search } }, backTest: { disagreed: 0 } });
  if (row !== undefined) await decide(running.core.api, row, 'accept');
  expect(await send(running, 'My kitten is lost')).toMatchObject({ to: search, step: 'rules', sessions: 0 });
});
