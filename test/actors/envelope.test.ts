import { expect, test } from 'vitest';
import { seal } from '../../src/actors/envelope.ts';
import { messageSchema, type NewMessage } from '../../src/model/message.ts';
import { ManualClock } from '../support/manualClock.ts';
import { idOf, newMessage } from './messages.ts';

const clock = new ManualClock();

test('a message without a cause begins a chain', () => {
  const sealed = seal(newMessage(1), clock);
  expect(sealed).toMatchObject({ ts: '2026-01-02T03:04:05Z', depth: 0, origin: idOf(1), text: 'message 1' });
  expect(messageSchema.parse(sealed)).toEqual(sealed);
});

test('a message with a cause continues its chain, one deeper', () => {
  const cause = seal(newMessage(1), clock);
  const second = seal(newMessage(2), clock, cause);
  expect(seal(newMessage(3), clock, second)).toMatchObject({ depth: 2, origin: idOf(1) });
});

test('a sender cannot set the fields of record and envelope', () => {
  const message = {
    ...newMessage(1),
    seq: 9,
    crc: 'x',
    redelivered: 3,
    effects: {},
    ts: 'never',
    depth: 9,
    'x-kept': 1,
  };
  const sealed = seal(message as NewMessage, clock);
  expect(sealed).toMatchObject({ ts: '2026-01-02T03:04:05Z', depth: 0, 'x-kept': 1 });
  expect(Object.keys(sealed).sort()).toEqual(['depth', 'from', 'id', 'origin', 'text', 'to', 'ts', 'type', 'x-kept']);
});
