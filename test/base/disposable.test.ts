import { expect, test } from 'vitest';
import { toDisposable } from '../../src/base/disposable.ts';

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
