import { expect, test } from 'vitest';
import { type GateName, gateNames } from '../../src/gates/gate.ts';
import { gates, judgeProposal } from '../../src/gates/gates.ts';
import { codes } from '../../src/model/codes.ts';
import type { Proposal } from '../../src/model/verdict.ts';
import { makeProposal } from './proposal.ts';

test('judgeProposal asks every gate, in order', () => {
  const results = judgeProposal(makeProposal('work', {}, {}));
  expect(results.map(({ gate }) => gate)).toEqual(Object.keys(gates));
  expect(results.every(({ verdict }) => verdict.outcome === 'accept')).toBe(true);
});

test('a gate that throws rejects for good, and the other gates are still asked', () => {
  const broken = {
    ...gates,
    paths: () => {
      throw new Error('out of order');
    },
  };
  const results = judgeProposal(makeProposal('work', {}, { 'memory.yaml': { entries: [] } }), broken);
  expect(results).toHaveLength(gateNames.length);
  expect(results[1]?.verdict).toMatchObject({ outcome: 'reject', retryable: false });
  expect(results[1]?.verdict).toMatchObject({
    reason: 'The gate paths failed: out of order.',
    findings: ['The gate paths failed: out of order.', codes['gate/threw'].help],
  });
});

test('several gates can reject one proposal', () => {
  const proposal = makeProposal('reflect', {}, { 'backlog.yaml': { tasks: [{ id: 'A B', dependencies: ['x'] }] } });
  const refused = judgeProposal(proposal).filter(({ verdict }) => verdict.outcome === 'reject');
  expect(refused.map(({ gate }) => gate)).toEqual(['schema', 'paths', 'verbs', 'ids', 'dependencies']);
});

const entry = { id: 'a', title: 'A', body: 'There are 8 workers.' };
const memory = (...entries: object[]) => ({ 'memory.yaml': { entries } });
const task = { id: 'a', title: 'A', category: 'c', status: 'not_started' };
const backlog = (...tasks: object[]) => ({ 'backlog.yaml': { tasks } });
const commits = { 'commits.yaml': { commits: [{ paths: ['.'], message: 'Added a cache' }] } };
const key = `sk-${'ant-'}${'x7Kq9mZ2vB4nT8wL1cR5'}`;

/** For each gate, a proposal that no other gate stops. */
const stopped: Readonly<Record<GateName, Proposal>> = {
  schema: makeProposal('reflect', {}, { 'dispatches.yaml': { dispatches: [{ id: 'x', reason: '', body: 'b' }] } }),
  paths: makeProposal('work', {}, {}, { unattributed: ['phase.md'] }),
  verbs: makeProposal('work', backlog(task), backlog({ ...task, title: 'B' })),
  ids: makeProposal('triage', backlog(task), backlog({ ...task, id: 'b' })),
  dependencies: makeProposal('triage', backlog(task), backlog({ ...task, dependencies: ['b'] })),
  dreamLossless: makeProposal('dream', memory(entry), memory()),
  commitSpec: makeProposal('analyse-work', {}, commits),
  claims: makeProposal('reflect', memory(), memory({ ...entry, claims: ['c1'] })),
  secrets: makeProposal('reflect', memory(), memory({ ...entry, body: key })),
};

test.each(gateNames)('only the gate %s stops its proposal', (name) => {
  const stopping = judgeProposal(stopped[name]).filter(({ verdict }) => verdict.outcome !== 'accept');
  expect(stopping.map(({ gate }) => gate)).toEqual([name]);
  const open = { ...gates, [name]: () => ({ outcome: 'accept' as const }) };
  expect(judgeProposal(stopped[name], open).every(({ verdict }) => verdict.outcome === 'accept')).toBe(true);
});
