import { expect, test } from 'vitest';
import { isSame, listOf, recordsOf, textsOf, topLevel, verdictOf } from '../../src/gates/records.ts';
import type { PlanValues } from '../../src/model/verdict.ts';

function valuesOf(value: unknown): PlanValues {
  return new Map([['backlog.yaml', { value, problems: [] }]]);
}

test.each<[string, unknown, unknown[]]>([
  ['records', { tasks: [{ id: 'a' }, { id: 'b', title: 1 }] }, [{ id: 'a' }, { id: 'b', title: 1 }]],
  ['what is no record', { tasks: [{ id: 7 }, {}, null, 'a', ['id'], { id: 'a' }] }, [{ id: 'a' }]],
  ['no list', { tasks: { id: 'a' } }, []],
  ['nothing', {}, []],
  ['no map', ['tasks'], []],
  ['an empty file', null, []],
])('records of %s', (_name, value, expected) => {
  expect(recordsOf(valuesOf(value), 'backlog.yaml', 'tasks')).toEqual(expected);
});

test('a file that is missing is empty', () => {
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
])('%j is the same as %j: %s', (a, b, expected) => expect(isSame(a, b)).toBe(expected));

test('texts are what is a text', () => {
  expect(textsOf(['a', 1, null, 'b'])).toEqual(['a', 'b']);
  expect(textsOf('a')).toEqual([]);
});

test('a verdict refuses only with findings', () => {
  expect(verdictOf('Wrong.', [])).toEqual({ outcome: 'accept' });
  expect(verdictOf('Wrong.', ['a'])).toEqual({
    ...{ outcome: 'reject', reason: 'Wrong.', findings: ['a'], retryable: true },
  });
});
