import { describe, expect, test } from 'vitest';
import type { DocumentKind, DocumentLook, DocumentRecord } from '../../../src/model/document.ts';
import { toQualifiedId } from '../../../src/model/id.ts';
import { lensesOf } from '../../../src/ui/editors/lenses.ts';

const plan = toQualifiedId('shop/project-root');
const range = { start: { line: 3, character: 2 }, end: { line: 6, character: 9 } };

function look(kind: DocumentKind, records: readonly Partial<DocumentRecord>[] = []): DocumentLook {
  const whole = records.map(
    (one): DocumentRecord => ({ kind: 'task', list: 'tasks', title: '', range, idRange: range, ...one }),
  );
  return { kind, file: '/vault/file', plan, findings: [], records: whole, references: [] };
}

/** Titles with what they call, for each line. */
function shown(looked: DocumentLook, questions = 0): string[] {
  return lensesOf(looked, { questions }).map((lens) =>
    `${lens.range.start.line} ${lens.title}: ${lens.command} ${lens.arguments.join(' ')}`.trim(),
  );
}

describe('above the first line of a plan', () => {
  test.each(['phase', 'planState'] as const)('%s', (kind) => {
    expect(shown(look(kind))).toEqual([
      '0 Run phase: ravel.runPhase shop/project-root',
      '0 Open plan: ravel.openPlan shop/project-root',
    ]);
  });

  test('questions come before a run, which they hold up', () => {
    expect(shown(look('phase'), 1)[0]).toBe('0 Answer 1 question: ravel.inbox.focus');
    expect(shown(look('phase'), 3)[0]).toBe('0 Answer 3 questions: ravel.inbox.focus');
  });
});

describe('above a record of a backlog', () => {
  test.each(['not_started', 'in_progress', 'in_pro', undefined])('a task that is %s can be started', (state) => {
    expect(shown(look('backlog', [{ id: 'a', ...(state !== undefined && { state }) }]))).toEqual([
      '3 Start task: ravel.startTask shop/project-root a',
      '3 Dispatch…: ravel.dispatchTask shop/project-root a',
    ]);
  });

  test.each(['done', 'blocked'])('a task that is %s cannot, and can be traced', (state) => {
    expect(shown(look('backlog', [{ id: 'a', state }]))).toEqual([
      '3 Why is this here?: ravel.why shop/project-root a',
    ]);
  });

  test('a new message can be promoted or declined, and one that was cannot', () => {
    const message = { kind: 'message', list: 'received', id: 'm' } as const;
    expect(shown(look('backlog', [{ ...message, state: 'new' }]))).toEqual([
      '3 Promote: ravel.promoteReceived shop/project-root m',
      '3 Decline: ravel.declineReceived shop/project-root m',
    ]);
    expect(shown(look('backlog', [{ ...message, state: 'declined' }]))).toEqual([
      '3 Why is this here?: ravel.why shop/project-root m',
    ]);
    expect(shown(look('backlog', [{ kind: 'message', list: 'dispatched', id: 'm' }]))).toEqual([]);
  });
});

test('there is nothing above other documents, nor above one of no plan', () => {
  expect(shown(look('memory', [{ kind: 'entry', list: 'entries', id: 'a' }]))).toEqual([]);
  const { plan: _, ...rest } = look('phase');
  expect(shown(rest)).toEqual([]);
});
