import { expect, test } from 'vitest';
import { isSame, listOf, recordsOf, textsOf, topLevel, verdictOf } from '../../src/gates/records.ts';
import type { PlanValues } from '../../src/model/verdict.ts';

function valuesOf(value: unknown): PlanValues {
  return new Map([['backlog.yaml', { value, problems: [] }]]);
}

test.each<[string, unknown, unknown[]]>([
  ['a list with records', { tasks: [{ id: 'a' }, { id: 'b', title: 1 }] }, [{ id: 'a' }, { id: 'b', title: 1 }]],
  [
    'a list with values that are not records',
    { tasks: [{ id: 7 }, {}, null, 'a', ['id'], { id: 'a' }] },
    [{ id: 'a' }],
  ],
  ['a key that is not a list', { tasks: { id: 'a' } }, []],
  ['a file without the key', {}, []],
  ['a file that is not a map', ['tasks'], []],
  ['an empty file', null, []],
])('recordsOf returns only the records of %s', (_name, value, expected) => {
  expect(recordsOf(valuesOf(value), 'backlog.yaml', 'tasks')).toEqual(expected);
});

test('topLevel and listOf treat a missing file as empty', () => {
  expect(topLevel(new Map(), 'backlog.yaml')).toEqual({});
  expect(listOf(new Map(), 'backlog.yaml', 'tasks')).toEqual([]);
});

test.each<[unknown, unknown, boolean]>([
  [{ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }, true],
  [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
  [null, undefined, true],
  ['', undefined, false],
  ['1', 1, false],
  [[1, 2], [2, 1], false],
])('isSame(%j, %j) is %s', (a, b, expected) => expect(isSame(a, b)).toBe(expected));

test('textsOf returns only the strings of a list', () => {
  expect(textsOf(['a', 1, null, 'b'])).toEqual(['a', 'b']);
  expect(textsOf('a')).toEqual([]);
});

test('verdictOf rejects exactly if there are findings', () => {
  expect(verdictOf('Wrong.', [])).toEqual({ outcome: 'accept' });
  expect(verdictOf('Wrong.', ['a'])).toEqual({
    ...{ outcome: 'reject', reason: 'Wrong.', findings: ['a'], retryable: true },
  });
});
