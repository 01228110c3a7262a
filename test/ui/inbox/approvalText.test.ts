import { describe, expect, test } from 'vitest';
import type { ApprovalKind } from '../../../src/model/approval.ts';
import type { Ulid } from '../../../src/model/id.ts';
import type { ApprovalPage } from '../../../src/model/requests/approvals.ts';
import {
  answeredDocument,
  approvalDocument,
  approvalSides,
  deadLetterDocument,
} from '../../../src/ui/inbox/approvalText.ts';
import { id } from '../../support/fakeModel.ts';

function pageOf(kind: ApprovalKind, details: unknown): ApprovalPage {
  return {
    approval: '01HZY0000000000000000000S1' as Ulid,
    ...{ kind, details, plan: id('shop'), subject: 'Which one?', createdAt: '2026-01-02T03:04:05Z' },
    ...{ options: [], decisions: ['accept', 'reject'], contentHash: 'h', asks: 'A session asks.' },
    shown: 'first line\n```\nsecond\u0007 line',
    answers: [
      { decision: 'accept', option: 'session', does: 'Takes it.' },
      { decision: 'reject', does: 'Drops it.' },
    ],
    file: '/vault/runtime/approvals/x.yaml',
  };
}

test('the page of an approval has the question, its details and the effect of each answer', () => {
  const text = approvalDocument(pageOf('needs-input', {}));
  expect(text).toMatch(/^# Which one\?\n\nA session asks\. \(shop\/project-root, 2026-01-0\d \d\d:\d\d\)\n/);
  expect(text).toContain('````text\nfirst line\n```\nsecond\ufffd line\n````');
  expect(text).toContain('- Choose session: Takes it.\n- Drop the Phase…: Drops it.');
});

test('the page of a question that consists only of its text says it once', () => {
  const subject = 'Which one?';
  const text = approvalDocument({ ...pageOf('needs-input', {}), subject, shown: `${subject}\n` });
  expect(text.split(subject)).toHaveLength(2);
});

test('the page of a decided approval says who decided', () => {
  expect(answeredDocument('It was accepted by Robin.')).toContain('It was accepted by Robin.');
});

test('the page of a dead letter says from whom, to whom and why', () => {
  const text = deadLetterDocument({
    message: '01HZY0000000000000000000S1' as Ulid,
    ...{ actor: id('shop'), type: 'dispatch', from: 'person', at: 'today', attempts: 1, reason: 'No.', text: 'Do it' },
  });
  expect(text).toMatch(/dispatch.*\n\nFrom person to shop\/project-root, given up at today after 1 try\.\n\nWhy: No\./);
});

describe('the two sides to compare', () => {
  test('the two sides to compare of a conflict are what the person and the session wrote', () => {
    const conflict = {
      list: 'entries',
      record: 'doors',
      field: 'body',
      base: 'two',
      session: 'three',
      person: 'four',
      reason: '',
    };
    const sides = approvalSides(pageOf('merge-conflict', { 'memory.yaml': [conflict] }));
    expect(sides?.left).toMatch(/## memory\.yaml › entries › doors › body\n\nfour\n$/);
    expect(sides?.right).toMatch(/doors › body\n\nthree\n$/);
    expect(sides?.title).toBe('Yours ↔ Session: shop/project-root');
  });

  test('the two sides to compare of a removal show "(nothing)" on the side that removed', () => {
    const conflict = { record: 'a', base: 'x', person: { id: 'a' }, reason: '' };
    const sides = approvalSides(pageOf('merge-conflict', { 'backlog.yaml': [conflict] }));
    expect(sides?.right).toContain('(nothing)');
    expect(sides?.left).toContain('"id": "a"');
  });

  test('the two sides to compare of an unexplained change are the text before and now, without files whose text is unknown', () => {
    const known = { file: 'memory.yaml', before: 'h', now: 'i', was: 'old\n', is: 'new\n' };
    const files = [known, { file: 'backlog.yaml', before: 'h', now: 'i' }];
    const sides = approvalSides(pageOf('unattributed-change', { files }));
    expect([sides?.left, sides?.right]).toEqual([expect.stringContaining('old'), expect.stringContaining('new')]);
    expect(sides?.left).not.toContain('backlog.yaml');
  });

  test.each<[ApprovalKind, unknown]>([
    ['merge-conflict', { findings: ['a'] }],
    ['merge-conflict', null],
    ['merge-conflict', { 'memory.yaml': 'odd' }],
    ['unattributed-change', { files: [] }],
    ['needs-input', { question: 'q' }],
    ['tool-request', {}],
  ])('do not exist for %s with %j', (kind, details) => {
    expect(approvalSides(pageOf(kind, details))).toBeUndefined();
  });
});

test('entries that contradict each other are the two sides of a question', () => {
  const details = {
    older: 'knowledge/a.md',
    newer: 'knowledge/b.md',
    olderText: 'Share it.',
    newerText: 'Share it not.',
  };
  expect(approvalSides(pageOf('contradicting-entries', details))).toMatchObject({
    left: expect.stringContaining('Share it.'),
    right: expect.stringContaining('Share it not.'),
    title: expect.stringMatching(/^Older ↔ Newer/),
  });
});
