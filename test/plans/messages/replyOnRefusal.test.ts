import { expect, test } from 'vitest';
import { toQualifiedId, type Ulid } from '../../../src/model/id.ts';
import { type Message, type MessageOutcome, messageSchema } from '../../../src/model/message.ts';
import { replyId } from '../../../src/model/reply.ts';
import { replyOnRefusal } from '../../../src/plans/messages/replyOnRefusal.ts';
import { loadAnswer } from '../../../src/questions/answers.ts';
import { FakeActors, FakeEffects } from '../../support/fakeDelivery.ts';
import { makePlanWorld } from '../../support/planServices.ts';

const id = '01M00000000000000000000001' as Ulid;
const expert = toQualifiedId('expert:rust');
const sender = toQualifiedId('Demo/project-root');
const header = { id, from: sender, to: expert, ts: '2026-01-02T03:04:05Z', depth: 0, origin: id };
const query = messageSchema.parse({ ...header, type: 'query', question: 'Who feeds the cat?' });
const dispatch = messageSchema.parse({ ...header, type: 'dispatch', reason: 'r', body: 'Feed it.' });
const no: MessageOutcome = { kind: 'rejected', code: 'expert/questionsOnly', reason: 'It takes no tasks.' };

async function check(message: Message, outcome: MessageOutcome) {
  const world = await makePlanWorld();
  const actors = new FakeActors();
  const parts = { services: world.services, actors };
  const actor = replyOnRefusal(parts, expert, { handle: async () => outcome, stop: async () => undefined });
  const effects = new FakeEffects();
  for (let delivery = 0; delivery < 2; delivery++) {
    expect(await actor.handle(message, effects.delivery())).toEqual(outcome);
  }
  return { sent: actors.sent, answer: await loadAnswer(world.services, id) };
}

test('a refused question is answered with the refusal, once', async () => {
  const { sent, answer } = await check(query, no);
  const text = 'It takes no tasks.';
  expect(answer).toMatchObject({ query: id, by: expert, state: 'refused', text });
  expect(sent).toMatchObject([{ id: replyId(id, 'unanswered'), type: 'reply', to: sender, about: 'unanswered', text }]);
});

test('a refused task is declined, once', async () => {
  const { sent, answer } = await check(dispatch, no);
  expect(answer).toBeUndefined();
  expect(sent).toMatchObject([{ id: replyId(id, 'declined'), about: 'declined', re: id }]);
});

test('a handled message or a refused reply gets no answer', async () => {
  expect(await check(query, { kind: 'done', summary: '' })).toEqual({ sent: [], answer: undefined });
  const reply = messageSchema.parse({ ...header, type: 'reply', re: id, about: 'declined', text: '' });
  expect((await check(reply, no)).sent).toEqual([]);
});
