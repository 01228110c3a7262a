import { expect, test } from 'vitest';
import { Broadcast } from '../../src/server/broadcast.ts';
import { fakeEvent } from '../support/fakeApi.ts';

/** Emits events with reasons of these lengths and checks how many events each block of the turn has. */
async function check(lengths: readonly number[], expected: readonly number[]): Promise<void> {
  const counts: number[] = [];
  const lines: string[] = [];
  const broadcast = new Broadcast(({ bytes, count }) => {
    counts.push(count);
    lines.push(...Buffer.from(bytes).toString().trimEnd().split('\n'));
  });
  for (const length of lengths) broadcast.add(fakeEvent('x'.repeat(length)));
  await new Promise((resolve) => setImmediate(resolve));
  expect(counts).toEqual(expected);
  expect(lines.map((line) => JSON.parse(line))).toEqual(
    lengths.map((length) => ({ event: fakeEvent('x'.repeat(length)) })),
  );
}

test('events of one turn are sent as one block', () => check([1, 2, 3], [3]));
test('a block is cut before it grows large', () => check([40_000, 40_000, 1], [2, 1]));
