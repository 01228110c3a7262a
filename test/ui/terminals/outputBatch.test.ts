import { expect, test } from 'vitest';
import { OutputBatch } from '../../../src/ui/terminals/outputBatch.ts';
import { ManualClock } from '../../support/manualClock.ts';

function makeBatch() {
  const clock = new ManualClock();
  const written: string[] = [];
  return { clock, written, batch: new OutputBatch(clock, (text) => written.push(text)) };
}

test('output within 16 ms is written together', () => {
  const { clock, written, batch } = makeBatch();
  batch.add('a');
  batch.add('b');
  expect(written).toEqual([]);
  clock.advance(16);
  batch.add('c');
  clock.advance(16);
  expect(written).toEqual(['ab', 'c']);
});

test('a flood of output does not wait', () => {
  const { written, batch } = makeBatch();
  batch.add('x'.repeat(300_000));
  expect(written.map((text) => text.length)).toEqual([300_000]);
});

test('flush writes the rest at once, and nothing is written after dispose', () => {
  const { clock, written, batch } = makeBatch();
  batch.add('last');
  batch.flush();
  batch.add('too late');
  batch.dispose();
  clock.advance(100);
  expect(written).toEqual(['last']);
});
