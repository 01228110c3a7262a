import { expect, test } from 'vitest';
import { deriveDreamMap } from '../../../src/gates/dream/deriveDreamMap.ts';
import type { DreamMap } from '../../../src/model/memory.ts';

type Bodies = Readonly<Record<string, string>>;

/** Entries by id; the title is the same for all. */
function check(before: Bodies, after: Bodies, map: DreamMap) {
  const entries = (bodies: Bodies) => Object.entries(bodies).map(([id, body]) => ({ id, title: 'Entry', body }));
  expect(deriveDreamMap(entries(before), entries(after))).toEqual(map);
}

const tabs = 'Indent with `tabs`, never with spaces.';
const lines = 'A line has at most 100 columns.';

test('an entry that stays needs no place in the map', () => check({ a: tabs, b: lines }, { a: tabs, b: lines }, {}));

test('an entry that was merged away is in the one that took it up', () =>
  check(
    { a: tabs, b: lines, c: 'Sessions are short.' },
    { a: `${tabs} ${lines}`, c: 'Sessions are short.' },
    {
      a: ['a'],
      b: ['a'],
    },
  ));

test('two that became a third are both there', () =>
  check({ a: tabs, b: lines }, { layout: `${tabs}\n${lines}` }, { a: ['layout'], b: ['layout'] }));

test('one that was taken apart is in both halves', () =>
  check({ a: `${tabs}\n\n${lines}` }, { a: tabs, b: lines }, { a: ['a', 'b'] }));

test('one whose words another held already is in that one', () =>
  check({ a: `${tabs} ${lines}`, b: `${lines} Always.` }, { a: `${tabs} ${lines}` }, { b: ['a'] }));

test('an entry that changed goes before one that says the same by chance', () =>
  check(
    { old: `${lines} Tests too.`, a: lines, b: tabs },
    { a: lines, b: `${tabs} ${lines} Tests too.` },
    {
      old: ['b'],
      b: ['b'],
    },
  ));

test('what nobody holds is led to what shares most with it, here the title', () =>
  check({ a: tabs, b: lines }, { a: tabs }, { b: ['a'] }));
