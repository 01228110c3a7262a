import { expect, test } from 'vitest';
import { isReadingVerb, readingVerbs } from '../../src/model/readingVerbs.ts';
import { verbNames, verbs } from '../../src/model/verbs.ts';

test('readingVerbs lists the verbs that the table marks as reading', () =>
  expect(readingVerbs).toEqual(verbNames.filter((name) => 'reads' in verbs[name])));

test.each<[string, unknown, boolean]>([
  ['state', { verb: 'backlog/show' }, true],
  ['state', { verb: 'backlog/delete' }, false],
  ['state', { verb: 'constructor' }, false],
  ['state', { verb: ['backlog/show'] }, false],
  ['state', {}, false],
  ['state', null, false],
  ['state', 'backlog/show', false],
  ['send', { verb: 'backlog/show' }, false],
])('the request %s with %j only reads: %s', (request, params, expected) =>
  expect(isReadingVerb(request, params)).toBe(expected),
);
