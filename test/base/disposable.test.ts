import { expect, test } from 'vitest';
import { toDisposable } from '../../src/base/disposable.ts';

function recorder() {
  const order: string[] = [];
  return { order, item: (name: string) => toDisposable(() => order.push(name)) };
}

test('is disposed once, however often it is asked', () => {
  const { order, item } = recorder();
  const one = item('one');
  one.dispose();
  one.dispose();
  expect(order).toEqual(['one']);
});
