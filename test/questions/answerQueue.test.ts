import { expect, test } from 'vitest';
import { createDeferred } from '../../src/base/async.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import type { ConsultationRequest } from '../../src/harness/consultation.ts';
import { failure } from '../../src/model/codes.ts';
import { toQualifiedId, type Ulid } from '../../src/model/id.ts';
import type { Message } from '../../src/model/message.ts';
import { replyId } from '../../src/model/reply.ts';
import { AnswerQueue } from '../../src/questions/answerQueue.ts';
import { loadAnswer } from '../../src/questions/answers.ts';
import type { Answerer, AnswerTurn } from '../../src/questions/answerTurn.ts';
import { dialogueOf, type Question, questionsTo } from '../../src/questions/questions.ts';
import { FakeActors } from '../support/fakeDelivery.ts';
import { ManualClock } from '../support/manualClock.ts';
import { makePlanWorld, type PlanWorld } from '../support/planServices.ts';
import { diskChanges, traceDisk } from '../support/tracingDisk.ts';

const expert = toQualifiedId('expert:rust');
const asker = toQualifiedId('Demo/project-root');
const id = '01M00000000000000000000000' as Ulid;
const query: Extract<Message, { type: 'query' }> = {
  ...{ id, type: 'query', from: asker, to: expert, ts: '2026-01-02T03:04:05Z', depth: 0, origin: id },
  question: 'When to pin?',
};
const minuteMs = 60_000;

/** What the n-th session does. */
type Script = (turn: AnswerTurn, signal: AbortSignal, question: Question) => Promise<void>;

interface Opened {
  readonly queue: AnswerQueue;
  readonly actors: FakeActors;
  readonly asked: string[];
  readonly concluded: string[];
}

interface Options {
  readonly actors?: FakeActors;
  readonly disk?: PlanWorld['services']['disk'];
  readonly atOnce?: number;
  readonly patience?: () => Promise<number>;
}

function open(world: PlanWorld, scripts: readonly Script[], options: Options = {}): Opened {
  const { actors = new FakeActors(), disk = nodeDisk, atOnce = 1 } = options;
  const turns = new Map<string, { readonly turn: AnswerTurn; readonly question: Question }>();
  const asked: string[] = [];
  const concluded: string[] = [];
  const answerer: Answerer = {
    atOnce,
    async prepare(actor, question, turn) {
      turns.set(turn.session, { turn, question });
      asked.push(question.message.question);
      const request = { session: turn.session, actor, timeMs: minuteMs } as ConsultationRequest;
      return { kind: 'ask', request };
    },
    async conclude(_actor, { message }) {
      concluded.push(message.id);
    },
    patience: options.patience ?? (async () => 30 * minuteMs),
  };
  let started = 0;
  const queue = new AnswerQueue({
    ports: {
      ...{ ...world.services, disk },
      async consult({ session }, signal) {
        const prepared = turns.get(session);
        const script = scripts[Math.min(started++, scripts.length - 1)];
        if (prepared === undefined || script === undefined) throw new Error('nothing was prepared');
        await script(prepared.turn, signal, prepared.question);
        return { session, end: 'exited', durationMs: 1, output: '' };
      },
    },
    ...{ actors, answererOf: () => answerer, actorIds: async () => [] },
  });
  return { queue, actors, asked, concluded };
}

const answering: Script = (turn) => turn.keep({ state: 'answered', text: 'At once.', citations: [] });
const askingBack: Script = (turn) => turn.askBack('Which executor?');
const askingBackOnce: Script = (turn, signal, question) =>
  (dialogueOf(question).length === 0 ? askingBack : answering)(turn, signal, question);
const answerOf = (world: PlanWorld) => loadAnswer(world.services, id);
const from = { query: id, from: asker, text: 'One thread.', id: 'mine' };

test('a question back is told to its asker once, and the reply leads to another session', async () => {
  const world = await makePlanWorld();
  const { queue, actors, asked } = open(world, [askingBack, answering]);
  await queue.take(expert, query);
  await queue.settled();
  const told = {
    id: replyId(id, 'askedBack', 1),
    about: 'askedBack',
    to: asker,
    from: expert,
    text: 'Which executor?',
  };
  expect(actors.sent).toMatchObject([told]);
  expect(world.events).toContainEqual(expect.objectContaining({ type: 'query.clarification', query: id, round: 1 }));
  await queue.reply(from);
  await queue.reply(from);
  await queue.settled();
  expect(asked).toHaveLength(2);
  expect(await answerOf(world)).toMatchObject({ state: 'answered', text: 'At once.' });
  expect(actors.sent).toMatchObject([told, { about: 'answered' }]);
});

test('only who asked, or a person, replies to a question back', async () => {
  const world = await makePlanWorld();
  const { queue } = open(world, [askingBack, answering]);
  await queue.take(expert, query);
  await queue.settled();
  const other = toQualifiedId('Demo/project-root/other');
  await expect(queue.reply({ ...from, from: other })).rejects.toMatchObject({ code: 'question/foreign' });
  await queue.reply({ ...from, from: 'person' });
  await queue.settled();
  expect(await answerOf(world)).toMatchObject({ state: 'answered' });
});

test.each([
  ['in the same run', false],
  ['over a restart', true],
])('a question back without a reply is refused after its time, %s', async (_name, isRestarted) => {
  const clock = new ManualClock();
  const world = await makePlanWorld({ clock });
  const first = open(world, [askingBack]);
  await first.queue.take(expert, query);
  await first.queue.settled();
  clock.advance(29 * minuteMs);
  await first.queue.settled();
  expect(await answerOf(world)).toBeUndefined();
  if (isRestarted) await first.queue.stop();
  const { queue } = isRestarted ? open(world, [answering]) : first;
  if (isRestarted) await queue.begin();
  await queue.settled();
  clock.advance(minuteMs);
  await queue.settled();
  const text =
    'question/expired: No reply to "Which executor?" came within 30 minutes. Ask again, with what the expert wanted to know.';
  expect(await answerOf(world)).toMatchObject({ state: 'refused', text });
  await expect(queue.reply(from)).rejects.toMatchObject({ code: 'question/expired' });
});

test('a dialogue ends when its actor answers no more', async () => {
  const world = await makePlanWorld();
  let isGone = false;
  const patience = async () => {
    if (isGone) throw failure('expert/removed', expert, 'It is gone.');
    return minuteMs;
  };
  const { queue } = open(world, [askingBack], { patience });
  await queue.take(expert, query);
  await queue.settled();
  isGone = true;
  await expect(queue.reply(from)).rejects.toMatchObject({ code: 'expert/removed' });
  queue.look(expert);
  await queue.settled();
  const text = 'expert/removed: It is gone. See `ravel experts` for the experts of this vault, and ask another one.';
  expect(await answerOf(world)).toMatchObject({ state: 'refused', text });
});

test('a person’s answer ends the session that is asked, and nothing is concluded from it', async () => {
  const world = await makePlanWorld();
  const begun = createDeferred<void>();
  const { queue, concluded, actors } = open(world, [
    async (_turn, signal) => {
      begun.resolve();
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    },
  ]);
  await queue.take(expert, query);
  await begun.promise;
  const text = 'From the first poll on.';
  expect(await queue.answerInPlace(id, text)).toMatchObject({ text, isByPerson: true, by: expert });
  await queue.settled();
  expect(concluded).toEqual([]);
  expect(actors.sent).toMatchObject([{ about: 'answered', text }]);
  expect((await queue.answerInPlace(id, 'Never.')).text).toBe(text);
  await expect(queue.answerInPlace('01M00000000000000000000009' as Ulid, text)).rejects.toMatchObject({
    code: 'message/unknown',
  });
});

test('as many questions as an actor takes at once are asked beside each other, and each once', async () => {
  const world = await makePlanWorld();
  let under = 0;
  let most = 0;
  const three = createDeferred<void>();
  const script: Script = async (turn, signal, question) => {
    most = Math.max(most, ++under);
    if (under === 3) three.resolve();
    await three.promise;
    await answering(turn, signal, question);
    under -= 1;
  };
  const { queue, asked } = open(world, [script], { atOnce: 3 });
  const ids = Array.from({ length: 20 }, (_, n) => `01M000000000000000000000${String(n).padStart(2, '0')}` as Ulid);
  for (const one of ids) await queue.take(expert, { ...query, id: one, question: one });
  await queue.settled();
  expect([...asked].sort()).toEqual(ids);
  expect(most).toBe(3);
  expect(await questionsTo(world.services, expert).list()).toEqual([]);
});

test('a dialogue whose owner dies at any change of the disk is told, replied to and answered once', async () => {
  for (let cut = 1; ; cut++) {
    const world = await makePlanWorld();
    const actors = new FakeActors();
    let changes = 0;
    const disk = traceDisk(nodeDisk, (_n, name) => {
      if (diskChanges.has(name) && ++changes >= cut) throw new Error('the power is cut');
    });
    const first = open(world, [askingBackOnce], { disk, actors });
    const succeeds = (work: Promise<unknown>) =>
      work.then(
        () => true,
        () => false,
      );
    const isTaken = await succeeds(first.queue.take(expert, query));
    await first.queue.settled();
    const isReplied = await succeeds(first.queue.reply(from));
    await first.queue.settled();
    const isWhole = changes < cut;
    const second = open(world, [askingBackOnce], { actors });
    await second.queue.begin();
    if (!isTaken) await second.queue.take(expert, query);
    await second.queue.settled();
    if (!isReplied) await succeeds(second.queue.reply(from));
    await second.queue.settled();
    expect(await answerOf(world), `cut ${cut}`).toMatchObject({ state: 'answered', text: 'At once.' });
    expect(await questionsTo(world.services, expert).list()).toEqual([]);
    const ids = actors.sent.map((sent) => sent.id);
    expect(new Set(ids)).toEqual(new Set([replyId(id, 'askedBack', 1), replyId(id, 'answered')]));
    if (isWhole) break;
  }
});

test('the session that asked back is ended by the next owner, which tells the question again', async () => {
  const world = await makePlanWorld();
  const actors = new FakeActors();
  const first = open(world, [askingBack], { actors });
  await first.queue.take(expert, query);
  await first.queue.settled();
  await first.queue.stop();
  const session = (await questionsTo(world.services, expert).load(id))?.session;
  const ended: Ulid[] = [];
  const endOrphan = async (one: Ulid) => {
    ended.push(one);
    return undefined;
  };
  const second = open({ ...world, services: { ...world.services, endOrphan } }, [answering], { actors });
  await second.queue.begin();
  await second.queue.settled();
  expect(ended).toEqual([session]);
  expect(world.events.filter(({ type }) => type === 'query.clarification')).toHaveLength(2);
  expect(actors.sent).toHaveLength(1);
});

test.each<[string, (queue: AnswerQueue) => Promise<unknown>, string]>([
  ['a reply', (queue) => queue.reply(from), 'At once.'],
  ['a person’s answer', (queue) => queue.answerInPlace(id, 'Never.'), 'Never.'],
])('%s that comes before the next owner waits for one is not lost', async (_name, act, text) => {
  const world = await makePlanWorld();
  const first = open(world, [askingBack]);
  await first.queue.take(expert, query);
  await first.queue.settled();
  await first.queue.stop();
  const begun = createDeferred<void>();
  const ended = createDeferred<void>();
  const endOrphan = async () => {
    begun.resolve();
    await ended.promise;
    return undefined;
  };
  const { queue } = open({ ...world, services: { ...world.services, endOrphan } }, [answering]);
  await queue.begin();
  await begun.promise;
  await act(queue);
  ended.resolve();
  await queue.settled();
  expect(await answerOf(world)).toMatchObject({ state: 'answered', text });
  expect(await questionsTo(world.services, expert).list()).toEqual([]);
});
