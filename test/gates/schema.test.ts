import { expect, test } from 'vitest';
import { judgeSchema } from '../../src/gates/schema.ts';
import { type Files, findingsOf, makeProposal } from './proposal.ts';

const task = { id: 'a', title: 'A', category: 'c', status: 'done' };
const bad = { ...task, id: 'b', status: 'perhaps' };

function check(base: Files, proposed: Files, expected: readonly (string | RegExp)[]) {
  const findings = findingsOf(judgeSchema(makeProposal('triage', base, proposed)));
  expect(findings).toHaveLength(expected.length);
  expected.forEach((text, index) => {
    expect(findings[index]).toMatch(text);
  });
}

test('a valid file with unknown keys is accepted', () => {
  check({}, { 'backlog.yaml': { tasks: [{ ...task, mine: 1 }], other: true }, 'phase.md': 'triage' }, []);
});

test('an invalid field is reported with the id of its record', () => {
  check({}, { 'backlog.yaml': { tasks: [task, bad] } }, [/^backlog\.yaml: tasks "b"\.status: /]);
});

test('a file of another shape is refused', () => {
  check({}, { 'memory.yaml': [] }, [/^memory\.yaml: /]);
  check({}, { 'memory.yaml': null }, [/^memory\.yaml: /]);
});

test('a violation that the base already had is not reported, wherever it is now', () => {
  check({ 'backlog.yaml': { tasks: [task, bad] } }, { 'backlog.yaml': { tasks: [bad, task] } }, []);
  check({ 'backlog.yaml': { tasks: [bad] } }, { 'backlog.yaml': { tasks: [bad, { ...bad, id: 'c' }] } }, [/"c"/]);
});

test('a new parser problem is refused, an old one is not', () => {
  const parsed = (problems: string[]) => new Map([['memory.yaml' as const, { value: undefined, problems }]]);
  const files: Files = { 'memory.yaml': 'x' };
  const proposal = makeProposal('reflect', files, files, { proposedValues: parsed(['Line 3 is odd.']) });
  expect(findingsOf(judgeSchema(proposal))).toEqual(['memory.yaml: Line 3 is odd.']);
  expect(judgeSchema({ ...proposal, baseValues: parsed(['Line 3 is odd.']) }).outcome).toBe('accept');
});

test('a text without a parsed value throws instead of passing', () => {
  const proposal = makeProposal('reflect', {}, { 'memory.yaml': { entries: [] } }, { proposedValues: new Map() });
  expect(() => judgeSchema(proposal)).toThrow('memory.yaml');
});
