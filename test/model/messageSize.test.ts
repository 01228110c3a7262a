import { describe, expect, test } from 'vitest';
import { messageBytesMax } from '../../src/model/message.ts';
import { type MessageTexts, tooLong, truncateMessage } from '../../src/model/messageSize.ts';

const fits: MessageTexts = { reason: 'So', body: 'Do it.', target: { kind: 'auto' } };
const huge = 'x'.repeat(messageBytesMax);

test.each<[string, Partial<MessageTexts>]>([
  ['huge body', { body: huge }],
  ['body that is too long once escaped', { body: '\u0001'.repeat(messageBytesMax / 4) }],
  ['body of multi-byte characters', { body: 'ü'.repeat(messageBytesMax / 2) }],
  ['huge reason', { reason: huge }],
  ['huge target', { target: { kind: 'plan', name: huge } }],
  [
    'body and reason together',
    { body: huge.slice(0, messageBytesMax / 2), reason: huge.slice(0, messageBytesMax / 2) },
  ],
])('a message is refused and shortened for the record because of its %s', (_name, more) => {
  const message = { ...fits, ...more };
  expect(tooLong(message)).toMatch(/^it has about \d+ bytes, and the limit is 1048576$/);
  const kept = truncateMessage(message);
  expect(JSON.stringify(kept).length).toBeLessThan(10_000);
  expect(truncateMessage(kept)).toBe(kept);
});

describe('truncateMessage', () => {
  test('keeps a message that fits unchanged', () => {
    const large = { ...fits, body: 'x'.repeat(messageBytesMax - 4096) };
    expect([tooLong(large), truncateMessage(large)]).toEqual([undefined, large]);
  });

  test('keeps long messages that begin alike distinguishable', () => {
    const [one, other] = [
      { ...fits, body: huge },
      { ...fits, body: `${huge}x` },
    ].map(truncateMessage);
    expect(one?.body).toMatch(/^x{999}… \(1048576 bytes; too long to be sent, and the rest is not kept\)$/);
    expect(other?.body).not.toBe(one?.body);
    expect(one).toMatchObject({ reason: 'So', target: { kind: 'auto' } });
  });
});
