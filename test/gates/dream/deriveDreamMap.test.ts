import { expect, test } from 'vitest';
import { deriveDreamMap } from '../../../src/gates/dream/deriveDreamMap.ts';
import type { DreamMap } from '../../../src/model/memory.ts';

type Bodies = Readonly<Record<string, string>>;

/** Derives the map between entries given by id; all have the same title. */
function check(before: Bodies, after: Bodies, map: DreamMap) {
  const entries = (bodies: Bodies) => Object.entries(bodies).map(([id, body]) => ({ id, title: 'Entry', body }));
  expect(deriveDreamMap(entries(before), entries(after))).toEqual(map);
}

const tabs = 'Indent with `tabs`, never with spaces.';
const lines = 'A line has at most 100 columns.';

test('an unchanged entry is not in the map', () => check({ a: tabs, b: lines }, { a: tabs, b: lines }, {}));

test('a merged entry maps to the entry that took it up', () =>
  check(
    { a: tabs, b: lines, c: 'Sessions are short.' },
    { a: `${tabs} ${lines}`, c: 'Sessions are short.' },
    {
      a: ['a'],
      b: ['a'],
    },
  ));

test('two entries merged into a new one both map to it', () =>
  check({ a: tabs, b: lines }, { layout: `${tabs}\n${lines}` }, { a: ['layout'], b: ['layout'] }));

test('an entry that was split maps to both parts', () =>
  check({ a: `${tabs}\n\n${lines}` }, { a: tabs, b: lines }, { a: ['a', 'b'] }));

test('an entry whose text another one already held maps to that one', () =>
  check({ a: `${tabs} ${lines}`, b: `${lines} Always.` }, { a: `${tabs} ${lines}` }, { b: ['a'] }));

test('a changed entry is preferred to one that happens to say the same', () =>
  check(
    { old: `${lines} Tests too.`, a: lines, b: tabs },
    { a: lines, b: `${tabs} ${lines} Tests too.` },
    {
      old: ['b'],
      b: ['b'],
    },
  ));

test('an entry found nowhere maps to the entry that shares most with it, here the title', () =>
  check({ a: tabs, b: lines }, { a: tabs }, { b: ['a'] }));
