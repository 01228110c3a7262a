import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Core } from '../../src/core.ts';
import type { Ulid } from '../../src/model/id.ts';
import { backlogIn } from '../support/backlogs.ts';
import { ask, makeExpertWorld, pinning, quoting } from '../support/expertWorld.ts';
import { finishDone, nextEvent, oneEntry, runOptionsOf, type Steps } from '../support/phaseWorld.ts';
import { startCore } from '../support/world.ts';

const question = 'When does a future need to be pinned?';
const askBack = (text: string): Steps => [{ call: 'ask_back', with: { question: text } }];

const reply = (core: Core, query: Ulid, text: string, waitSeconds = 60) =>
  core.api.request('reply', { query, text, 'wait-seconds': waitSeconds });

/** What the newest session was shown. */
async function lastPrompt(core: Core, vault: string): Promise<string> {
  const { sessions } = await core.api.request('sessions', {});
  return readFileSync(join(vault, 'runtime/sessions', sessions[0]?.session ?? '', 'prompt.md'), 'utf8');
}

test('an expert asks back, is asked again with the reply, and must answer after its last question', async () => {
  const world = await makeExpertWorld({
    answers: [
      { when: 'On Tokio.', steps: [{ call: 'ask_back', with: { question: 'Why?' }, expect: 'refused' }, ...quoting()] },
      { when: 'On one thread.', steps: askBack('Which runtime?') },
      { steps: askBack('Which executor?') },
    ],
    dialogue: { 'max-questions': 2 },
  });
  const { core } = await startCore(world);
  const { query, answer, askedBack } = await ask(core, question);
  expect([answer, askedBack]).toEqual([undefined, { by: 'expert:rust', text: 'Which executor?', round: 1 }]);
  expect(await core.api.request('answer', { query })).toMatchObject({ askedBack: { text: 'Which executor?' } });
  const second = await reply(core, query, 'On one thread.');
  expect(second).toMatchObject({ query, askedBack: { text: 'Which runtime?', round: 2 } });
  const last = await reply(core, query, 'On Tokio.');
  expect(last.answer).toMatchObject({ state: 'answered', text: pinning.answer, isSupported: true });
  const prompt = await lastPrompt(core, world.vault);
  for (const text of ['Which executor?', 'On one thread.', 'Which runtime?', 'On Tokio.'])
    expect(prompt).toContain(text);
  expect(prompt).toContain('answer now, or decline');
  const { receipt } = await core.api.request('receipt', { id: query });
  expect(receipt.dialogue).toEqual([
    { asked: 'Which executor?', reply: 'On one thread.' },
    { asked: 'Which runtime?', reply: 'On Tokio.' },
  ]);
});

test('a question back outlives the owner, and a reply that is sent again is taken in once', async () => {
  const world = await makeExpertWorld({
    answers: [{ when: 'On one thread.', steps: quoting() }, { steps: askBack('Which executor?') }],
  });
  const first = await startCore(world);
  const { query } = await ask(first.core, question);
  await first.server.stop();
  await first.core.stop();
  const { core, events } = await startCore(world);
  expect((await core.api.request('answer', { query })).askedBack).toMatchObject({ text: 'Which executor?' });
  const params = { query, text: 'On one thread.', id: 'mine', 'wait-seconds': 60 };
  const ends = await Promise.all([core.api.request('reply', params), core.api.request('reply', params)]);
  expect(ends.map(({ answer }) => answer?.text)).toEqual([pinning.answer, pinning.answer]);
  expect(events.filter(({ type }) => type === 'session.started')).toHaveLength(1);
});

test('open questions are listed with what is asked back, until they are replied to and answered', async () => {
  const world = await makeExpertWorld({
    answers: [{ when: 'On one thread.', steps: quoting() }, { steps: askBack('Which executor?') }],
  });
  const { core, events } = await startCore(world);
  const open = async (to?: string) =>
    (await core.api.request('questions', to === undefined ? {} : { to })).questions.map(({ askedBack, ...row }) => [
      ...[row.query, row.to, row.from, row.question, askedBack?.text],
    ]);
  const { query } = await ask(core, question);
  const waiting = [query, 'expert:rust', 'person', question, 'Which executor?'];
  expect(await open()).toEqual([waiting]);
  expect([await open('expert:rust'), await open('expert:ffi')]).toEqual([[waiting], []]);
  await expect(core.api.request('questions', { to: 'nowhere' })).rejects.toMatchObject({ code: 'plan/unknown' });
  await reply(core, query, 'On one thread.');
  expect(events.filter(({ type }) => type === 'query.replied')).toMatchObject([
    { actor: 'expert:rust', query, by: 'person' },
  ]);
  expect(await open()).toEqual([]);
  const second = await ask(core, `Once more: ${question}`);
  await core.api.request('answer_in_place', { query: second.query, text: 'At once.' });
  expect(await open()).toEqual([]);
});

test('a reply is refused where no question waits for it', async () => {
  const world = await makeExpertWorld({ answers: [{ steps: quoting() }] });
  const { core } = await startCore(world);
  const unknown = '01M00000000000000000000000' as Ulid;
  await expect(reply(core, unknown, 'x')).rejects.toMatchObject({ code: 'question/notWaiting' });
  const { query } = await ask(core, question);
  await expect(reply(core, query, 'x')).rejects.toMatchObject({ code: 'question/notWaiting' });
});

test('an expert that is removed ends its dialogues and refuses new questions, and answers what it was asked before', async () => {
  const world = await makeExpertWorld({
    answers: [
      { when: 'Why is a pinned future', steps: [{ wait: '50ms' }, ...quoting()] },
      { steps: askBack('Which executor?') },
    ],
  });
  const { core } = await startCore(world);
  const { query } = await ask(core, question);
  const begun = nextEvent(core, 'session.started');
  const before = ask(core, 'Why is a pinned future polled?');
  await begun;
  rmSync(join(world.vault, 'experts/rust.md'));
  const ended = nextEvent(core, 'query.answered', (event) => event.query === query);
  await core.api.request('experts', {});
  await ended;
  expect((await core.api.request('answer', { query })).answer).toMatchObject({
    state: 'refused',
    text: expect.stringContaining('expert/removed'),
  });
  expect((await before).answer).toMatchObject({ state: 'answered' });
});

test('a person answers in the place of the expert, and the session that is asked is ended', async () => {
  const world = await makeExpertWorld({ answers: [{ steps: [{ hang: true }] }] });
  const { core } = await startCore(world);
  const begun = nextEvent(core, 'session.started');
  const asked = ask(core, question);
  const { actor, session } = await begun;
  expect(actor).toBe('expert:rust');
  const ended = nextEvent(core, 'session.ended');
  const [{ message: query } = { message: undefined }] = (await core.api.request('routes', {})).routes;
  const given = await core.api.request('answer_in_place', { query: query ?? '', text: 'From its first poll on.' });
  expect(given.answer).toMatchObject({ isByPerson: true, by: 'expert:rust', state: 'answered' });
  expect(await ended).toMatchObject({ session, end: 'stopped' });
  expect((await asked).answer).toMatchObject({ text: 'From its first poll on.', isByPerson: true });
  const late = await core.api.request('answer_in_place', { query: query ?? '', text: 'Never.' });
  expect(late.answer.text).toBe('From its first poll on.');
});

test('a session replies to a question back with its own tool, and gets the answer with the same call', async () => {
  const phases = {
    reflect: [
      { call: 'message_ask', with: { 'target-expert': 'rust', reason: 'For the design', body: question } },
      {
        call: 'message_reply',
        with: { question: '01M00000000000000000000000', text: 'x' },
        expect: 'refused' as const,
      },
      finishDone,
    ],
  };
  const world = await makeExpertWorld({
    answers: [{ steps: askBack('Which executor?') }],
    phases,
    plan: { 'phase.md': 'reflect\n', 'memory.yaml': oneEntry },
  });
  const { core, events } = await startCore(world);
  expect(await core.api.request('run_phase', runOptionsOf(world))).toMatchObject({ end: 'finished' });
  const asked = events.find((event) => event.type === 'query.clarification');
  expect(asked).toMatchObject({ by: 'expert:rust', text: 'Which executor?', round: 1 });
  const { dispatched = [] } = backlogIn(world.planDirectory);
  expect(dispatched).toMatchObject([{ kind: 'query', outcome: expect.stringContaining('asks back') }]);
});
