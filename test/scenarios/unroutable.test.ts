import { expect, test } from 'vitest';
import { backlogSchema } from '../../src/model/backlog.ts';
import type { RavelEvent } from '../../src/model/event.ts';
import { readYaml } from '../../src/yaml/yaml.ts';
import { decide, decisions, onlyApproval } from '../support/approvalWorld.ts';
import { failureOf } from '../support/failureOf.ts';
import { openCore } from '../support/openCore.ts';
import { makeSuggestionWorld, payments, search } from '../support/suggestionWorld.ts';
import { startCore, type World } from '../support/world.ts';

const settings = '[run]\nharness = "scripted"\n[harnesses.scripted]\nscenario = "../scenario.yaml"\n';
const scenario = JSON.stringify({
  version: 1,
  consultations: { route: [{ steps: [{ call: 'reject_dispatch', with: { reason: 'Nobody here does that' } }] }] },
});

/** A message from the root plan that a routing session rejected. */
async function turnAway() {
  const world = await makeSuggestionWorld({ settings, scenario });
  const running = await startCore(world);
  const { core, events } = running;
  const opened = next(core, ({ type }) => type === 'approval.opened');
  const told = next(core, (event) => event.type === 'message.handled' && event.actor === world.plan);
  const { message } = await core.api.request('dispatch', {
    ...{ from: world.plan, target: 'auto', reason: 'It is needed', body: 'Count the money that was searched' },
  });
  await opened;
  await told;
  return { world, running, core, events, message, page: await onlyApproval(core.api) };
}

function next(
  core: { readonly api: { onEvent(listener: (event: RavelEvent) => void): unknown } },
  fits: (event: RavelEvent) => boolean,
) {
  return new Promise<void>((resolve) => {
    core.api.onEvent((event) => {
      if (fits(event)) resolve();
    });
  });
}

/** The outcome that the sender's backlog records for its message. */
async function outcomeIn({ readPlan }: Pick<World, 'readPlan'>): Promise<string | null | undefined> {
  const { value } = readYaml(backlogSchema, await readPlan('backlog.yaml'), { file: 'backlog.yaml', subject: '' });
  return value?.dispatched?.[0]?.outcome;
}

test('the sender’s backlog says that an unroutable message waits for a person, until a plan has it', async () => {
  const { world, core, page } = await turnAway();
  expect(await outcomeIn(world)).toMatch(/^waits for a person: .*Nobody here does that/);
  const told = next(core, (event) => event.type === 'message.handled' && event.actor === world.plan);
  await decide(core.api, page, 'accept', { option: payments });
  await told;
  expect(await outcomeIn(world)).toMatch(`accepted by ${payments} (`);
});

test('an unroutable message is shown with the targets that were tried, and goes to the option that a person picks', async () => {
  const { core, events, message, page, world } = await turnAway();
  expect(page).toMatchObject({
    ...{ kind: 'unroutable-message', decisions: ['accept', 'reject'], details: { message, from: world.plan } },
    shown: expect.stringMatching(/Nobody here does that[\s\S]*Count the money/),
  });
  expect(page).not.toHaveProperty('plan');
  expect(page.options).toContain(payments);
  const refused = await failureOf(() => decide(core.api, page, 'accept', { option: 'nix' }));
  expect(refused.message).toMatch(/^“nix” is not an option of this question\. .* or --answer PLAN\.$/);
  expect(page.answers.map(({ option, text }) => option ?? text)).toEqual([
    ...page.options,
    'the plan or expert that receives it',
    undefined,
  ]);
  const received = next(core, (event) => event.type === 'message.handled' && event.message === message);
  expect(await decide(core.api, page, 'accept', { option: payments })).toMatchObject({
    did: `It goes to ${payments}.`,
  });
  await received;
  expect(events).toContainEqual(
    expect.objectContaining({
      type: 'message.routed',
      message,
      step: 'person',
      outcome: { kind: 'routed', to: payments },
    }),
  );
  expect(await core.api.request('routing', {})).toMatchObject({ total: 0 });
});

test('an unroutable message goes to any plan that a person names, and a wrong name decides nothing', async () => {
  const { core, page } = await turnAway();
  const bad = [{ text: 'greeter/project-root/serch' }, { text: 'greeter/project-root' }, { option: 'greeter' }, {}];
  for (const given of bad) {
    const problem = await failureOf(() => decide(core.api, page, 'accept', given));
    expect(problem).toMatchObject({ code: 'approval/badDecision' });
  }
  const { approval, contentHash } = page;
  const overridden = { approval, contentHash, decision: 'accept', option: payments, override: true } as const;
  expect(await failureOf(() => core.api.request('decide', overridden))).toMatchObject({ code: 'approval/badDecision' });
  expect(await decide(core.api, page, 'accept', { text: ` ${search} ` })).toMatchObject({
    did: `It goes to ${search}.`,
  });
});

test('an unroutable message that a person rejects is refused with their reason', async () => {
  const { core, events, message, page } = await turnAway();
  await decide(core.api, page, 'reject', { reason: 'We count nothing' });
  expect(events).toContainEqual(
    expect.objectContaining({
      type: 'message.routed',
      message,
      step: 'person',
      outcome: expect.objectContaining({ kind: 'refused', reason: 'We count nothing' }),
    }),
  );
});

test('an unroutable message is asked about once, and still waits after a restart', async () => {
  const { core, running, world, page } = await turnAway();
  await running.server.stop();
  await core.stop();
  const again = await openCore(world);
  expect(await onlyApproval(again.api)).toEqual(page);
  await decide(again.api, page, 'accept', { option: payments });
  expect(await decisions(world)).toMatchObject([{ kind: 'unroutable-message', option: payments }]);
  await again.stop();
});
