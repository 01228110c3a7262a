import { existsSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isUlid, toQualifiedId, type Ulid } from '../../src/model/id.ts';
import { replyId } from '../../src/model/reply.ts';
import type { Answer } from '../../src/model/requests/messages.ts';
import { loadAnswer, saveAnswer } from '../../src/questions/answers.ts';
import { makePlanWorld } from '../support/planServices.ts';

const query = '01M00000000000000000000001' as Ulid;
const answer: Answer = {
  query,
  question: 'Who feeds the cat?',
  from: 'person',
  by: toQualifiedId('Demo/project-root'),
  at: '2026-01-02T03:04:05Z',
  state: 'answered',
  text: 'Ada does.\n- "quoted": yes',
  citations: ['memory/cats'],
};

test('an answer is on disk before it is announced', async () => {
  const world = await makePlanWorld();
  const told: unknown[] = [];
  const emit = (event: object) => void told.push([event, existsSync(world.layout.answer(query))]);
  expect(await loadAnswer(world.services, query)).toBeUndefined();
  expect(await saveAnswer({ ...world.services, emit }, answer)).toEqual(answer);
  expect(told).toEqual([[expect.objectContaining({ type: 'query.answered', query, state: 'answered' }), true]]);
  expect(await loadAnswer(world.services, query)).toEqual(answer);
});

test('the first answer to a question is kept and announced again', async () => {
  const world = await makePlanWorld();
  await saveAnswer(world.services, answer);
  expect(await saveAnswer(world.services, { ...answer, text: 'Bob does.' })).toEqual(answer);
  expect((await loadAnswer(world.services, query))?.text).toBe(answer.text);
  expect(world.events.map(({ type }) => type)).toEqual(['query.answered', 'query.answered']);
});

test('loading an unreadable answer fails instead of reporting none', async () => {
  const world = await makePlanWorld();
  await saveAnswer(world.services, answer);
  writeFileSync(world.layout.answer(query), 'query: [\n');
  await expect(loadAnswer(world.services, query)).rejects.toMatchObject({ code: 'message/unreadable' });
});

test('the id of a reply depends on its message and outcome only', () => {
  const ids = (['routed', 'promoted', 'declined', 'answered'] as const).map((about) => replyId(query, about));
  expect(new Set(ids).size).toBe(4);
  expect(ids.every(isUlid)).toBe(true);
  expect(replyId(query, 'routed')).toBe(ids[0]);
});
