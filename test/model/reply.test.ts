import { expect, test } from 'vitest';
import { failure } from '../../src/model/codes.ts';
import { isUlid, toQualifiedId, type Ulid } from '../../src/model/id.ts';
import { person } from '../../src/model/person.ts';
import { ignoreRefusal, type Reply, replyId, sendReply } from '../../src/model/reply.ts';

const re = '01HZY0000000000000000000M1' as Ulid;
const shop = toQualifiedId('Shop/project-root');
const bank = toQualifiedId('Bank/project-root');

async function sent(reply: Partial<Reply>): Promise<unknown[]> {
  const calls: unknown[] = [];
  const actors = { send: async (...call: unknown[]) => void calls.push(call) };
  await sendReply(actors, { re, to: shop, by: bank, about: 'declined', text: 'Not ours', ...reply });
  return calls;
}

test('a reply is sent as a repeat, under an id that follows from the message and the news alone', async () => {
  const id = replyId(re, 'declined');
  expect(isUlid(id)).toBe(true);
  expect(replyId(re, 'promoted')).not.toBe(id);
  const news = { id, type: 'reply', to: shop, re, about: 'declined', text: 'Not ours' };
  expect(await sent({})).toEqual([[{ ...news, from: bank, by: bank }, { isRepeat: true }]]);
  expect(await sent({ by: undefined })).toEqual([[{ ...news, from: person }, { isRepeat: true }]]);
  const more = { task: 'fix', citations: ['m1'] };
  expect(await sent(more)).toEqual([[{ ...news, from: bank, by: bank, ...more }, { isRepeat: true }]]);
});

test('a person is sent no reply', async () => expect(await sent({ to: person })).toEqual([]));

test('only what a mailbox refuses is ignored', () => {
  expect(() => ignoreRefusal(failure('mailbox/full', shop, 'It is full.'))).not.toThrow();
  const stopped = failure('run/stopped', shop, 'Ravel stops.');
  expect(() => ignoreRefusal(stopped)).toThrow(stopped);
});
