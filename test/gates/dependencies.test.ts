import { expect, test } from 'vitest';
import { judgeDependencies } from '../../src/gates/dependencies.ts';
import { findingsOf, makeProposal } from './proposal.ts';

type Graph = Record<string, readonly string[]>;

function check(before: Graph, after: Graph, expected: readonly string[]) {
  const backlog = (graph: Graph) => ({
    'backlog.yaml': { tasks: Object.entries(graph).map(([id, dependencies]) => ({ id, dependencies })) },
  });
  expect(findingsOf(judgeDependencies(makeProposal('triage', backlog(before), backlog(after))))).toEqual(expected);
}

test('a new dependency must name an existing task; an old one is left alone', () => {
  check({ a: [], b: [] }, { a: ['b'], b: [] }, []);
  check({ a: [] }, { a: ['x'] }, ['The task "a" depends on "x", which is not a task.']);
  check({ a: ['b'], b: [] }, { a: ['b'] }, ['The task "a" depends on "b", which is not a task.']);
  check({ a: ['x'] }, { a: ['x'] }, []);
});

test('a new dependency of a task on itself is refused', () => {
  check({ a: [] }, { a: ['a'] }, ['The task "a" depends on itself.']);
  check({ a: ['a'] }, { a: ['a'] }, []);
});

test('a new cycle is reported once, an old one not at all', () => {
  check({ a: ['b'], b: [] }, { a: ['b'], b: ['a'] }, ['The dependencies form a cycle: b → a → b.']);
  check({}, { a: ['b'], b: ['c'], c: ['a'] }, ['The dependencies form a cycle: a → b → c → a.']);
  check({ a: ['b'], b: ['a'] }, { a: ['b'], b: ['a'], c: ['a'] }, []);
});

test('a chain of 20,000 tasks is checked, and its cycle reported once', () => {
  const chain = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`t${n}`, n === 0 ? [] : [`t${n - 1}`]]));
  check({}, chain, []);
  const findings = findingsOf(
    judgeDependencies(
      makeProposal(
        'triage',
        { 'backlog.yaml': { tasks: Object.entries(chain).map(([id, dependencies]) => ({ id, dependencies })) } },
        {
          'backlog.yaml': {
            tasks: Object.entries({ ...chain, t0: ['t19999'] }).map(([id, dependencies]) => ({ id, dependencies })),
          },
        },
      ),
    ),
  );
  expect(findings).toHaveLength(1);
});
