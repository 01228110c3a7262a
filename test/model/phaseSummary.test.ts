import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Task } from '../../src/model/backlog.ts';
import type { MemoryEntry } from '../../src/model/memory.ts';
import {
  type PhaseSummary,
  summariseDream,
  summariseReflection,
  summariseTriage,
} from '../../src/model/phaseSummary.ts';

const lines = ({ items }: PhaseSummary) => items.map(({ label, id }) => `${label} ${id}`);

describe('a triage', () => {
  /** Ids in order; a capital letter is a task that is done. */
  const backlog = (ids: string) => ({
    tasks: [...ids].map((letter): Task => {
      const id = letter.toLowerCase();
      return { id, title: `Task ${id}`, category: 'c', status: letter === id ? 'not_started' : 'done' };
    }),
  });
  const check = (before: string, after: string, ...expected: string[]) =>
    expect(lines(summariseTriage(backlog(before), backlog(after)))).toEqual(expected);

  test('done stands before new, moved and gone', () =>
    check('abcd', 'Cxab', 'DONE c', 'NEW x', 'REPRIORITISED c', 'OBSOLETE d'));
  test('only what becomes done is done', () => check('Ab', 'Ab'));
  test('what is new and done at once is new', () => check('a', 'aB', 'NEW b'));
  test('deleting the first task moves no other', () => check('abcdef', 'bcdef', 'OBSOLETE a'));
  test('a task put before all others moves no other', () => check('abc', 'xabc', 'NEW x'));
  test('one task that was moved is all that was moved', () => {
    check('abcdef', 'fabcde', 'REPRIORITISED f');
    check('abcdef', 'bcdefa', 'REPRIORITISED a');
  });
  test('of two that changed places the one that came forward was moved', () =>
    check('abcd', 'acbd', 'REPRIORITISED c'));
  test('nothing', () => check('abc', 'abc'));
  test('before a first cycle everything is new', () => {
    expect(lines(summariseTriage({}, backlog('ab')))).toEqual(['NEW a', 'NEW b']);
    expect(summariseTriage({ tasks: null }, { tasks: null }).items).toEqual([]);
  });
  test('a title is that of the task as it is now, or as it last was', () => {
    const now = { tasks: backlog('A').tasks.map((task) => ({ ...task, title: 'Other' })) };
    expect(summariseTriage(backlog('ab'), now).items.map(({ title }) => title)).toEqual(['Other', 'Task b']);
  });

  test('what did not move stands in its old order', () =>
    fc.assert(
      fc.property(fc.shuffledSubarray([...'abcdefgh']), fc.shuffledSubarray([...'abcdefgh']), (before, after) => {
        const { items } = summariseTriage(backlog(before.join('')), backlog(after.join('')));
        const told = new Set(items.map(({ id }) => id));
        expect(after.filter((id) => !told.has(id))).toEqual(before.filter((id) => !told.has(id)));
      }),
    ));
});

const entry = (id: string, body: string): MemoryEntry => ({ id, title: id.toUpperCase(), body });
const old = { entries: [entry('a', 'one two'), entry('b', 'three'), entry('c', 'four')] };

describe('a reflection', () => {
  test.each<[string, readonly MemoryEntry[], string[]]>([
    ['nothing', old.entries, []],
    ['another body', [entry('a', 'other'), ...old.entries.slice(1)], ['STALE a']],
    ['another title', [{ ...entry('a', 'one two'), title: 'X' }, ...old.entries.slice(1)], ['STALE a']],
    ['another order', old.entries.toReversed(), []],
    ['new, stale, gone', [entry('c', '4'), entry('d', 'x')], ['NEW d', 'STALE c', 'OBSOLETE a', 'OBSOLETE b']],
  ])('%s', (_name, entries, expected) =>
    expect(lines(summariseReflection(old, { entries: [...entries] }))).toEqual(expected),
  );

  test('has no words', () => expect(summariseReflection({}, old)).not.toHaveProperty('words'));
});

test('a dream always tells the words, titles included', () => {
  expect(summariseDream(old, old)).toEqual({ phase: 'dream', items: [], words: { before: 7, after: 7 } });
  const after = { entries: [entry('a', 'one two three')] };
  expect(summariseDream(old, after)).toMatchObject({ words: { before: 7, after: 4 } });
  expect(lines(summariseDream(old, after))).toEqual(['STALE a', 'OBSOLETE b', 'OBSOLETE c']);
});
