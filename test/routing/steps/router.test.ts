import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { createDeferred } from '../../../src/base/async.ts';
import { nodeDisk } from '../../../src/base/nodeDisk.ts';
import { failure } from '../../../src/model/codes.ts';
import { toQualifiedId } from '../../../src/model/id.ts';
import type { RoutingRecord } from '../../../src/model/routing.ts';
import { replyId } from '../../../src/plans/messages/answers.ts';
import type { LevelTwoAnswer, PendingRoute } from '../../../src/routing/steps/routeSteps.ts';
import { noteRename } from '../../../src/vault/planRenames.ts';
import { Collector } from '../../support/fakeApi.ts';
import { makeRouterWorld, type RouterWorld, type RouterWorldOptions } from '../../support/routerWorld.ts';

const checkout = toQualifiedId('Shop/project-root/checkout');
const cards = toQualifiedId('Bank/project-root/cards');

const accept = (target: string): LevelTwoAnswer => ({
  ...{ kind: 'accept', target: toQualifiedId(target), justification: 'It charges cards.', isChecked: false },
});
const reject = (retarget?: string): LevelTwoAnswer => ({
  ...{ kind: 'reject', reason: 'It is not ours.', ...(retarget !== undefined && { retarget }) },
});

async function untilAborted(signal: AbortSignal): Promise<LevelTwoAnswer> {
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
  return { kind: 'none', why: 'It was let go.' };
}

async function records({ layout }: RouterWorld): Promise<RoutingRecord[]> {
  const text = existsSync(layout.routingHistory) ? await readFile(layout.routingHistory, 'utf8') : '';
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
}

const pendingFiles = ({ layout }: RouterWorld) =>
  existsSync(layout.pendingRoutes) ? readdirSync(layout.pendingRoutes) : [];

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
      'a clear lead that is allowed to decide',
      {
        ...{ named: { target: 'auto' }, body: 'It refunds cards, and charges them.' },
        options: { settings: { 'auto-score': true, margin: 0.1 } },
        outcome: { kind: 'routed', to: cards },
        decision: { step: 'scores' },
      },
    ],
  ])('by %s', async (_name, { named, body = 'Do it.', options, outcome, decision }) => {
    const world = await makeRouterWorld(options);
    const { router } = await world.open();
    const message = world.message(named, { body });
    expect(await router.post(message)).toEqual(outcome);
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
    const [once, twice] = await Promise.all([first.router.post(message), first.router.post(message)]);
    await first.router.stop();
    const { router } = await world.open();
    await world.removePlan(checkout);
    expect([once, twice, await router.post(message)]).toEqual(Array(3).fill({ kind: 'routed', to: checkout }));
    expect(await records(world)).toHaveLength(1);
  });

  describe('another message with the same id', () => {
    const taken = { kind: 'refused', code: 'message/idTaken' };
    test('is refused while the first is posted and after it was routed', async () => {
      const world = await makeRouterWorld();
      const { router } = await world.open();
      const message = world.message({ 'target-plan': checkout });
      const other = { ...message, body: 'Do something else.' };
      const [, second] = await Promise.all([router.post(message), router.post(other)]);
      expect([second, await router.post(other)]).toMatchObject([taken, taken]);
      expect([...world.mailboxes.values()]).toMatchObject([{ id: message.id, body: message.body }]);
      expect(await router.post(message)).toEqual({ kind: 'routed', to: checkout });
    });

    test('is refused while the first is being routed, which goes on', async () => {
      const world = await makeRouterWorld();
      const gate = createDeferred<void>();
      const { router } = await world.open({ answer: () => gate.promise.then(() => accept(cards)) });
      const message = world.message({ target: 'auto' });
      const routed = world.whenRouted(message.id);
      expect(await router.post(message)).toBe('routing');
      expect(await router.post({ ...message, named: { 'target-plan': checkout } })).toMatchObject(taken);
      expect(await router.post(message)).toBe('routing');
      gate.resolve();
      expect(await routed).toMatchObject({ outcome: { kind: 'routed', to: cards } });
    });
  });

  test('an ambiguity or a rule to an unknown place does not decide', async () => {
    const rules = [
      { id: 'a', all: ['refund'], target: cards },
      { id: 'b', any: ['refund'], target: 'Mail/project-root' },
      { id: 'c', all: ['parcel'], target: 'Gone/project-root' },
    ];
    const world = await makeRouterWorld({ rules });
    const { router } = await world.open();
    for (const body of ['A refund came twice.', 'The parcel is late.']) {
      expect(await router.post(world.message({ target: 'auto' }, { body }))).toBe('routing');
    }
  });
});

describe('a decided message', () => {
  test('that the disk refused to hand over is handed over later', async () => {
    const world = await makeRouterWorld();
    let refusal: Error | undefined = failure('disk/full', 'mailbox', 'The disk is full.');
    const accepted = createDeferred<void>();
    const refuses = () => {
      if (refusal === undefined) accepted.resolve();
      return refusal;
    };
    const { router } = await world.open({ refuses });
    const message = world.message({ 'target-plan': checkout });
    await expect(router.post(message)).rejects.toMatchObject({ code: 'disk/full' });
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
    expect(await router.post(message)).toEqual({ kind: 'routed', to: checkout });
    expect(await records(world)).toHaveLength(1);
  });

  test('waits while a damaged mailbox cannot tell whether it has the message', async () => {
    const { world, message, open } = await handedOver();
    const { router } = await open('mailbox/corrupt');
    await untilRetried(world);
    await expect(router.post(message)).rejects.toMatchObject({ code: 'mailbox/corrupt' });
    expect(await records(world)).toHaveLength(1);
  });

  test('is decided again when the mailbox refuses it for good', async () => {
    const { world, message, open } = await handedOver();
    const { router } = await open('mailbox/full');
    expect(await router.post(message)).toMatchObject({ kind: 'refused', code: 'mailbox/full' });
    expect(await records(world)).toMatchObject([{ outcome: { kind: 'routed' } }, { outcome: { kind: 'refused' } }]);
  });

  /** A message that one owner handed over, and a next owner that does not know this and is refused. */
  async function handedOver() {
    const world = await makeRouterWorld();
    const first = await world.open();
    const message = world.message({ 'target-plan': checkout });
    await first.router.post(message);
    await first.router.stop();
    await rm(world.layout.handedOver);
    const open = (code: 'message/unknownPlan' | 'mailbox/corrupt' | 'mailbox/full') =>
      world.open({ refuses: () => failure(code, checkout, 'Not now.') });
    return { world, message, open };
  }
});

describe('a message decided by sessions', () => {
  interface Case {
    readonly named?: Parameters<RouterWorld['message']>[0];
    readonly answers: readonly LevelTwoAnswer[];
    readonly scopes: readonly string[];
    readonly outcome: object;
    readonly step: string;
    readonly settings?: RouterWorldOptions['settings'];
  }

  async function check({ named = { target: 'auto' }, answers, scopes, outcome, step, settings }: Case): Promise<void> {
    const world = await makeRouterWorld({ ...(settings !== undefined && { settings }) });
    const rest = [...answers];
    const { router } = await world.open({ answer: () => rest.shift() ?? reject() });
    const message = world.message(named);
    const routed = world.whenRouted(message.id);
    expect(await router.post(message)).toBe('routing');
    expect(await routed).toMatchObject({ step, outcome });
    expect(world.asked.map(({ pending }) => pending.scope)).toEqual(scopes);
    const decision = (await records(world)).at(-1);
    expect(decision).toMatchObject({ type: 'decision', step, outcome, usd: scopes.length * 0.01 });
    expect(decision).toMatchObject({ consulted: scopes.map((scope) => ({ level: 2, scope })) });
    await router.stop();
    const isWaiting = 'kind' in outcome && outcome.kind === 'waiting';
    expect(pendingFiles(world)).toHaveLength(isWaiting ? 1 : 0);
    const replies = [...world.mailboxes.values()].filter(({ type }) => type === 'reply');
    expect(replies).toMatchObject([{ about: isWaiting ? 'waiting' : 'routed', re: message.id }]);
    expect(world.approvals.size).toBe(isWaiting ? 1 : 0);
  }

  const waiting = { kind: 'waiting' };
  test.each<[string, Case]>([
    [
      'goes to the plan that the session accepts it for',
      {
        ...{ named: { 'target-project': 'Bank' }, answers: [accept(cards)], scopes: ['Bank'], step: 'level-2' },
        outcome: { kind: 'routed', to: cards },
      },
    ],
    [
      'counts as checked when a session over the plan agrees',
      {
        answers: [{ ...accept(cards), isChecked: true } as LevelTwoAnswer],
        ...{ scopes: ['vault'], step: 'level-3', outcome: { kind: 'routed', to: cards } },
      },
    ],
    [
      'is passed on to another project',
      {
        answers: [reject('Mail'), reject('Bank'), accept(cards)],
        ...{ scopes: ['vault', 'Mail', 'Bank'], step: 'level-2', outcome: { kind: 'routed', to: cards } },
      },
    ],
    [
      'is not passed to the same project twice',
      {
        answers: [reject('Bank'), reject('Mail'), reject('Bank')],
        scopes: ['vault', 'Bank', 'Mail'],
        step: 'person',
        outcome: waiting,
      },
    ],
    [
      'waits for a person when the session turns it away',
      { answers: [reject()], scopes: ['vault'], step: 'person', outcome: waiting },
    ],
    [
      'waits for a person when it was passed on too often',
      {
        ...{ answers: [reject('Bank'), reject('Mail')], scopes: ['vault', 'Bank'], step: 'person', outcome: waiting },
        settings: { retargets: 1 },
      },
    ],
    [
      'waits for a person when the session does not answer',
      { answers: [{ kind: 'none', why: 'It never spoke.' }], scopes: ['vault'], step: 'person', outcome: waiting },
    ],
    [
      'waits for a person when the accepting plan is gone',
      { answers: [accept('Bank/project-root/gone')], scopes: ['vault'], step: 'person', outcome: waiting },
    ],
  ])('%s', (_name, given) => check(given));

  test('hands on a suggested rule once it is routed', async () => {
    const world = await makeRouterWorld();
    const message = world.message({ target: 'auto' });
    const rule = { id: 'refunds', all: ['refund'], target: cards };
    const suggestion = { rule, by: 'level-2', reason: 'Cards are theirs.', messages: [message.id] } as const;
    const { router } = await world.open({ answer: () => accept(cards), suggestions: [suggestion] });
    const routed = world.whenRouted(message.id);
    await router.post(message);
    await routed;
    expect(world.suggested).toEqual([suggestion]);
  });

  test('takes its turn, with at most `concurrent` sessions at a time', async () => {
    const world = await makeRouterWorld({ settings: { concurrent: 2 } });
    let running = 0;
    let most = 0;
    const gates = new Collector<() => void>();
    const { router } = await world.open({
      async answer() {
        most = Math.max(most, ++running);
        const gate = createDeferred<void>();
        gates.add(gate.resolve);
        await gate.promise;
        running--;
        return accept(cards);
      },
    });
    const messages = Array.from({ length: 5 }, () => world.message({ target: 'auto' }));
    const routed = messages.map(({ id }) => world.whenRouted(id));
    for (const message of messages) await router.post(message);
    expect((await router.pending()).total).toBe(5);
    for (const [n] of messages.entries()) {
      // Two wait at a time, so that a third one could be seen.
      const opening = await gates.waitFor(Math.min(n + 2, messages.length));
      opening[n]?.();
    }
    await Promise.all(routed);
    expect(most).toBe(2);
    expect(new Set(world.asked.map(({ pending }) => pending.message.id)).size).toBe(5);
  });

  test('is asked about again by the next owner when a stop interrupts its session', async () => {
    const world = await makeRouterWorld();
    const asked = createDeferred<void>();
    const first = await world.open({
      async answer(_question, signal) {
        asked.resolve();
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        return accept(checkout);
      },
    });
    const message = world.message({ target: 'auto' });
    await first.router.post(message);
    await asked.promise;
    await first.router.stop();
    await expect(first.router.post(world.message({ target: 'auto' }))).rejects.toMatchObject({ code: 'run/stopped' });
    const routed = world.whenRouted(message.id);
    const second = await world.open({ answer: () => accept(cards) });
    expect(await routed).toMatchObject({ outcome: { kind: 'routed', to: cards } });
    expect(world.ended).toEqual([world.asked[0]?.session]);
    await second.router.stop();
    expect(pendingFiles(world)).toEqual([]);
  });

  test('waits for a person when the next project is gone', async () => {
    const world = await makeRouterWorld();
    const { router } = await world.open({
      async answer() {
        await rm(world.layout.project('Bank'));
        return reject('Bank');
      },
    });
    const message = world.message({ target: 'auto' });
    const routed = world.whenRouted(message.id);
    await router.post(message);
    expect(await routed).toMatchObject({
      step: 'person',
      outcome: { ...waiting, reason: 'Bank would be asked, and is gone.' },
    });
    expect(world.asked.map(({ pending }) => pending.scope)).toEqual(['vault']);
  });

  test('follows a plan that was renamed meanwhile', async () => {
    const world = await makeRouterWorld();
    const renamed = toQualifiedId('Bank/project-root/credit');
    const { router } = await world.open({
      async answer() {
        await rename(world.layout.plan(cards), world.layout.plan(renamed));
        await noteRename({ disk: nodeDisk, layout: world.layout }, { from: cards, to: renamed });
        return accept(cards);
      },
    });
    const message = world.message({ target: 'auto' });
    const routed = world.whenRouted(message.id);
    await router.post(message);
    expect(await routed).toMatchObject({ outcome: { kind: 'routed', to: renamed } });
    expect(world.mailboxes.get(message.id)).toMatchObject({ to: renamed });
  });

  test('has both its session and the session that checked a plan ended by the next owner', async () => {
    const world = await makeRouterWorld();
    const asked = createDeferred<void>();
    const check = world.newUlid();
    const first = await world.open({
      async answer({ noteCheck }, signal) {
        await noteCheck(check);
        asked.resolve();
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        return accept(checkout);
      },
    });
    const message = world.message({ target: 'auto' });
    await first.router.post(message);
    await asked.promise;
    await first.router.stop();
    const routed = world.whenRouted(message.id);
    await world.open({ answer: () => accept(cards) });
    await routed;
    expect(world.ended).toEqual([world.asked[0]?.session, check]);
  });

  test('is listed as waiting by a process that does not own the vault', async () => {
    const world = await makeRouterWorld();
    const first = await world.open({ answer: (_question, signal) => untilAborted(signal) });
    const message = world.message({ target: 'auto' }, { reason: 'Refunds' });
    await first.router.post(message);
    await first.router.stop();
    const { router } = await world.open({ isOwner: false });
    expect(await router.pending()).toMatchObject({
      pending: [{ message: message.id, state: 'waits for an owner of the vault', subject: 'Refunds' }],
      total: 1,
    });
  });

  test('waits for a person after three owners died during its session', async () => {
    const world = await makeRouterWorld();
    const message = world.message({ target: 'auto' });
    for (const attempt of [1, 2, 3]) {
      const asked = createDeferred<void>();
      const { router } = await world.open({
        async answer(_question, signal) {
          asked.resolve();
          await new Promise((resolve) => signal.addEventListener('abort', resolve));
          return accept(cards);
        },
      });
      if (attempt === 1) await router.post(message);
      await asked.promise;
      await router.stop();
    }
    const routed = world.whenRouted(message.id);
    await world.open();
    expect(await routed).toMatchObject({ step: 'person', outcome: waiting });
    expect(world.asked).toHaveLength(3);
  });
});

describe('facts found by a model', () => {
  const rules = [{ id: 'refunds', all: ['refund'], target: cards }];
  const byRule = { step: 'rules', outcome: { kind: 'routed', to: cards } };
  test.each([
    ['decide through a rule', 'Money came back twice.', ['refund'], byRule, { extractor: 'model', facts: ['refund'] }],
    [
      'can be empty, whatever the words of the message',
      'A refund.',
      [],
      { step: 'person' },
      { extractor: 'model', facts: [] },
    ],
    [
      'fall back to the words of the message when the model fails',
      'A refund.',
      undefined,
      byRule,
      { extractor: 'vocabulary' },
    ],
  ])('%s', async (_name, body, facts, routedAs, decision) => {
    const world = await makeRouterWorld({ rules, settings: { facts: 'model' } });
    const { router } = await world.open({ findFacts: async () => facts, answer: () => reject() });
    const message = world.message({ target: 'auto' }, { body });
    const routed = world.whenRouted(message.id);
    expect(await router.post(message)).toBe('routing');
    expect(await routed).toMatchObject(routedAs);
    expect((await records(world)).at(-1)).toMatchObject(decision);
  });
});

describe('a person who decides about a message', () => {
  async function waitingWorld() {
    const world = await makeRouterWorld();
    const { router } = await world.open({ answer: () => reject() });
    const message = world.message({ target: 'auto' });
    const routed = world.whenRouted(message.id);
    await router.post(message);
    await routed;
    return { world, router, message };
  }

  test('can send it to a plan, and its sender is told', async () => {
    const { world, router, message } = await waitingWorld();
    expect(await router.post(message)).toMatchObject({ kind: 'waiting' });
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
    expect(await router.post(message)).toEqual(outcome);
  });

  test('can refuse it, and its sender is told why', async () => {
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
  await router.post(message);
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
  expect(told).toMatchObject([{ code, subject: damaged, file, help: expect.stringContaining('remove it') }]);
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
  await writeFile(file, JSON.stringify(rest));
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
  expect(await router.post(message)).toBe('routing');
  expect(await routed).toMatchObject({ outcome: { kind: 'routed' } });
});

/** Resolves once a failed step is scheduled for another try. */
async function untilRetried({ clock }: RouterWorld): Promise<void> {
  await clock.whenScheduled();
}
