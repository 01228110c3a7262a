import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { createDeferred } from '../../../src/base/async.ts';
import { failure } from '../../../src/model/codes.ts';
import { toFields } from '../../../src/model/namedTarget.ts';
import { replyId } from '../../../src/model/reply.ts';
import type { PendingRoute } from '../../../src/routing/steps/routeSteps.ts';
import { makeRouterWorld, type RouterWorld, type RouterWorldOptions, rightLeads } from '../../support/routerWorld.ts';
import { accept, cards, checkout, pendingFiles, records, reject } from './routerAnswers.ts';

describe('a message is decided at once', () => {
  interface Case {
    readonly named: Parameters<RouterWorld['message']>[0];
    readonly body?: string;
    readonly options?: RouterWorldOptions;
    readonly outcome: unknown;
    readonly decision: object;
  }

  const rule = { id: 'refunds', all: ['refund'], target: cards };
  test.each<[string, Case]>([
    [
      'its named receiver',
      {
        named: { 'target-plan': checkout },
        outcome: { kind: 'routed', to: checkout },
        decision: { step: 'direct', rules: [], consulted: [] },
      },
    ],
    [
      'a refusal with its code',
      {
        named: { 'target-plan': 'Shop/project-root/chekout' },
        outcome: expect.objectContaining({ kind: 'refused', code: 'message/unknownPlan' }),
        decision: { step: 'direct' },
      },
    ],
    [
      'a rule',
      {
        ...{ named: { target: 'auto' }, body: 'A refund came twice.', options: { rules: [rule] } },
        outcome: { kind: 'routed', to: cards },
        decision: {
          step: 'rules',
          rules: ['refunds'],
          facts: expect.arrayContaining(['refund']),
          extractor: 'vocabulary',
        },
      },
    ],
    [
      'a lead that is known to be right',
      {
        ...{ named: { target: 'auto' }, body: 'It refunds cards, and charges them.' },
        options: { taskLeads: rightLeads(0.1) },
        outcome: { kind: 'routed', to: cards },
        decision: { step: 'scores', scoreLead: { threshold: 0.1, tasks: 100, decisions: 0 } },
      },
    ],
  ])('by %s', async (_name, { named, body = 'Do it.', options, outcome, decision }) => {
    const world = await makeRouterWorld(options);
    const { router } = await world.open();
    const message = world.message(named, { body });
    expect(await router.route(message)).toEqual(outcome);
    expect(await records(world)).toMatchObject([{ message: message.id, body, outcome, ...decision }]);
    const sent = [...world.mailboxes.values()];
    expect(sent.map(({ id }) => id)).toEqual((outcome as { kind?: string }).kind === 'routed' ? [message.id] : []);
    expect(world.asked).toEqual([]);
    expect(pendingFiles(world)).toEqual([]);
  });

  test('a message that is posted again goes once and has the same outcome', async () => {
    const world = await makeRouterWorld();
    const first = await world.open();
    const message = world.message({ 'target-plan': checkout });
    const [once, twice] = await Promise.all([first.router.route(message), first.router.route(message)]);
    await first.router.stop();
    const { router } = await world.open();
    await world.removePlan(checkout);
    expect([once, twice, await router.route(message)]).toEqual(Array(3).fill({ kind: 'routed', to: checkout }));
    expect(await records(world)).toHaveLength(1);
  });

  describe('another message with the same id', () => {
    const taken = { kind: 'refused', code: 'message/idTaken' };
    test('is refused while the first is posted and after it was routed', async () => {
      const world = await makeRouterWorld();
      const { router } = await world.open();
      const message = world.message({ 'target-plan': checkout });
      const other = { ...message, body: 'Do something else.' };
      const [, second] = await Promise.all([router.route(message), router.route(other)]);
      expect([second, await router.route(other)]).toMatchObject([taken, taken]);
      expect([...world.mailboxes.values()]).toMatchObject([{ id: message.id, body: message.body }]);
      expect(await router.route(message)).toEqual({ kind: 'routed', to: checkout });
    });

    test('is refused while the first is being routed, which continues', async () => {
      const world = await makeRouterWorld();
      const gate = createDeferred<void>();
      const { router } = await world.open({ answer: () => gate.promise.then(() => accept(cards)) });
      const message = world.message({ target: 'auto' });
      const routed = world.whenRouted(message.id);
      expect(await router.route(message)).toBe('routing');
      expect(await router.route({ ...message, target: { kind: 'plan', name: checkout } })).toMatchObject(taken);
      expect(await router.route(message)).toBe('routing');
      gate.resolve();
      expect(await routed).toMatchObject({ outcome: { kind: 'routed', to: cards } });
    });
  });

  test('an ambiguity or a rule to an unknown recipient does not decide', async () => {
    const rules = [
      { id: 'a', all: ['refund'], target: cards },
      { id: 'b', any: ['refund'], target: 'Mail/project-root' },
      { id: 'c', all: ['parcel'], target: 'Gone/project-root' },
    ];
    const world = await makeRouterWorld({ rules });
    const { router } = await world.open();
    for (const body of ['A refund came twice.', 'The parcel is late.']) {
      expect(await router.route(world.message({ target: 'auto' }, { body }))).toBe('routing');
    }
  });
});

describe('a decided message', () => {
  test('a decided message that the disk refused to hand over is handed over later', async () => {
    const world = await makeRouterWorld();
    let refusal: Error | undefined = failure('disk/full', 'mailbox', 'The disk is full.');
    const accepted = createDeferred<void>();
    const refuses = () => {
      if (refusal === undefined) accepted.resolve();
      return refusal;
    };
    const { router } = await world.open({ refuses });
    const message = world.message({ 'target-plan': checkout });
    await expect(router.route(message)).rejects.toMatchObject({ code: 'disk/full' });
    await untilRetried(world);
    expect(world.mailboxes.size).toBe(0);
    refusal = undefined;
    world.clock.advance(60_000);
    await accepted.promise;
    expect(world.mailboxes.size).toBe(1);
    expect(await records(world)).toMatchObject([{ message: message.id, outcome: { kind: 'routed', to: checkout } }]);
    expect(world.clock.scheduled).toBe(0);
  });

  test('is not decided again when its receiver is gone at the second hand-over', async () => {
    const { world, message, open } = await handedOver();
    const { router } = await open('message/unknownPlan');
    expect(await router.route(message)).toEqual({ kind: 'routed', to: checkout });
    expect(await records(world)).toHaveLength(1);
  });

  test('waits while a damaged mailbox cannot tell whether it has the message', async () => {
    const { world, message, open } = await handedOver();
    const { router } = await open('mailbox/corrupt');
    await untilRetried(world);
    await expect(router.route(message)).rejects.toMatchObject({ code: 'mailbox/corrupt' });
    expect(await records(world)).toHaveLength(1);
  });

  test('is decided again when the mailbox refuses it for good', async () => {
    const { world, message, open } = await handedOver();
    const { router } = await open('mailbox/full');
    expect(await router.route(message)).toMatchObject({ kind: 'refused', code: 'mailbox/full' });
    expect(await records(world)).toMatchObject([{ outcome: { kind: 'routed' } }, { outcome: { kind: 'refused' } }]);
  });

  /** A message that one owner handed over, and a next owner that does not know this and is refused. */
  async function handedOver() {
    const world = await makeRouterWorld();
    const first = await world.open();
    const message = world.message({ 'target-plan': checkout });
    await first.router.route(message);
    await first.router.stop();
    await rm(world.layout.handedOver);
    const open = (code: 'message/unknownPlan' | 'mailbox/corrupt' | 'mailbox/full') =>
      world.open({ refuses: () => failure(code, checkout, 'Not now.') });
    return { world, message, open };
  }
});

describe('a person who decides about a message', () => {
  async function waitingWorld() {
    const world = await makeRouterWorld();
    const { router } = await world.open({ answer: () => reject() });
    const message = world.message({ target: 'auto' });
    const routed = world.whenRouted(message.id);
    await router.route(message);
    await routed;
    return { world, router, message };
  }

  test('can send it to a plan, and its sender gets a reply', async () => {
    const { world, router, message } = await waitingWorld();
    expect(await router.route(message)).toMatchObject({ kind: 'waiting' });
    const outcome = { kind: 'routed', to: cards };
    expect(await router.decideByPerson(message.id, { kind: 'send', to: cards }, 'ada')).toEqual(outcome);
    expect(await router.decideByPerson(message.id, { kind: 'send', to: checkout }, 'bob')).toEqual(outcome);
    expect([...world.mailboxes.values()]).toMatchObject([
      { about: 'waiting', to: message.from, re: message.id, text: expect.stringContaining('It is not ours.') },
      { id: message.id, to: cards, type: 'dispatch' },
      {
        id: replyId(message.id, 'routed'),
        to: message.from,
        type: 'reply',
        about: 'routed',
        by: cards,
        re: message.id,
      },
    ]);
    expect((await records(world)).at(-1)).toMatchObject({ step: 'person', by: 'ada', outcome });
    expect(await router.route(message)).toEqual(outcome);
  });

  test('can refuse it, and its sender gets the reason', async () => {
    const { world, router, message } = await waitingWorld();
    await router.decideByPerson(message.id, { kind: 'refuse', reason: 'Nobody does this.' }, 'ada');
    expect([...world.mailboxes.values()]).toMatchObject([
      { about: 'waiting' },
      { about: 'unroutable', text: 'Nobody does this.' },
    ]);
    expect(pendingFiles(world)).toEqual([]);
  });

  test.each([
    ['Bank/project-root/card', { kind: 'refused', code: 'message/unknownPlan' }],
    ['expert:nobody', { kind: 'refused', code: 'message/unknownExpert' }],
    ['Shop/project-root', { kind: 'refused', code: 'message/toSelf' }],
    ['Shop', { kind: 'refused', code: 'message/toSelf' }],
    ['Bank', { kind: 'actor', actor: 'Bank/project-root' }],
    [cards, { kind: 'actor', actor: cards }],
  ])('naming %s gets %j', async (target, destination) => {
    const world = await makeRouterWorld();
    const { router } = await world.open();
    const message = world.message({ target: 'auto' });
    expect(await router.destinationByPerson(message, target)).toMatchObject(destination);
  });
});

test('an unreadable pending file is reported once, holds up no message, and is routed once it is fixed', async () => {
  const world = await makeRouterWorld();
  await mkdir(world.layout.pendingRoutes, { recursive: true });
  const damaged = world.newUlid();
  await writeFile(world.layout.pendingRoute(damaged), '{"message":');
  const { router } = await world.open({ answer: () => accept(cards) });
  const message = world.message({ target: 'auto' });
  const routed = world.whenRouted(message.id);
  await router.route(message);
  expect(await routed).toMatchObject({ outcome: { kind: 'routed' } });
  const file = world.layout.pendingRoute(damaged);
  expect(await readFile(file, 'utf8')).toBe('{"message":');
  for (let minute = 0; minute < 2; minute++) {
    await untilRetried(world);
    world.clock.advance(60_000);
  }
  await untilRetried(world);
  const code = 'message/unreadable';
  const told = world.events.flatMap((event) => (event.type === 'diagnostic' ? [event.diagnostic] : []));
  expect(told).toMatchObject([{ code, subject: damaged, file, help: expect.stringContaining('remove the file') }]);
  expect(await router.unreadable()).toMatchObject(told);
  expect(await router.pending()).toMatchObject({
    pending: [{ message: damaged, state: 'cannot be read', subject: expect.stringContaining(file) }],
    total: 1,
  });
  const fixed = world.whenRouted(damaged);
  const found = { facts: [], extractor: 'none', rules: [], candidates: [], consulted: [] } as const;
  const rest: PendingRoute = {
    ...{ message: world.message({ target: 'auto' }, { id: damaged }), at: '2026-01-02T03:04:05Z', scope: 'vault' },
    ...{ ...found, turnedAway: [], retargets: 0, suggestions: [] },
  };
  await writeFile(file, JSON.stringify({ ...rest, message: toFields(rest.message) }));
  world.clock.advance(60_000);
  expect(await fixed).toMatchObject({ outcome: { kind: 'routed', to: cards } });
});

test('a pending file that was removed is dropped', async () => {
  const world = await makeRouterWorld();
  const message = world.message({ target: 'auto' });
  await mkdir(world.layout.pendingRoutes, { recursive: true });
  await writeFile(world.layout.pendingRoute(message.id), '{"message":');
  const { router } = await world.open({ answer: () => accept(cards) });
  await untilRetried(world);
  await rm(world.layout.pendingRoute(message.id));
  expect(await router.pending()).toMatchObject({ pending: [] });
  expect(await router.pending()).toEqual({ pending: [], total: 0 });
  // Posted again, it counts as a new message.
  const routed = world.whenRouted(message.id);
  expect(await router.route(message)).toBe('routing');
  expect(await routed).toMatchObject({ outcome: { kind: 'routed' } });
});

/** Resolves once a failed step is scheduled for another try. */
async function untilRetried({ clock }: RouterWorld): Promise<void> {
  await clock.whenScheduled();
}
