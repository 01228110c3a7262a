import { rename, rm } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { createDeferred } from '../../../src/base/async.ts';
import { nodeDisk } from '../../../src/base/nodeDisk.ts';
import { toQualifiedId } from '../../../src/model/id.ts';
import type { RouteSessionAnswer } from '../../../src/routing/steps/routeSteps.ts';
import { recordRename } from '../../../src/vault/planRenames.ts';
import { Collector } from '../../support/fakeApi.ts';
import { makeRouterWorld, type RouterWorld, type RouterWorldOptions } from '../../support/routerWorld.ts';
import { accept, cards, checkout, pendingFiles, records, reject, untilAborted } from './routerAnswers.ts';

describe('a message decided by sessions', () => {
  interface Case {
    readonly named?: Parameters<RouterWorld['message']>[0];
    readonly answers: readonly RouteSessionAnswer[];
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
    expect(await router.route(message)).toBe('routing');
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
        answers: [{ ...accept(cards), isChecked: true } as RouteSessionAnswer],
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
    await router.route(message);
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
    for (const message of messages) await router.route(message);
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
    await first.router.route(message);
    await asked.promise;
    await first.router.stop();
    await expect(first.router.route(world.message({ target: 'auto' }))).rejects.toMatchObject({ code: 'run/stopped' });
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
    await router.route(message);
    expect(await routed).toMatchObject({
      step: 'person',
      outcome: { ...waiting, reason: 'Bank would be asked, but does not exist any more.' },
    });
    expect(world.asked.map(({ pending }) => pending.scope)).toEqual(['vault']);
  });

  test('follows a plan that was renamed meanwhile', async () => {
    const world = await makeRouterWorld();
    const renamed = toQualifiedId('Bank/project-root/credit');
    const { router } = await world.open({
      async answer() {
        await rename(world.layout.plan(cards), world.layout.plan(renamed));
        await recordRename({ disk: nodeDisk, layout: world.layout }, { from: cards, to: renamed });
        return accept(cards);
      },
    });
    const message = world.message({ target: 'auto' });
    const routed = world.whenRouted(message.id);
    await router.route(message);
    expect(await routed).toMatchObject({ outcome: { kind: 'routed', to: renamed } });
    expect(world.mailboxes.get(message.id)).toMatchObject({ to: renamed });
  });

  test('has both its session and the session that checked a plan ended by the next owner', async () => {
    const world = await makeRouterWorld();
    const asked = createDeferred<void>();
    const check = world.newUlid();
    const first = await world.open({
      async answer({ recordCheck }, signal) {
        await recordCheck(check);
        asked.resolve();
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        return accept(checkout);
      },
    });
    const message = world.message({ target: 'auto' });
    await first.router.route(message);
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
    await first.router.route(message);
    await first.router.stop();
    const { router } = await world.open({ isOwner: false });
    expect(await router.pending()).toMatchObject({
      pending: [
        { message: message.id, state: 'waits for an owner of the vault', subject: 'Do it. (because: Refunds)' },
      ],
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
      if (attempt === 1) await router.route(message);
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
    expect(await router.route(message)).toBe('routing');
    expect(await routed).toMatchObject(routedAs);
    expect((await records(world)).at(-1)).toMatchObject(decision);
  });
});
