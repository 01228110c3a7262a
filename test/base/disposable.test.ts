import { expect, test } from 'vitest';
import { DisposableStore, toDisposable } from '../../src/base/disposable.ts';

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

test('a store disposes what it owns, the last first, and once', () => {
  const { order, item } = recorder();
  const store = new DisposableStore();
  const first = store.add(item('first'));
  store.add(item('second'));
  store.dispose();
  store.dispose();
  first.dispose();
  expect(order).toEqual(['second', 'first']);
});

test('a disposed store disposes what still arrives', () => {
  const { order, item } = recorder();
  const store = new DisposableStore();
  store.dispose();
  store.add(item('late'));
  expect(order).toEqual(['late']);
});
