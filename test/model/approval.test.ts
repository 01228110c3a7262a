import { describe, expect, test } from 'vitest';
import { approvalKinds, approvalRows, approvalSchema, decisionsFor, optionsOf } from '../../src/model/approval.ts';

describe('the decisions an approval allows', () => {
  test.each([
    ['merge-conflict', ['accept', 'edit', 'reject']],
    ['unattributed-change', ['accept', 'reject']],
    ['tool-request', ['accept', 'reject']],
    ['needs-input', ['accept', 'reject']],
    ['dirty-source-changed', ['accept', 'edit', 'reject']],
    ['branch-changed', ['accept', 'reject']],
    ['repository-hooks', ['accept', 'reject']],
    ['programs-changed', ['accept', 'reject']],
  ] as const)('for kind %s are %j', (kind, expected) => {
    expect(decisionsFor({ kind, options: [...optionsOf(kind, {})] })).toEqual(expected);
  });

  test('offers a choice of sides if either side can be kept', () => {
    expect(optionsOf('merge-conflict', { 'backlog.yaml': [] })).toEqual(['session', 'person']);
    expect(optionsOf('dirty-source-changed', { paths: [] })).toEqual(['include', 'leave-out']);
    expect(optionsOf('branch-changed', {})).toEqual([]);
  });

  test('offers no choice of sides if the merged files contradict each other; the person can only reject', () => {
    const options = [...optionsOf('merge-conflict', { findings: ['one depends on two'] })];
    expect(options).toEqual([]);
    expect(decisionsFor({ kind: 'merge-conflict', options })).toEqual(['reject']);
  });
});

test.each(approvalKinds)('%s states its question and the effect of each answer in whole sentences', (kind) => {
  const { asks, accept, edit, reject } = approvalRows[kind];
  const accepts = typeof accept === 'string' ? [accept] : Object.values(accept);
  for (const sentence of [asks, ...accepts, ...(edit === undefined ? [] : [edit]), reject]) {
    expect(sentence).toMatch(/^[A-Z].*\.$/);
  }
});

test('an approval file keeps unknown keys and refuses an unknown kind', () => {
  const file = {
    ...{ id: '01M7X4TZFWPVQT6PFG4SYTM4BP', createdAt: '2026-01-02T03:04:05Z', contentHash: 'x', kind: 'needs-input' },
    ...{ plan: 'Demo/project-root', session: '01M7X4TZFWPVQT6PFG4SYTM4BQ', subject: 'Which?', options: [] },
    ...{ details: { question: 'Which?' }, 'x-more': 1 },
  };
  expect(approvalSchema.parse(file)).toEqual(file);
  expect(approvalSchema.safeParse({ ...file, kind: 'another' }).success).toBe(false);
});
