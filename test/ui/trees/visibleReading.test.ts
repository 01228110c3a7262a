import { expect, test } from 'vitest';
import { nextTurn } from '../../../src/base/async.ts';
import { VisibleReading } from '../../../src/ui/trees/visibleReading.ts';

/** A view of a number that changes; each reading ends when the test says so. */
function makeView() {
  const ends: (() => void)[] = [];
  const seen = { disk: 0, shown: -1, running: 0, most: 0 };
  const view = { visible: true, onDidChangeVisibility: () => ({ dispose: () => undefined }) };
  const read = async () => {
    seen.running += 1;
    seen.most = Math.max(seen.most, seen.running);
    const { disk } = seen;
    await new Promise<void>((end) => ends.push(end));
    seen.running -= 1;
    seen.shown = disk;
  };
  const reading = new VisibleReading(view as never, read, (error) => {
    throw error;
  });
  return { reading, ends, seen, view };
}

test('many changes while a view reads make one more reading, which shows the last of them', async () => {
  const { reading, ends, seen } = makeView();
  for (let n = 0; n < 20; n += 1) {
    seen.disk += 1;
    reading.touch();
  }
  expect(ends).toHaveLength(1);
  ends.shift()?.();
  await nextTurn();
  expect(ends).toHaveLength(1);
  ends.shift()?.();
  await nextTurn();
  expect(ends).toHaveLength(0);
  expect(seen).toEqual({ disk: 20, shown: 20, running: 0, most: 1 });
});

test('a view that is hidden reads nothing until it is shown', () => {
  const { reading, ends, view } = makeView();
  view.visible = false;
  reading.touch();
  expect(ends).toHaveLength(0);
  view.visible = true;
  reading.touch();
  expect(ends).toHaveLength(1);
});
