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

describe('the summary of a triage', () => {
  /** A backlog with these ids in order; a capital letter is a done task. */
  const backlog = (ids: string) => ({
    tasks: [...ids].map((letter): Task => {
      const id = letter.toLowerCase();
      return { id, title: `Task ${id}`, category: 'c', status: letter === id ? 'not_started' : 'done' };
    }),
  });
  const check = (before: string, after: string, ...expected: string[]) =>
    expect(lines(summariseTriage(backlog(before), backlog(after)))).toEqual(expected);

  test('lists done, new, reprioritised and obsolete tasks in that order', () =>
    check('abcd', 'Cxab', 'DONE c', 'NEW x', 'REPRIORITISED c', 'OBSOLETE d'));
  test('reports only tasks that became done as done', () => check('Ab', 'Ab'));
  test('reports a task that is both new and done as new', () => check('a', 'aB', 'NEW b'));
  test('reports no move if the first task is deleted', () => check('abcdef', 'bcdef', 'OBSOLETE a'));
  test('reports no move if a task is added before all others', () => check('abc', 'xabc', 'NEW x'));
  test('reports one move if one task moved', () => {
    check('abcdef', 'fabcde', 'REPRIORITISED f');
    check('abcdef', 'bcdefa', 'REPRIORITISED a');
  });
  test('reports the task that came forward if two tasks changed places', () =>
    check('abcd', 'acbd', 'REPRIORITISED c'));
  test('is empty if nothing changed', () => check('abc', 'abc'));
  test('reports every task as new before the first cycle', () => {
    expect(lines(summariseTriage({}, backlog('ab')))).toEqual(['NEW a', 'NEW b']);
    expect(summariseTriage({ tasks: null }, { tasks: null }).items).toEqual([]);
  });
  test('uses the current title of a task, or its last one if it is gone', () => {
    const now = { tasks: backlog('A').tasks.map((task) => ({ ...task, title: 'Other' })) };
    expect(summariseTriage(backlog('ab'), now).items.map(({ title }) => title)).toEqual(['Other', 'Task b']);
  });

  test('leaves the tasks it does not mention in their old order', () =>
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

describe('the summary of a reflection', () => {
  test.each<[string, readonly MemoryEntry[], string[]]>([
    ['is empty if no entry changed', old.entries, []],
    ['reports a changed body as stale', [entry('a', 'other'), ...old.entries.slice(1)], ['STALE a']],
    [
      'reports a changed title as stale',
      [{ ...entry('a', 'one two'), title: 'X' }, ...old.entries.slice(1)],
      ['STALE a'],
    ],
    ['ignores a changed order', old.entries.toReversed(), []],
    [
      'lists new, stale and obsolete entries in that order',
      [entry('c', '4'), entry('d', 'x')],
      ['NEW d', 'STALE c', 'OBSOLETE a', 'OBSOLETE b'],
    ],
  ])('%s', (_name, entries, expected) =>
    expect(lines(summariseReflection(old, { entries: [...entries] }))).toEqual(expected),
  );

  test('has no word counts', () => expect(summariseReflection({}, old)).not.toHaveProperty('words'));
});

test('the summary of a dream always has word counts, with titles included', () => {
  expect(summariseDream(old, old)).toEqual({ phase: 'dream', items: [], words: { before: 7, after: 7 } });
  const after = { entries: [entry('a', 'one two three')] };
  expect(summariseDream(old, after)).toMatchObject({ words: { before: 7, after: 4 } });
  expect(lines(summariseDream(old, after))).toEqual(['STALE a', 'OBSOLETE b', 'OBSOLETE c']);
});
