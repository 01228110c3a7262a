import { expect, test } from 'vitest';
import { nextTurn } from '../../src/base/async.ts';
import { Turns } from '../../src/base/turns.ts';

const never = new AbortController().signal;

test('Turns lets two run at a time, and the others in the order they came', async () => {
  const turns = new Turns(2);
  const begun: string[] = [];
  const take = async (name: string) => {
    const turn = await turns.take(never);
    begun.push(name);
    return turn;
  };
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(take);
  await nextTurn();
  expect(begun).toEqual(['a', 'b']);
  const first = await a;
  first?.dispose();
  first?.dispose();
  await nextTurn();
  expect(begun).toEqual(['a', 'b', 'c']);
  for (const turn of [b, c]) (await turn)?.dispose();
  await d;
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
});

test('a caller that stops waiting does not cost the next one its turn', async () => {
  const turns = new Turns(1);
  const first = await turns.take(never);
  const stop = new AbortController();
  const second = turns.take(stop.signal);
  const third = turns.take(never);
  stop.abort(new Error('no longer wanted'));
  await expect(second).rejects.toThrow('no longer wanted');
  first.dispose();
  await third;
  await expect(turns.take(stop.signal)).rejects.toThrow('no longer wanted');
});
