import { describe, expect, test } from 'vitest';
import type { DocumentKind, DocumentRecord, InspectedDocument } from '../../../src/model/document.ts';
import { toQualifiedId } from '../../../src/model/id.ts';
import { lensesOf } from '../../../src/ui/editors/lenses.ts';

const plan = toQualifiedId('shop/project-root');
const range = { start: { line: 3, character: 2 }, end: { line: 6, character: 9 } };

function inspect(kind: DocumentKind, records: readonly Partial<DocumentRecord>[] = []): InspectedDocument {
  const whole = records.map(
    (one): DocumentRecord => ({ kind: 'task', list: 'tasks', title: '', range, idRange: range, ...one }),
  );
  return { kind, file: '/vault/file', plan, findings: [], records: whole, references: [] };
}

/** The lenses, as line, title and command. */
function shown(inspected: InspectedDocument, questions = 0, answers = 0, backlinks = 0): string[] {
  return lensesOf(inspected, { questions, answers, backlinks }).map((lens) =>
    `${lens.range.start.line} ${lens.title}: ${lens.command} ${lens.arguments.join(' ')}`.trim(),
  );
}

test('above a policy and above each of its rules a command can be tried', () => {
  expect(shown(inspect('policy', [{ kind: 'rule', list: 'rules' }]))).toEqual([
    '0 Try a command: ravel.tryCommand',
    '3 Try a command: ravel.tryCommand',
  ]);
});

describe('the lenses above a plan file', () => {
  test.each(['phase', 'planState'] as const)('of kind %s offer to run and to open the plan', (kind) => {
    expect(shown(inspect(kind))).toEqual([
      '0 Run phase: ravel.runPhase shop/project-root',
      '0 Open plan: ravel.openPlan shop/project-root',
    ]);
  });

  test('offer open questions before a run, which waits for them', () => {
    expect(shown(inspect('phase'), 1)[0]).toBe('0 Answer 1 question: ravel.inbox.focus');
    expect(shown(inspect('phase'), 3)[0]).toBe('0 Answer 3 questions: ravel.inbox.focus');
  });
});

describe('the lenses above a backlog record', () => {
  test.each(['not_started', 'in_progress', 'in_pro', undefined])('offer to start a task with status %s', (state) => {
    expect(shown(inspect('backlog', [{ id: 'a', ...(state !== undefined && { state }) }]))).toEqual([
      '3 Start task: ravel.startTask shop/project-root a',
      '3 Dispatch…: ravel.dispatchTask shop/project-root a',
    ]);
  });

  test.each(['done', 'blocked'])('offer only the trace of a task with status %s', (state) => {
    expect(shown(inspect('backlog', [{ id: 'a', state }]))).toEqual([
      '3 Why is this here?: ravel.why shop/project-root a',
    ]);
  });

  test('offer to promote or decline a new message only', () => {
    const message = { kind: 'message', list: 'received', id: 'm' } as const;
    expect(shown(inspect('backlog', [{ ...message, state: 'new' }]))).toEqual([
      '3 Promote: ravel.promoteReceived shop/project-root m',
      '3 Decline: ravel.declineReceived shop/project-root m',
    ]);
    expect(shown(inspect('backlog', [{ ...message, state: 'declined' }]))).toEqual([
      '3 Why is this here?: ravel.why shop/project-root m',
    ]);
    expect(shown(inspect('backlog', [{ kind: 'message', list: 'dispatched', id: 'm' }]))).toEqual([]);
  });
});

test('other documents, and those outside a plan, have no lenses', () => {
  expect(shown(inspect('memory', [{ kind: 'entry', list: 'entries', id: 'a' }]))).toEqual([]);
  const { plan: _, ...rest } = inspect('phase');
  expect(shown(rest)).toEqual([]);
});

test.each([
  [0, []],
  [1, ['0 1 answer rests on this entry: ravel.showReceipts']],
  [2, ['0 2 answers rest on this entry: ravel.showReceipts']],
] as const)('above an entry stand how many answers rest on it, %d, and what can be done with it', (answers, lenses) => {
  expect(shown(inspect('entry'), 0, answers)).toEqual([...lenses, '0 Change entry…: ravel.changeEntry']);
});

test.each([
  [1, '0 1 link leads here: ravel.showEntryLinks'],
  [3, '0 3 links lead here: ravel.showEntryLinks'],
] as const)('above an entry to which %d entries link stands a way to them', (backlinks, lens) => {
  expect(shown(inspect('entry'), 0, 0, backlinks)).toEqual([lens, '0 Change entry…: ravel.changeEntry']);
});
