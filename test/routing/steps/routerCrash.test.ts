import { existsSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createDeferred } from '../../../src/base/async.ts';
import { nodeDisk } from '../../../src/base/nodeDisk.ts';
import { toQualifiedId } from '../../../src/model/id.ts';
import type { Suggestion } from '../../../src/model/routing.ts';
import type { LevelTwoAnswer } from '../../../src/routing/steps/routeSteps.ts';
import { makeRouterWorld } from '../../support/routerWorld.ts';
import { diskChanges, type TracedDisk, traceDisk } from '../../support/tracingDisk.ts';

const cards = toQualifiedId('Bank/project-root/cards');
const accepted: LevelTwoAnswer = { kind: 'accept', target: cards, justification: 'Theirs.', isChecked: false };
const rejected: LevelTwoAnswer = { kind: 'reject', reason: 'Not ours.' };

/** The process ends before the n-th change of the disk: nothing of it goes on. */
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

/**
 * A message is posted, and the owner dies before one change of the disk. The next one posts it again where its sender was
 * told nothing, and goes on with it. Returns whether the owner lived.
 */
async function dieAt(at: number, answer: LevelTwoAnswer): Promise<boolean> {
  const world = await makeRouterWorld();
  const dead = createDeferred<'dead'>();
  const message = world.message({ 'target-project': 'Bank' });
  const suggestion: Suggestion = {
    ...{ rule: { id: 'r', all: ['card'], target: cards }, by: 'level-2', reason: 'So.', messages: [message.id] },
  };
  const owner = { answer: () => answer, suggestions: [suggestion] };
  const first = await world.open({ ...owner, disk: dyingDisk(at, () => dead.resolve('dead')) });
  const routed = world.whenRouted(message.id);
  const told = first.router.post(message);
  const lived = await Promise.race([dead.promise, routed.then(() => 'alive' as const)]);
  const isTold = await Promise.race([
    told.then(() => true),
    new Promise<false>((resolve) => setImmediate(() => resolve(false))),
  ]);
  const second = await world.open(owner);
  if (!isTold) await second.router.post(message);
  while (
    (await second.history.find(message.id))?.outcome === undefined ||
    (await second.router.pending()).pending.some(({ approval }) => approval === undefined) ||
    world.mailboxes.size === 0
  ) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  const decided = await second.history.find(message.id);
  const files = existsSync(world.layout.pendingRoutes) ? readdirSync(world.layout.pendingRoutes) : [];
  const whole = files.filter((name) => name.endsWith('.json'));
  const sent = [...world.mailboxes.values()].map(({ type, to }) => [type, to]);
  if (answer === accepted) {
    expect(decided).toMatchObject({ outcome: { kind: 'routed', to: cards }, step: 'level-2' });
    // Told in another order where the first owner died between; each is there once, by its id.
    expect(sent.sort()).toEqual([
      ['dispatch', cards],
      ['reply', message.from],
    ]);
    expect(world.suggested.length).toBeGreaterThan(0);
    expect(whole).toEqual([]);
  } else {
    expect(decided).toMatchObject({ outcome: { kind: 'waiting' }, step: 'person' });
    expect(sent).toEqual([['reply', message.from]]);
    expect([...world.approvals.values()]).toMatchObject([
      { message: message.id, why: expect.stringContaining('Not ours.') },
    ]);
    expect(whole).toEqual([`${message.id}.json`]);
  }
  await second.router.stop();
  return lived === 'alive';
}

test.each([
  ['its receiver has it once', accepted],
  ['a person is asked once', rejected],
])(
  'whenever the owner dies, %s',
  async (_name, answer) => {
    let deaths = 0;
    for (let at = 1; !(await dieAt(at, answer)); at++) deaths = at;
    // The file, the session's id, the answer, the decision: each is several changes.
    expect(deaths).toBeGreaterThan(12);
  },
  120_000,
);
