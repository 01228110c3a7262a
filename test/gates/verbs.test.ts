import { describe, expect, test } from 'vitest';
import { judgeVerbs } from '../../src/gates/verbs.ts';
import type { ReasoningPhase } from '../../src/model/phase.ts';
import { findingsOf, makeProposal } from './proposal.ts';

type Fields = Record<string, unknown>;

const one = { id: 'one', title: 'One', category: 'c', status: 'not_started', dependencies: [], description: 'd\n' };
const two = { ...one, id: 'two', title: 'Two' };
const message = { id: 'm1', from: 'p', at: 't', reason: 'r', body: 'b', state: 'new' };
const entry = { id: 'e', title: 'E', body: 'b\n' };

function check(phase: ReasoningPhase, list: string, before: Fields[], after: Fields[], expected: readonly string[]) {
  const file =
    { entries: 'memory.yaml', dispatches: 'dispatches.yaml', queries: 'queries.yaml' }[list] ?? 'backlog.yaml';
  const proposal = makeProposal(phase, { [file]: { [list]: before } }, { [file]: { [list]: after } }, { task: 'one' });
  const findings = findingsOf(judgeVerbs(proposal)).map((finding) => finding.split(';')[0]);
  expect(findings).toEqual(expected);
}

describe('each phase can make only its own changes to tasks:', () => {
  const phases: ReasoningPhase[] = ['work', 'analyse-work', 'triage'];
  test.each<[string, Fields[], Fields[], ReasoningPhase[]]>([
    ['the status of its own task', [one, two], [{ ...one, status: 'done' }, two], ['work', 'triage']],
    ['the status of another task', [one, two], [one, { ...two, status: 'done' }], ['triage']],
    ['new results', [one], [{ ...one, results: 'r\n' }], ['work', 'triage']],
    ['a new handoff', [one], [{ ...one, handoff: 'h\n' }], ['work', 'analyse-work', 'triage']],
    ['a removed handoff', [{ ...one, handoff: 'h\n' }], [one], ['triage']],
    ['a new title', [one], [{ ...one, title: 'Other' }], ['triage']],
    ['a new description', [one], [{ ...one, description: 'other\n' }], ['triage']],
    ['new dependencies', [one, two], [{ ...one, dependencies: ['two'] }, two], ['triage']],
    ['a new category', [one], [{ ...one, category: 'other' }], []],
    ['a new unknown field', [one], [{ ...one, mine: 1 }], []],
    ['a deleted task', [one, two], [two], ['triage']],
    ['an added task', [one], [one, two], ['analyse-work', 'triage']],
    ['an added task with results', [one], [one, { ...two, status: 'done', results: 'r' }], ['triage']],
    ['a new order', [one, two], [two, one], ['triage']],
    [
      'the repair of a stale status',
      [{ ...one, status: 'in_progress', results: 'r' }],
      [{ ...one, status: 'done', results: 'r' }],
      phases,
    ],
    [
      'the repair of a block whose dependencies are done',
      [
        { ...one, status: 'blocked', blocked_reason: 'b', dependencies: ['two'] },
        { ...two, status: 'done' },
      ],
      [
        { ...one, dependencies: ['two'] },
        { ...two, status: 'done' },
      ],
      phases,
    ],
    [
      'the end of a block whose dependencies are open',
      [{ ...one, status: 'blocked', blocked_reason: 'b', dependencies: ['two'] }, two],
      [{ ...one, dependencies: ['two'] }, two],
      ['work', 'triage'],
    ],
    ['a removed empty field', [{ ...one, results: null }], [one], phases],
  ])('%s', (_, before, after, allowed) => {
    for (const phase of phases) {
      const proposal = makeProposal(
        phase,
        { 'backlog.yaml': { tasks: before } },
        { 'backlog.yaml': { tasks: after } },
        { task: 'one' },
      );
      expect([phase, judgeVerbs(proposal).outcome]).toEqual([phase, allowed.includes(phase) ? 'accept' : 'reject']);
    }
  });

  test('every violation is a separate finding', () => {
    check(
      'analyse-work',
      'tasks',
      [one, two],
      [{ ...one, title: 'X', category: 'y' }],
      ['tasks "one": the field "title" changed', 'tasks "one": the field "category" changed', 'tasks "two" is gone'],
    );
  });

  test('a work session cannot change the status of a task that is not its own', () => {
    check('work', 'tasks', [one, two], [one, { ...two, status: 'done' }], ['tasks "two": the field "status" changed']);
  });
});

test('a received message can be promoted, but not reopened, changed or removed', () => {
  check('triage', 'received', [message], [{ ...message, state: 'promoted', task: 'x' }], []);
  check(
    'triage',
    'received',
    [{ ...message, state: 'declined' }],
    [message],
    ['received "m1": the field "state" changed'],
  );
  check('triage', 'received', [message], [{ ...message, body: 'other' }], ['received "m1": the field "body" changed']);
  check('triage', 'received', [message], [], ['received "m1" is gone']);
});

test('each phase can make only its own changes to memory', () => {
  const changed = { ...entry, title: 'F', body: 'c\n' };
  check('reflect', 'entries', [entry], [changed], []);
  check('dream', 'entries', [entry], [changed], []);
  check(
    'triage',
    'entries',
    [entry],
    [changed],
    ['entries "e": the field "title" changed', 'entries "e": the field "body" changed'],
  );
  check('triage', 'entries', [entry], [entry, { ...entry, id: 'f', source: 'decision' }], []);
  check('triage', 'entries', [entry], [], ['entries "e" is gone']);
  check('dream', 'entries', [entry], [entry, { ...entry, id: 'f' }], ['entries "f" is new']);
  check('reflect', 'entries', [entry], [{ ...entry, since: '2026' }], ['entries "e": the field "since" changed']);
});

test('messages can be added but not changed', () => {
  const sent = { id: 'x', 'target-expert': 'rust', reason: 'r', body: 'b' };
  check('reflect', 'dispatches', [], [sent], []);
  check('reflect', 'queries', [], [sent], []);
  check('work', 'dispatches', [], [{ ...sent, session: 'S', cause: 'M' }], []);
  check('reflect', 'dispatches', [sent], [{ ...sent, body: 'c' }], ['dispatches "x": the field "body" changed']);
});

test('other top-level keys cannot change', () => {
  const proposal = makeProposal(
    'triage',
    { 'backlog.yaml': { tasks: [], a: 1 } },
    { 'backlog.yaml': { tasks: [], a: 2 } },
  );
  expect(findingsOf(judgeVerbs(proposal))).toEqual([
    'backlog.yaml: the key "a" changed; the phase triage has no verb for that.',
  ]);
});

test('a used verb that the phase does not have is reported', () => {
  const verbsUsed = ['memory/add', 'backlog/delete', 'made/up'].map((verb) => ({ verb, args: {} }));
  const findings = findingsOf(judgeVerbs(makeProposal('reflect', {}, {}, { verbsUsed })));
  expect(findings).toEqual([
    'The phase reflect does not have the verb backlog/delete.',
    'The phase reflect does not have the verb made/up.',
  ]);
});
