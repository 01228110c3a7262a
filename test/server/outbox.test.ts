import { expect, test } from 'vitest';
import { Outbox, queuedBytesMax } from '../../src/server/outbox.ts';

type Step = { readonly events: number; readonly bytes?: number } | 'reply' | 'drain' | 'block';

/** Plays the steps against a sink that blocks after every write from the step `block` on, and checks what was written. */
function check(steps: readonly Step[], expected: readonly string[]): void {
  const written: string[] = [];
  let ready = true;
  const outbox = new Outbox({
    write(bytes) {
      written.push(Buffer.from(bytes).toString().trim().slice(0, 20));
      return ready;
    },
  });
  let block = 0;
  for (const step of steps) {
    if (step === 'block') ready = false;
    if (step === 'reply') outbox.sendReply(Buffer.from('reply\n'));
    if (step === 'drain') outbox.onDrain();
    if (typeof step !== 'string') {
      const text = `block ${++block}\n`.padEnd(step.bytes ?? 0, ' ');
      outbox.sendEvents({ bytes: Buffer.from(text), count: step.events });
    }
  }
  expect(written).toEqual(expected);
}

const half = queuedBytesMax / 2;

test('the outbox writes everything at once while the client reads', () =>
  check([{ events: 1 }, 'reply', { events: 2 }], ['block 1', 'reply', 'block 2']));
test('the outbox drops nothing up to its limit', () =>
  check(
    ['block', { events: 1 }, { events: 3, bytes: half }, { events: 4, bytes: half }, 'drain', 'drain'],
    ['block 1', 'block 2', 'block 3'],
  ));
test('the outbox drops the oldest events first and writes their number in their place', () =>
  check(
    [
      'block',
      { events: 1 },
      { events: 3, bytes: half },
      { events: 4, bytes: half },
      { events: 5, bytes: half },
      { events: 6, bytes: half },
      'drain',
      'drain',
      'drain',
    ],
    ['block 1', '{"dropped":7}', 'block 4', 'block 5'],
  ));
test('the outbox never drops a reply, and reports dropped events in order around it', () =>
  check(
    [
      'block',
      { events: 1 },
      { events: 2, bytes: half },
      'reply',
      { events: 3, bytes: half },
      { events: 4, bytes: half },
      { events: 5, bytes: half },
      'drain',
      'drain',
      'drain',
      'drain',
      'drain',
    ],
    ['block 1', '{"dropped":2}', 'reply', '{"dropped":3}', 'block 4', 'block 5'],
  ));
test('the outbox is full when many replies wait', () => {
  const outbox = new Outbox({ write: () => false });
  outbox.sendReply(Buffer.alloc(10));
  outbox.sendReply(Buffer.alloc(queuedBytesMax));
  expect(outbox.isFull).toBe(false);
  outbox.sendReply(Buffer.alloc(1));
  expect(outbox.isFull).toBe(true);
  outbox.onDrain();
  expect(outbox.isFull).toBe(false);
});
