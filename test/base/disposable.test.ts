import { expect, test } from 'vitest';
import { disposeAll, toDisposable } from '../../src/base/disposable.ts';

function recorder() {
  const order: string[] = [];
  return { order, item: (name: string) => toDisposable(() => order.push(name)) };
}

test('toDisposable runs its action once, even if disposed twice', () => {
  const { order, item } = recorder();
  const one = item('one');
  one.dispose();
  one.dispose();
  expect(order).toEqual(['one']);
});

test('disposeAll drops the last first, and each once', () => {
  const { order, item } = recorder();
  const all = disposeAll([item('first'), item('second')]);
  all.dispose();
  all.dispose();
  expect(order).toEqual(['second', 'first']);
});
