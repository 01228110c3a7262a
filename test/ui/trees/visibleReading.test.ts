import { expect, test } from 'vitest';
import { VisibleReading } from '../../../src/ui/trees/visibleReading.ts';

function makeView() {
  const waiting: (() => void)[] = [];
  let running = 0;
  let most = 0;
  let fire = () => {};
  const view = { visible: true, onDidChangeVisibility: (f: () => void) => ((fire = f), { dispose() {} }) };
  let disk = 0;
  let shown = -1;
  const reading = new VisibleReading(
    view as never,
    async () => {
      most = Math.max(most, ++running);
      const seen = disk;
      await new Promise<void>((done) => waiting.push(done));
      running -= 1;
      shown = seen;
    },
    (error) => {
      throw error;
    },
  );
  const settle = () => new Promise((done) => setTimeout(done, 0));
  return {
    reading,
    waiting,
    settle,
    view,
    fire: () => fire(),
    change: () => (disk += 1),
    most: () => most,
    shown: () => shown,
    disk: () => disk,
  };
}

test('many changes while it reads make one more reading, one after the other', async () => {
  const { reading, most, waiting } = makeView();
  for (let n = 0; n < 20; n += 1) reading.touch();
  expect([most(), waiting.length]).toEqual([1, 1]);
});

test('what is shown in the end is what was read last', async () => {
  const { reading, waiting, settle, change, shown, disk } = makeView();
  reading.touch();
  change();
  reading.touch();
  reading.touch();
  // The second reading ends before the first one.
  for (const end of waiting.splice(0).reverse()) {
    end();
    await settle();
  }
  while (waiting.length > 0) {
    waiting.shift()?.();
    await settle();
  }
  expect(shown()).toBe(disk());
});
