import { describe, expect, test } from 'vitest';
import {
  type Approval,
  type ApprovalKind,
  approvalKinds,
  approvalRows,
  isStanding,
  optionsOf,
} from '../../../src/model/approval.ts';
import type { Ulid } from '../../../src/model/id.ts';
import { approvalPage } from '../../../src/plans/effects/approvalPage.ts';
import { demoPlan } from '../../support/planServices.ts';

const id = '01M7X4TZFWPVQT6PFG4SYTM4BP' as Ulid;
const conflict = {
  list: 'tasks',
  record: 'one',
  field: 'status',
  base: 'x',
  session: 'done',
  person: ['a'],
  reason: 'Both.',
};

const details: Readonly<Record<ApprovalKind, unknown>> = {
  'merge-conflict': { 'backlog.yaml': [conflict] },
  'unattributed-change': {
    files: [
      { file: 'memory.yaml', before: 'h1', now: 'h2', was: 'a\nb\nc\n', is: 'a\nx\ny\nc\n' },
      { file: 'new.md', before: null, now: 'h3', is: 'new\n' },
      { file: 'gone.md', before: 'h4', now: null, was: 'old\n' },
      { file: 'long.md', before: 'h5', now: 'h6', was: 'old\n' },
      { file: 'lost.md', before: 'h7', now: 'h8', is: 'new\n' },
    ],
  },
  'tool-request': { tool_name: 'Bash', input: { command: 'frobnicate\n--all' } },
  'needs-input': { question: 'Which colour?' },
  'dirty-source-changed': {
    paths: [
      { path: 'a.txt', before: 'h', now: null },
      { path: 'b.txt', before: 'h', now: 'i' },
    ],
  },
  'branch-changed': { before: 'main', now: null },
  'rule-suggestion': {
    rule: { id: 'refunds', any: ['refund'], target: demoPlan },
    by: 'level-2',
    reason: 'r',
    messages: [],
  },
  'unroutable-message': { candidates: [{ place: demoPlan, score: 0.4, parts: {} }], body: 'b', why: 'w' },
  'programs-changed': {
    files: [{ file: '.envrc', before: 'file:1', now: 'file:2', was: 'a\nb\n', is: 'a\nx\n' }],
    count: 3,
  },
  'repository-hooks': { files: [{ path: 'pre-work.sh', sha256: '0123456789abcdef', text: 'true\n' }] },
};

function pageOf(kind: ApprovalKind, of: unknown = details[kind]) {
  const approval: Approval = {
    ...{
      id,
      kind,
      plan: demoPlan,
      session: id,
      subject: 'It asks.',
      createdAt: '2026-01-02T03:04:05Z',
      contentHash: 'h',
    },
    ...{ options: [...optionsOf(kind, of)], details: of },
  };
  return approvalPage(approval, '/vault/a.yaml', isStanding(kind) ? { shown: 'So it stands.\n' } : undefined);
}

describe('an approval page', () => {
  test.each([
    ['merge-conflict', ['backlog.yaml › tasks › one › status', '    x', '    done', '    - a']],
    [
      'unattributed-change',
      [
        'memory.yaml was changed:\n  line 2:\n  - b\n  + x\n  + y\n',
        ...['new.md is new:', '  + new', 'gone.md is gone:', '  - old'],
        ...['long.md was changed; its text is not shown here.', 'lost.md was changed; what it was is not known.'],
      ],
    ],
    ['tool-request', ['Bash', '  frobnicate', '--all']],
    ['needs-input', ['Which colour?']],
    ['dirty-source-changed', ['- a.txt (gone now)', '- b.txt']],
    ['branch-changed', ['main', 'no branch']],
    ['programs-changed', ['.envrc was changed:\n  line 2:\n  - b\n  + x', 'and 2 more files']],
    ['repository-hooks', ['pre-work.sh  (sha256 0123456789ab)', '  true']],
    ['rule-suggestion', ['So it stands.']],
    ['unroutable-message', ['So it stands.']],
  ] as const)('shows the details of %s', (kind, parts) => {
    const { shown } = pageOf(kind);
    for (const part of parts) expect(shown).toContain(part);
  });

  test('shows the findings of a conflict that cannot be merged, and offers only to reject it', () => {
    const page = pageOf('merge-conflict', { findings: ['one depends on two'] });
    expect(page.shown).toBe('- one depends on two');
    expect(page.answers.map(({ decision }) => decision)).toEqual(['reject']);
    expect(page).not.toHaveProperty('form');
  });
});

test.each(approvalKinds)('the page of %s offers every answer with its effect', (kind) => {
  const { answers, asks } = pageOf(kind);
  expect(asks).toBe(approvalRows[kind].asks);
  const { accept, edit, reject, text } = approvalRows[kind];
  const accepted = typeof accept === 'string' ? [{ decision: 'accept', does: accept }] : undefined;
  const options = typeof accept === 'string' ? [] : Object.entries(accept);
  const named = typeof accept === 'string' ? optionsOf(kind, details[kind]) : [];
  expect(answers).toEqual([
    ...named.map((option) => ({ decision: 'accept', option, does: accept })),
    ...(accepted ?? options.map(([option, does]) => ({ decision: 'accept', option, does }))).map((answer) => ({
      ...answer,
      ...(text !== undefined && { text }),
    })),
    ...(edit === undefined ? [] : [{ decision: 'edit', does: edit }]),
    { decision: 'reject', does: reject },
  ]);
});

test('the page of an approval that can be edited has a form to fill in', () => {
  expect(pageOf('merge-conflict').form).toMatch(/conflict: backlog\.yaml 1[\s\S]*yours:[\s\S]*result:/);
  expect(pageOf('dirty-source-changed').form).toMatch(/a\.txt: leave-out\n {2}b\.txt: leave-out\n$/);
  expect(pageOf('needs-input')).not.toHaveProperty('form');
});
