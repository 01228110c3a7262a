import { expect, test } from 'vitest';
import { gateNames } from '../../src/gates/gate.ts';
import { gates, judgeProposal } from '../../src/gates/gates.ts';
import { makeProposal } from './proposal.ts';

test('every gate speaks, in order', () => {
  const results = judgeProposal(makeProposal('work', {}, {}));
  expect(results.map(({ gate }) => gate)).toEqual(gateNames);
  expect(results.every(({ verdict }) => verdict.outcome === 'accept')).toBe(true);
});

test('a gate that throws refuses for good, and the others are still asked', () => {
  const broken = {
    ...gates,
    paths: () => {
      throw new Error('out of order');
    },
  };
  const results = judgeProposal(makeProposal('work', {}, { 'memory.yaml': { entries: [] } }), broken);
  expect(results).toHaveLength(gateNames.length);
  expect(results[1]?.verdict).toMatchObject({ outcome: 'reject', retryable: false });
  expect(results[1]?.verdict).toHaveProperty('reason', 'The gate paths failed (gate/threw): out of order');
});

test('one proposal can be refused by several gates at once', () => {
  const proposal = makeProposal('reflect', {}, { 'backlog.yaml': { tasks: [{ id: 'A B', dependencies: ['x'] }] } });
  const refused = judgeProposal(proposal).filter(({ verdict }) => verdict.outcome === 'reject');
  expect(refused.map(({ gate }) => gate)).toEqual(['schema', 'paths', 'verbs', 'ids', 'dependencies']);
});
