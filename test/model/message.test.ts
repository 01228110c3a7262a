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
    ['a dispatch', { type: 'dispatch', reason: 'It is yours', body: 'Do it' }, true],
    ['a dispatch without a body', { type: 'dispatch', reason: 'It is yours', body: '' }, false],
    ['a query', { type: 'query', question: 'Why?' }, true],
    ['a note of a person', { type: 'note', from: 'person', text: 'Mind the gap' }, true],
    ['a tick', { type: 'tick' }, true],
    ['a tick to an expert', { type: 'tick', to: 'expert:git' }, true],
    ['of an unknown type', { type: 'wave' }, false],
    ['too deep', { type: 'tick', depth: messageDepthMax + 1 }, false],
    ['from nobody', { type: 'tick', from: 'somebody' }, false],
    ['to a path that leaves', { type: 'tick', to: '../project-root' }, false],
    ['whose id is no ULID', { type: 'tick', id: 'x' }, false],
  ])('%s', (_name, rest, expected) => {
    expect(messageSchema.safeParse({ ...header, ...rest }).success).toBe(expected);
  });

  test('keeps fields that it does not know', () => {
    const parsed = messageSchema.parse({ ...header, type: 'tick', 'x-why': 'later' });
    expect(parsed).toMatchObject({ 'x-why': 'later' });
  });
});

test.each([
  ['mailbox/full', true],
  ['message/tooLong', true],
  ['disk/full', false],
  ['plan/message/full', false],
])('%s says that a message is not taken in: %s', (code, is) => expect(isMessageRefusal(code)).toBe(is));
