import { expect, onTestFinished, test } from 'vitest';
import { createDeferred } from '../../../src/base/async.ts';
import { failure } from '../../../src/model/codes.ts';
import { isUlid, type Ulid } from '../../../src/model/id.ts';
import { noFacts } from '../../../src/plans/proposals/facts.ts';
import { ActiveSession } from '../../../src/plans/sessions/activeSession.ts';
import type { AskedQuestion, AskQuestion, QuestionEnd } from '../../../src/plans/sessions/askedQuestion.ts';
import { loadStaged } from '../../../src/plans/transaction.ts';
import { joined } from '../../support/madeSecrets.ts';
import { backlogOf, makePlanWorld } from '../../support/planServices.ts';

const question = { 'target-plan': 'Demo/project-root/cats', reason: 'They know', body: 'Who feeds the cat?' };
const noteId = '01M00000000000000000000007' as Ulid;
const note = (id: Ulid) => ({ id, at: '2026-01-02T03:04:05Z', text: 'Feed it.' });

/** A session whose questions are answered when the test says so. */
async function openSession() {
  const world = await makePlanWorld({ plan: { 'backlog.yaml': backlogOf('one') } });
  const staged = await world.begin('work', { task: 'one' });
  const asked: AskedQuestion[] = [];
  const begun = createDeferred<void>();
  let end = createDeferred<QuestionEnd | undefined>();
  const ask: AskQuestion = (one, signal) => {
    asked.push(one);
    begun.resolve();
    signal.addEventListener('abort', () => end.resolve(undefined), { once: true });
    return end.promise;
  };
  const open = () =>
    ActiveSession.open({
      services: world.services,
      location: world.location,
      facts: async () => noFacts,
      ask,
      ...staged,
    });
  const active = await open();
  onTestFinished(() => active.close());
  const queries = async () => (await loadStaged(world.services.disk, staged.paths, 'work')).get('queries.yaml');
  return {
    ...{ world, active, asked, open, queries, begun },
    end: (one: QuestionEnd | undefined) => end.resolve(one),
    fail: (error: Error) => end.reject(error),
    anew() {
      end = createDeferred();
    },
  };
}

test('a question asked in a call gets its answer in that call, and the answer is not told again', async () => {
  const { active, asked, end, begun } = await openSession();
  const answered = active.call('c1', 'message_ask', question);
  await begun.promise;
  end({ note: noteId, text: 'Ada does.', isRefused: false });
  expect(await answered).toEqual({ text: 'Ada does.', isError: false });
  const { reason, body, 'target-plan': plan } = question;
  expect(asked).toMatchObject([{ target: { kind: 'plan', name: plan }, reason, body: `${body}\n` }]);
  expect(isUlid(asked[0]?.id ?? '')).toBe(true);
  await active.note(note(noteId));
  expect((await active.call('c2', 'backlog_list', {})).text).not.toContain('Feed it.');
});

test('notes and other calls do not wait for an open question', async () => {
  const { active, end, begun } = await openSession();
  const answered = active.call('c1', 'message_ask', question);
  await begun.promise;
  await active.note(note(noteId));
  expect((await active.call('c2', 'backlog_list', {})).text).toContain('> Feed it.');
  end(undefined);
  expect((await answered).text).toContain('has no answer yet');
});

test('a question without an answer in time is answered by a later note', async () => {
  const { active, asked, end, begun } = await openSession();
  const answered = active.call('c1', 'message_ask', question);
  await begun.promise;
  end(undefined);
  expect(await answered).toMatchObject({ isError: false, text: expect.stringContaining(asked[0]?.id ?? '-') });
  const answer = { query: noteId, by: 'person' as const, question: 'Who feeds the cat?' };
  await active.note({ ...note(noteId), answer });
  expect((await active.call('c2', 'backlog_list', {})).text).toContain('person on your question "Who feeds the cat?"');
});

test('a repeated call asks the same question and gets the same answer, even with the next owner', async () => {
  const { active, asked, end, begun, open } = await openSession();
  const twice = [active.call('c1', 'message_ask', question), active.call('c1', 'message_ask', question)];
  await begun.promise;
  end({ note: noteId, text: 'Ada does.', isRefused: false });
  expect(new Set((await Promise.all(twice)).map(({ text }) => text))).toEqual(new Set(['Ada does.']));
  expect(new Set(asked.map(({ id }) => id)).size).toBe(1);
  await active.close();
  const next = await open();
  onTestFinished(() => next.close());
  const before = asked.length;
  expect(await next.call('c1', 'message_ask', question)).toEqual({ text: 'Ada does.', isError: false });
  expect(asked.length).toBe(before);
});

test('a refused question is answered with an error', async () => {
  const { active, end, begun } = await openSession();
  const answered = active.call('c1', 'message_ask', question);
  await begun.promise;
  end({ note: noteId, text: 'Nobody was asked.', isRefused: true });
  expect(await answered).toEqual({ text: 'Nobody was asked.', isError: true });
});

test('a question that holds a secret is not asked', async () => {
  const { active, asked } = await openSession();
  const body = joined('Is gh¦p_85RKTjrXp3l2pdI4YTHRu3kowQ2hZAPfWq6S yours?');
  const answer = await active.call('c1', 'message_ask', { ...question, body });
  expect(answer).toMatchObject({
    isError: true,
    text: expect.stringContaining('question, line 2: this looks like a GitHub'),
  });
  expect(asked).toEqual([]);
});

test('a question that its receiver cannot take is queued under the same id for after the phase', async () => {
  const { active, asked, fail, begun, queries } = await openSession();
  const answered = active.call('c1', 'message_ask', question);
  await begun.promise;
  fail(failure('actor/stopping', 'cats', 'no more messages are taken'));
  expect((await answered).isError).toBe(false);
  expect(await queries()).toContain(`id: ${asked[0]?.id}`);
});

test('a session that is closed defers its open question', async () => {
  const { active, begun } = await openSession();
  const answered = active.call('c1', 'message_ask', question);
  await begun.promise;
  await active.close();
  expect((await answered).text).toContain('has no answer yet');
});

test('a deferred, invalid or late question is not asked', async () => {
  const { active, asked, queries } = await openSession();
  expect((await active.call('c1', 'message_ask', { ...question, defer: true })).isError).toBe(false);
  expect(await queries()).toContain('Who feeds the cat?');
  expect(await active.call('c2', 'message_ask', { ...question, target: 'auto' })).toMatchObject({ isError: true });
  expect((await active.call('c3', 'message_ask', { body: '' })).isError).toBe(true);
  await active.call('c4', 'finish_phase', { outcome: 'needs-input', summary: 'Who?' });
  expect((await active.call('c5', 'message_ask', question)).text).toContain('The phase is over');
  expect(asked).toEqual([]);
});
