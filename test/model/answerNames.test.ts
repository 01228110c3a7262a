import { expect, test } from 'vitest';
import { answerName } from '../../src/model/answerNames.ts';
import { approvalKinds, approvalRows } from '../../src/model/approval.ts';

test.each([
  ['merge-conflict', { decision: 'accept', option: 'person' }, 'Keep Your Text'],
  ['dirty-source-changed', { decision: 'accept', option: 'leave-out' }, 'Leave Your Changes Out'],
  ['unroutable-message', { decision: 'accept', option: 'shop/project-root' }, 'Send to shop/project-root'],
  ['unroutable-message', { decision: 'accept' }, 'Send to…'],
  ['needs-input', { decision: 'reject' }, 'Drop the Phase…'],
] as const)('to a question of kind %s the answer %j is named %s', (kind, answer, expected) =>
  expect(answerName(kind, answer)).toBe(expected),
);

test.each(approvalKinds)('every answer to a question of kind %s has its own name', (kind) => {
  const { accept, edit } = approvalRows[kind];
  const options = typeof accept === 'string' ? [undefined] : Object.keys(accept);
  const found = [
    ...options.map((option) => answerName(kind, { decision: 'accept', ...(option !== undefined && { option }) })),
    ...(edit === undefined ? [] : [answerName(kind, { decision: 'edit' })]),
    answerName(kind, { decision: 'reject' }),
  ];
  expect(new Set(found).size).toBe(found.length);
  expect(found.join()).not.toMatch(/Choose (?:It|session|person|include|leave-out)/);
});
