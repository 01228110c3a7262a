import { describe, expect, test } from 'vitest';
import { approvalKinds, decisionsFor, optionsOf } from '../../../src/model/approval.ts';
import { type QualifiedId, toQualifiedId, type Ulid } from '../../../src/model/id.ts';
import type { ApprovalRow } from '../../../src/model/requests/approvals.ts';
import type { OpenQuestionRow } from '../../../src/model/requests/messages.ts';
import { type InboxSource, inboxEntries } from '../../../src/ui/inbox/inboxRows.ts';
import { id, outlineWith } from '../../support/fakeModel.ts';

const one = '01HZY0000000000000000000S1' as Ulid;
const nothing: InboxSource = {
  outline: outlineWith({ shop: {} }),
  approvals: [],
  deadLetters: [],
  questions: [],
  experts: { actors: new Map() },
  spending: undefined,
};

function approval(more: Partial<ApprovalRow> = {}): ApprovalRow {
  const kind = more.kind ?? 'needs-input';
  const options = optionsOf(kind, { candidates: [] });
  return {
    ...{ approval: one, kind, plan: id('shop'), subject: 'Which\u202e one?', createdAt: '2026-01-02T03:04:05Z' },
    ...{ options, decisions: decisionsFor({ kind, options: [...options] }), contentHash: 'h' },
    ...more,
  };
}

test('the inbox of a vault in good order is empty', () => {
  expect(inboxEntries(nothing)).toEqual([]);
});

describe('the row of a question', () => {
  test.each(approvalKinds)('of kind %s has words, an icon and its possible answers', (kind) => {
    const [entry] = inboxEntries({ ...nothing, approvals: [approval({ kind })] });
    expect(entry?.row.description).toMatch(/^shop · \S/);
    expect(entry?.row.contextValue).toMatch(new RegExp(`^approval\\.${kind}\\.can-`));
    expect(entry?.row.contextValue).toContain('can-reject');
    expect(entry?.row.command).toMatchObject({ command: 'ravel.openApproval', arguments: [one] });
  });

  test('about a statement begins with its title, which a narrow view would cut off', () => {
    const subject = 'No expert decided about what a plan learned: Pin late';
    const { plan: _, ...learned } = approval({ kind: 'learned-statement', subject });
    expect(inboxEntries({ ...nothing, approvals: [learned] })[0]?.row).toMatchObject({
      ...{ label: 'Pin late', description: 'learned something · No expert decided about what a plan learned' },
    });
  });

  test('has no control characters, and the oldest comes first', () => {
    const later = approval({ approval: '01HZY0000000000000000000S2' as Ulid, createdAt: '2026-02-02T03:04:05Z' });
    const entries = inboxEntries({ ...nothing, approvals: [later, approval()] });
    expect(entries.map(({ row }) => row.id)).toEqual([`approval:${one}`, `approval:${later.approval}`]);
    expect(entries[0]?.row.label).toBe('Which one?');
  });
});

test.each([
  ['reflect of shop/project-root: Which one?', 'Which one?'],
  ['reflect of lib/project-root: Which one?', 'reflect of lib/project-root: Which one?'],
  ['reflect of shop/project-root: ', 'reflect of shop/project-root:'],
])('the subject %j is shown as %j', (subject, label) => {
  expect(inboxEntries({ ...nothing, approvals: [approval({ subject })] })[0]?.row.label).toBe(label);
});

test('a file of a plan that cannot be read is one row, which leads to its line', () => {
  const at = { start: { line: 2, character: 0 }, end: { line: 2, character: 4 } };
  const fault = { code: 'yaml/misfit', severity: 'error', subject: id('shop'), file: '/v/backlog.yaml' } as const;
  const faults = [
    { ...fault, message: 'Bad status.', help: 'Mend it.', range: at },
    { ...fault, message: 'Bad id.' },
  ];
  const [entry, ...others] = inboxEntries({ ...nothing, outline: outlineWith({ shop: { faults } }) });
  expect(others).toEqual([]);
  expect(entry).toMatchObject({
    kind: 'fault',
    row: {
      ...{
        label: 'backlog.yaml, line 3: Bad status. (and 1 more in this file)',
        description: 'shop',
        contextValue: 'fault',
      },
      command: { command: 'ravel.openFault', arguments: ['/v/backlog.yaml', 3] },
    },
  });
  expect(entry?.tooltip).toContain('Mend it');
});

test('what an expert asks back has a row if a person asked, and is replied to with a click', () => {
  const question: OpenQuestionRow = {
    ...{ query: one, to: toQualifiedId('expert:rust'), from: 'person', at: '2026-01-02T03:04:05Z' },
    ...{
      question: 'When is it pinned?',
      askedBack: { by: toQualifiedId('expert:rust'), text: 'Which\u202e one?', round: 1 },
    },
  };
  const { askedBack: _, ...asked } = question;
  const questions = [question, asked, { ...question, from: id('shop') }];
  const [entry, ...others] = inboxEntries({ ...nothing, questions });
  expect(others).toEqual([]);
  expect(entry?.row).toMatchObject({
    ...{ id: `question:${one}`, label: 'Which one?', description: 'expert:rust asks back' },
    ...{ contextValue: 'question.asksBack', command: { command: 'ravel.replyToQuestion', arguments: [one] } },
  });
  expect(entry?.tooltip).toContain('When is it pinned');
});

describe('a plan that is stuck', () => {
  test('is listed as interrupted unless it asks a question', () => {
    const outline = outlineWith({ shop: { waiting: 'the session died', phase: 'reflect' } });
    expect(inboxEntries({ ...nothing, outline })).toMatchObject([
      {
        kind: 'interrupted',
        plan: id('shop'),
        row: { label: 'reflect did not finish', description: 'shop · the session died' },
      },
    ]);
    expect(inboxEntries({ ...nothing, outline, approvals: [approval()] }).map(({ kind }) => kind)).toEqual([
      'approval',
    ]);
  });

  test('is not listed once what it asked is answered', () => {
    const outline = outlineWith({ shop: { waiting: 'it asked', answered: true } });
    expect(inboxEntries({ ...nothing, outline })).toEqual([]);
  });

  test('is listed as paused', () => {
    const outline = outlineWith({ shop: { paused: { done: 1, cycles: 3 } } });
    expect(inboxEntries({ ...nothing, outline })).toMatchObject([{ kind: 'paused', row: { contextValue: 'paused' } }]);
  });

  test('is not listed while it runs', () => {
    const outline = outlineWith({ shop: { waiting: 'w', running: { session: one, phase: 'work' } } });
    expect(inboxEntries({ ...nothing, outline })).toEqual([]);
  });
});

test('a plan and an expert that take no messages are listed', () => {
  const faulted = { state: 'faulted', queued: 1, deadLetters: 0 } as const;
  const expert = 'expert:rust' as QualifiedId;
  const entries = inboxEntries({
    ...nothing,
    outline: outlineWith({ shop: { actor: faulted } }),
    experts: { actors: new Map([[expert, { actor: expert, ...faulted }]]) },
  });
  expect(entries.map(({ row }) => row.id)).toEqual(['mute:shop/project-root', 'mute:expert:rust']);
});

test('a dead letter shows its type, its receiver and the reason', () => {
  const deadLetters = [
    {
      message: one,
      actor: id('shop'),
      type: 'dispatch',
      from: 'person',
      at: '',
      attempts: 3,
      reason: 'No.',
      text: 'Do it',
    },
  ];
  expect(inboxEntries({ ...nothing, deadLetters })).toMatchObject([
    {
      kind: 'deadLetter',
      row: { label: 'A dispatch did not arrive', description: 'shop · No.', contextValue: 'deadLetter' },
    },
  ]);
});

test.each([
  [0, 9, 0],
  [10, 9, 0],
  [10, 9, 1],
  [10, 10, 0],
])(
  'a daily limit of %d dollars with %d spent and %d reserved is listed if there is a limit and it is used up',
  (vaultUsdPerDay, usd, reservedUsd) => {
    const day = { day: '', usd, estimatedUsd: 0, scriptedUsd: 0, sessions: 1, unknownSessions: 0, plans: [] };
    const spending = { days: [day], reservedUsd, vaultUsdPerDay, planUsdPerDay: 0, until: '2026-01-03T00:00:00Z' };
    const isSpent = vaultUsdPerDay > 0 && usd + reservedUsd >= vaultUsdPerDay;
    expect(inboxEntries({ ...nothing, spending })).toHaveLength(isSpent ? 1 : 0);
  },
);
