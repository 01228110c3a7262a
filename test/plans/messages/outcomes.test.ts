import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { Emitter } from '../../../src/base/emitter.ts';
import { ensureDirectory } from '../../../src/base/files.ts';
import { nodeDisk } from '../../../src/base/nodeDisk.ts';
import { failure } from '../../../src/model/codes.ts';
import type { RavelEvent } from '../../../src/model/event.ts';
import { segmentFromId, toQualifiedId, type Ulid } from '../../../src/model/id.ts';
import { replyId } from '../../../src/model/reply.ts';
import type { RoutingResult } from '../../../src/model/routing.ts';
import { Outcomes, replyOutcomes } from '../../../src/plans/messages/outcomes.ts';
import { unreadNoteReason } from '../../../src/plans/sessions/sessionNotes.ts';
import { FakeActors } from '../../support/fakeDelivery.ts';
import { makePlanWorld, type PlanWorld } from '../../support/planServices.ts';
import { diskChanges, traceDisk } from '../../support/tracingDisk.ts';

const plan = toQualifiedId('Demo/project-root');
const sender = toQualifiedId('Demo/project-root/child');
const first = '01M00000000000000000000001' as Ulid;
const second = '01M00000000000000000000002' as Ulid;

const received = { from: sender, at: '2026-01-01T00:00:00Z', reason: 'It is theirs', body: 'Greet the cat.' };
const promoted = { id: first, ...received, state: 'promoted', task: 'greet-the-cat' };
const declined = { id: second, ...received, state: 'declined', declined_reason: 'There is no cat' };

async function makeWorld(records: readonly object[]) {
  const actors = new FakeActors();
  const results: RoutingResult[] = [];
  const recordResult = async (result: RoutingResult) => void results.push(result);
  const world = await makePlanWorld({
    children: [sender],
    plan: { 'backlog.yaml': stringify({ tasks: [], received: records }) },
  });
  await ensureDirectory(nodeDisk, world.layout.plans);
  return { ...world, actors, results, recordResult };
}

const setReceived = (world: PlanWorld, records: readonly object[]) =>
  world.writePlan('backlog.yaml', stringify({ tasks: [], received: records }));

test('a decided message is reported to its sender and to the routing history', async () => {
  const world = await makeWorld([promoted, declined, { id: 'x', ...received, state: 'new' }]);
  await replyOutcomes(world, plan);
  const about = { type: 'reply', from: plan, to: sender, by: plan };
  expect(world.actors.sent).toEqual([
    { ...about, id: replyId(first, 'promoted'), re: first, about: 'promoted', text: '', task: 'greet-the-cat' },
    { ...about, id: replyId(second, 'declined'), re: second, about: 'declined', text: 'There is no cat' },
  ]);
  expect(world.results).toMatchObject([
    { type: 'result', message: first, plan, result: 'promoted', task: 'greet-the-cat' },
    { type: 'result', message: second, plan, result: 'declined', reason: 'There is no cat' },
  ]);
});

test('an outcome is reported once, and again only when the decision changes', async () => {
  const world = await makeWorld([promoted]);
  await replyOutcomes(world, plan);
  await replyOutcomes(world, plan);
  expect(world.results.length).toBe(1);
  setReceived(world, [{ ...promoted, state: 'declined', declined_reason: 'After all not' }]);
  await replyOutcomes(world, plan);
  expect(world.results.map(({ result }) => result)).toEqual(['promoted', 'declined']);
  expect(world.actors.sent.length).toBe(2);
});

test('notes, answers and entries without a message id have no outcome to report', async () => {
  const world = await makeWorld([
    { ...promoted, reason: unreadNoteReason },
    { ...declined, re: first },
    { ...promoted, id: 'by-hand' },
  ]);
  await replyOutcomes(world, plan);
  expect([world.actors.sent, world.results, existsSync(world.layout.replied(plan))]).toEqual([[], [], false]);
});

test('an outcome for a person or a removed plan goes to the routing history only', async () => {
  const world = await makeWorld([
    { ...promoted, from: 'person' },
    { ...declined, from: 'Demo/project-root/gone' },
  ]);
  await replyOutcomes(world, plan);
  expect(world.actors.sent).toEqual([]);
  expect(world.results.length).toBe(2);
});

test('a sender with a full mailbox gets its outcome later and does not hold up other senders', async () => {
  const world = await makeWorld([promoted, { ...declined, from: 'person' }]);
  world.actors.refusal = failure('mailbox/full', sender, 'so many messages wait already');
  await expect(replyOutcomes(world, plan)).rejects.toMatchObject({ code: 'mailbox/full' });
  expect(world.results.length).toBe(2);
  world.actors.refusal = undefined;
  await replyOutcomes(world, plan);
  expect(world.actors.sent.map(({ id }) => id)).toEqual([replyId(first, 'promoted')]);
  expect(world.results.filter(({ result }) => result === 'declined').length).toBe(1);
});

test('a damaged record of told outcomes reports them again, and outcomes of removed messages leave it', async () => {
  const world = await makeWorld([promoted]);
  writeFileSync(world.layout.replied(plan), '{"half');
  await replyOutcomes(world, plan);
  expect(world.actors.sent.length).toBe(1);
  setReceived(world, []);
  await replyOutcomes(world, plan);
  expect(readFileSync(world.layout.replied(plan), 'utf8')).toBe('[]\n');
});

test('after a crash at any change of the disk, every sender has exactly one reply', async () => {
  for (let cut = 1, finished = false; !finished; cut++) {
    const world = await makeWorld([promoted, declined]);
    let changes = 0;
    const disk = traceDisk(nodeDisk, (_n, name) => {
      if (diskChanges.has(name) && ++changes >= cut) throw new Error('the power is cut');
    });
    finished = await replyOutcomes({ ...world, services: { ...world.services, disk } }, plan).then(
      () => true,
      () => false,
    );
    await replyOutcomes(world, plan);
    expect(
      world.actors.sent.map(({ id }) => id),
      `cut ${cut}`,
    ).toEqual([replyId(first, 'promoted'), replyId(second, 'declined')]);
  }
});

const at = '2026-01-02T03:04:05Z';
const looked: readonly { readonly name: string; readonly event: RavelEvent; readonly tells: boolean }[] = [
  {
    name: 'a merge of the backlog',
    event: { at, actor: plan, type: 'state.merged', session: first, files: ['backlog.yaml'], personEdited: [] },
    tells: true,
  },
  {
    name: 'a merge of another file',
    event: { at, actor: plan, type: 'state.merged', session: first, files: ['memory.yaml'], personEdited: [] },
    tells: false,
  },
  {
    name: 'an edit of the backlog',
    event: { at, actor: plan, type: 'plan.changed', change: 'edited', files: ['backlog.yaml'] },
    tells: true,
  },
  {
    name: 'an edit of another file',
    event: { at, actor: plan, type: 'plan.changed', change: 'edited', files: ['memory.yaml'] },
    tells: false,
  },
  {
    name: 'a restored plan',
    event: { at, actor: plan, type: 'plan.changed', change: 'restored' },
    tells: true,
  },
  { name: 'a removed plan', event: { at, actor: plan, type: 'plan.changed', change: 'removed' }, tells: false },
];

test.each(looked)('$name reports outcomes: $tells', async ({ event, tells }) => {
  const world = await makeWorld([promoted]);
  const events = new Emitter<RavelEvent>(() => undefined);
  const outcomes = new Outcomes({ ...world, services: { ...world.services, onEvent: events.event } });
  events.emit(event);
  events.emit(event);
  await outcomes.settled();
  expect(world.actors.sent.length).toBe(tells ? 1 : 0);
  await outcomes.stop();
  setReceived(world, [declined]);
  events.emit(event);
  await outcomes.settled();
  expect(world.results.some(({ result }) => result === 'declined')).toBe(false);
});

test('a start looks only at plans that have a mailbox', async () => {
  const world = await makeWorld([promoted]);
  const begin = async () => {
    const outcomes = new Outcomes(world);
    await outcomes.begin();
    await outcomes.stop();
    return world.actors.sent.length;
  };
  expect(await begin()).toBe(0);
  await ensureDirectory(nodeDisk, world.layout.mailboxes);
  writeFileSync(`${world.layout.mailboxes}/${segmentFromId(sender)}.jsonl`, '');
  expect(await begin()).toBe(0);
  writeFileSync(`${world.layout.mailboxes}/${segmentFromId(plan)}.jsonl`, '');
  const outcomes = new Outcomes(world);
  await outcomes.begin();
  await outcomes.settled();
  expect(world.actors.sent.length).toBe(1);
});
