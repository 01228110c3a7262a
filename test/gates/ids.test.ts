import { expect, test } from 'vitest';
import { judgeIds } from '../../src/gates/ids.ts';
import { findingsOf, makeProposal } from './proposal.ts';

type Fields = Record<string, unknown>;

function check(list: 'tasks' | 'entries', before: Fields[], after: Fields[], expected: readonly string[]) {
  const file = list === 'tasks' ? 'backlog.yaml' : 'memory.yaml';
  const proposal = makeProposal('triage', { [file]: { [list]: before } }, { [file]: { [list]: after } });
  expect(findingsOf(judgeIds(proposal))).toEqual(expected);
}

const a = { id: 'a', title: 'A', body: 'x', description: 'x' };

test('a duplicate id is refused if it is new', () => {
  check('tasks', [], [a, { ...a, title: 'B' }], ['backlog.yaml: the id "a" stands more than once in tasks.']);
  check('tasks', [a, a], [a, a], []);
});

test.each(['Big', 'with space', 'a--b', '-a', 'a_b', 'ä', ''])(
  'the new id %j is refused because it is not a slug',
  (id) => {
    check(
      'entries',
      [],
      [{ ...a, id }],
      [`memory.yaml: the id "${id}" in entries is not made of lower-case letters, digits and single hyphens.`],
    );
    check('entries', [{ ...a, id }], [{ ...a, id }], []);
  },
);

test('an id cannot change while its content stays the same', () => {
  check('entries', [a], [{ ...a, id: 'b' }], ['memory.yaml: "a" became "b"; an id never changes, only what it names.']);
  check(
    'tasks',
    [a],
    [{ ...a, id: 'b', description: ' x\n' }],
    ['backlog.yaml: "a" became "b"; an id never changes, only what it names.'],
  );
  check('entries', [a], [a, { ...a, id: 'b' }], []);
  check('entries', [a], [{ ...a, id: 'b', body: 'something else' }], []);
});

test('the session record must have a slug as its id and unique claim ids', () => {
  const record = {
    id: 'Not a slug',
    claims: [
      { id: 'c1', text: 'x' },
      { id: 'c1', text: 'y' },
    ],
  };
  expect(findingsOf(judgeIds(makeProposal('analyse-work', {}, { 'latest-session.yaml': record })))).toHaveLength(2);
});
