import { existsSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createDeferred } from '../../../src/base/async.ts';
import { nodeDisk } from '../../../src/base/nodeDisk.ts';
import { toQualifiedId } from '../../../src/model/id.ts';
import type { TargetFields } from '../../../src/model/namedTarget.ts';
import type { RoutedMessage, Suggestion } from '../../../src/model/routing.ts';
import type { Router } from '../../../src/routing/steps/router.ts';
import type { PersonsChoice } from '../../../src/routing/steps/routerParts.ts';
import type { RouteSessionAnswer } from '../../../src/routing/steps/routeSteps.ts';
import {
  makeRouterWorld,
  type OwnerOptions,
  type RouterWorld,
  type RouterWorldOptions,
} from '../../support/routerWorld.ts';
import { diskChanges, type TracedDisk, traceDisk } from '../../support/tracingDisk.ts';

const cards = toQualifiedId('Bank/project-root/cards');
const checkout = toQualifiedId('Shop/project-root/checkout');
const sender = toQualifiedId('Shop/project-root');
const accepted: RouteSessionAnswer = { kind: 'accept', target: cards, justification: 'Theirs.', isChecked: false };
const rejected: RouteSessionAnswer = { kind: 'reject', reason: 'Not ours.' };
const suggestion: Suggestion = {
  ...{ rule: { id: 'r', all: ['card'], target: cards }, by: 'level-2', reason: 'So.', messages: [] },
};
const refunds = { rules: [{ id: 'refunds', all: ['refund'], target: cards }] };

interface Case {
  readonly named: TargetFields;
  readonly options?: RouterWorldOptions;
  readonly owner?: OwnerOptions;
  /** The decision of a person once they are asked. */
  readonly choice?: PersonsChoice;
  readonly outcome: object;
  readonly step: string;
  /** Type and receiver of each message in the mailboxes at the end. */
  readonly sent: readonly (readonly [string, string])[];
  /** Whether a person is asked about it. */
  readonly asks?: boolean;
  /** Whether the message still waits for that person. */
  readonly waits?: boolean;
  /** Changes of the disk before which an owner died, at least. */
  readonly deathsMin: number;
}

const toCards = { outcome: { kind: 'routed', to: cards }, sent: [['dispatch', cards]] } as const;
const toCardsAndTold = { ...toCards, sent: [...toCards.sent, ['reply', sender]] } as const;

/** A disk whose process dies before change `at`: no operation completes from then on. */
function dyingDisk(at: number, onDeath: () => void): TracedDisk {
  let changes = 0;
  return traceDisk(nodeDisk, (_n, name) => {
    if (changes >= at) return new Promise(() => undefined);
    if (!diskChanges.has(name)) return undefined;
    changes++;
    if (changes < at) return undefined;
    onDeath();
    return new Promise(() => undefined);
  });
}

/** This number of turns takes minutes, even on a busy machine. */
const turnsMax = 300_000;

/**
 * Resolves once `check` passes; rejects like it when it never does. Asks again and again, because no event says that the
 * mailboxes, the approvals and the pending file have all reached their end, least of all after an owner died.
 */
async function eventually(check: () => Promise<void>): Promise<void> {
  for (let turn = 0; ; turn++) {
    try {
      await check();
      return;
    } catch (error) {
      if (turn === turnsMax) throw error;
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Everything that a sender and a person do about a message while one owner lives. */
async function act(router: Router, message: RoutedMessage, { choice }: Case): Promise<void> {
  await router.route(message);
  if (choice === undefined) return;
  await eventually(async () => expect(await router.route(message)).not.toBe('routing'));
  await router.decideByPerson(message.id, choice, 'ada');
}

async function checkEnd(world: RouterWorld, message: RoutedMessage, { sent, asks = false, waits = false }: Case) {
  const files = existsSync(world.layout.pendingRoutes) ? readdirSync(world.layout.pendingRoutes) : [];
  // The order differs when the first owner died in between; each message is there once, by its id.
  const found = [...world.mailboxes.values()].map(({ type, to }) => [type, to]).sort();
  expect(found).toEqual([...sent].sort());
  expect(world.approvals.size).toBe(asks ? 1 : 0);
  expect(files.filter((name) => name.endsWith('.json'))).toEqual(waits ? [`${message.id}.json`] : []);
}

/**
 * Posts a message to an owner that dies before one change of the disk. The next owner continues; the message is posted
 * again if `isRepeated` and its sender got no answer. Returns whether the first owner lived.
 */
async function dieAt(at: number, given: Case, isRepeated: boolean): Promise<boolean> {
  const world = await makeRouterWorld(given.options);
  const message = world.message(given.named, { body: 'A refund came twice.' });
  const dead = createDeferred<'dead'>();
  const first = await world.open({ ...given.owner, disk: dyingDisk(at, () => dead.resolve('dead')) });
  let isDone = false;
  const lived = await Promise.race([
    dead.promise,
    (async () => {
      await act(first.router, message, given);
      isDone = true;
      await eventually(() => checkEnd(world, message, given));
      return 'alive' as const;
    })(),
  ]);
  const second = await world.open(given.owner);
  if (!isDone && isRepeated) await act(second.router, message, given);
  const isKnown = (await second.history.find(message.id)) !== undefined || (await second.router.pending()).total > 0;
  if (isKnown) {
    await eventually(() => checkEnd(world, message, given));
    const { outcome, step } = given;
    expect(await second.history.find(message.id)).toMatchObject({ outcome, step });
  }
  await second.router.stop();
  // A message without any record was sent nowhere, and its sender knows that they got no answer.
  await checkEnd(world, message, isKnown ? given : { ...given, sent: [], asks: false, waits: false });
  expect(isKnown || !(isDone || isRepeated)).toBe(true);
  return lived === 'alive';
}

const cases: readonly (readonly [string, Case])[] = [
  [
    'its sender names it',
    {
      ...{ named: { 'target-plan': checkout }, step: 'direct', outcome: { kind: 'routed', to: checkout } },
      ...{ sent: [['dispatch', checkout]], deathsMin: 3 },
    },
  ],
  ['a rule decides', { named: { target: 'auto' }, options: refunds, step: 'rules', deathsMin: 3, ...toCards }],
  [
    'a model finds what a rule is about',
    {
      ...{ named: { target: 'auto' }, options: { ...refunds, settings: { facts: 'model' } }, step: 'rules' },
      ...{ owner: { findFacts: async () => ['refund'] }, deathsMin: 12, ...toCardsAndTold },
    },
  ],
  [
    'a session of its project accepts it',
    {
      ...{ named: { 'target-project': 'Bank' }, step: 'level-2', deathsMin: 14, ...toCardsAndTold },
      owner: { answer: () => accepted, suggestions: [suggestion] },
    },
  ],
  [
    'a person is asked',
    {
      ...{ named: { 'target-project': 'Bank' }, owner: { answer: () => rejected }, step: 'person', deathsMin: 14 },
      ...{ outcome: { kind: 'waiting' }, sent: [['reply', sender]], asks: true, waits: true },
    },
  ],
  [
    'a person sends it',
    {
      ...{ named: { 'target-project': 'Bank' }, owner: { answer: () => rejected }, step: 'person', deathsMin: 20 },
      ...{ choice: { kind: 'send', to: cards }, outcome: { kind: 'routed', to: cards }, asks: true },
      sent: [...toCardsAndTold.sent, ['reply', sender]],
    },
  ],
  [
    'a person refuses it',
    {
      ...{ named: { 'target-project': 'Bank' }, owner: { answer: () => rejected }, step: 'person', deathsMin: 20 },
      ...{ choice: { kind: 'refuse', reason: 'Not now.' }, outcome: { kind: 'refused' }, asks: true },
      sent: [
        ['reply', sender],
        ['reply', sender],
      ],
    },
  ],
];

test.each(cases)(
  'when %s, a message whose owner dies at any change of the disk is routed once',
  async (_name, given) => {
    let deaths = 0;
    for (let at = 1; !(await dieAt(at, given, true)); at++) deaths = at;
    expect(deaths).toBeGreaterThanOrEqual(given.deathsMin);
  },
  120_000,
);

// The code that asked a person keeps their choice and repeats it, so these cases need no repeated post.
test.each(cases.filter(([, { choice }]) => choice === undefined))(
  'when %s, a message whose owner and sender die at any change of the disk is routed once or was never accepted',
  async (_name, given) => {
    for (let at = 1; !(await dieAt(at, given, false)); at++) expect(at).toBeLessThan(100);
  },
  120_000,
);
