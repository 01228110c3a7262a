import { describe, expect, test } from 'vitest';
import { approvalKinds, approvalRows, approvalSchema, decisionsFor, optionsOf } from '../../src/model/approval.ts';

describe('what a question can be answered with', () => {
  test.each([
    ['merge-conflict', ['accept', 'edit', 'reject']],
    ['unattributed-change', ['accept', 'reject']],
    ['tool-request', ['accept', 'reject']],
    ['needs-input', ['accept', 'reject']],
    ['dirty-source-changed', ['accept', 'edit', 'reject']],
    ['branch-changed', ['accept', 'reject']],
    ['repository-hooks', ['accept', 'reject']],
  ] as const)('%s', (kind, expected) => {
    expect(decisionsFor({ kind, options: [...optionsOf(kind, {})] })).toEqual(expected);
  });

  test('is a choice where both sides can stand', () => {
    expect(optionsOf('merge-conflict', { 'backlog.yaml': [] })).toEqual(['session', 'person']);
    expect(optionsOf('dirty-source-changed', { paths: [] })).toEqual(['include', 'leave-out']);
    expect(optionsOf('branch-changed', {})).toEqual([]);
  });

  test('is no side of two that do not go together: a person mends the files, or drops the phase', () => {
    const options = [...optionsOf('merge-conflict', { findings: ['one depends on two'] })];
    expect(options).toEqual([]);
    expect(decisionsFor({ kind: 'merge-conflict', options })).toEqual(['reject']);
  });
});

test.each(approvalKinds)('%s says what is asked and what each answer does, in whole sentences', (kind) => {
  const { asks, accept, edit, reject } = approvalRows[kind];
  const accepts = typeof accept === 'string' ? [accept] : Object.values(accept);
  for (const sentence of [asks, ...accepts, ...(edit === undefined ? [] : [edit]), reject]) {
    expect(sentence).toMatch(/^[A-Z].*\.$/);
  }
});

test('a file keeps what a newer version put beside', () => {
  const file = {
    ...{ id: '01M7X4TZFWPVQT6PFG4SYTM4BP', createdAt: '2026-01-02T03:04:05Z', contentHash: 'x', kind: 'needs-input' },
    ...{ plan: 'Demo/project-root', session: '01M7X4TZFWPVQT6PFG4SYTM4BQ', subject: 'Which?', options: [] },
    ...{ details: { question: 'Which?' }, 'x-more': 1 },
  };
  expect(approvalSchema.parse(file)).toEqual(file);
  expect(approvalSchema.safeParse({ ...file, kind: 'another' }).success).toBe(false);
});
