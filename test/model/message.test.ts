import { describe, expect, test } from 'vitest';
import { isMessageRefusal, messageDepthMax, messageSchema } from '../../src/model/message.ts';

const id = '01HZY0000000000000000000M1';
const header = {
  id,
  from: 'Demo/project-root',
  to: 'Demo/project-root/child',
  ts: '2026-01-02T03:04:05Z',
  depth: 0,
  origin: id,
};

describe('a message', () => {
  test.each<[string, object, boolean]>([
    ['is accepted as a dispatch', { type: 'dispatch', reason: 'It is yours', body: 'Do it' }, true],
    ['is refused as a dispatch without a body', { type: 'dispatch', reason: 'It is yours', body: '' }, false],
    ['is accepted as a query', { type: 'query', question: 'Why?' }, true],
    ['is accepted as a note from a person', { type: 'note', from: 'person', text: 'Mind the gap' }, true],
    ['is accepted as a tick', { type: 'tick' }, true],
    ['is accepted as a tick to an expert', { type: 'tick', to: 'expert:git' }, true],
    ['is refused if its type is unknown', { type: 'wave' }, false],
    ['is refused beyond the greatest depth', { type: 'tick', depth: messageDepthMax + 1 }, false],
    ['is refused if its sender is not an actor', { type: 'tick', from: 'somebody' }, false],
    ['is refused if its receiver leads out of the vault', { type: 'tick', to: '../project-root' }, false],
    ['is refused if its id is not a ULID', { type: 'tick', id: 'x' }, false],
  ])('%s', (_name, rest, expected) => {
    expect(messageSchema.safeParse({ ...header, ...rest }).success).toBe(expected);
  });

  test('keeps unknown fields', () => {
    const parsed = messageSchema.parse({ ...header, type: 'tick', 'x-why': 'later' });
    expect(parsed).toMatchObject({ 'x-why': 'later' });
  });
});

test.each([
  ['mailbox/full', true],
  ['message/tooLong', true],
  ['disk/full', false],
  ['plan/message/full', false],
])('isMessageRefusal(%j) is %s', (code, is) => expect(isMessageRefusal(code)).toBe(is));
