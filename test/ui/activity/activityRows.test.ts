import { describe, expect, test } from 'vitest';
import { type ActivityFact, summarizeActivity } from '../../../src/model/activity.ts';
import { toQualifiedId, type Ulid } from '../../../src/model/id.ts';
import type { NextTask } from '../../../src/model/nextTasks.ts';
import type { RequestResults } from '../../../src/model/protocol.ts';
import { happenedRows, nextRows } from '../../../src/ui/activity/activityRows.ts';

const shop = toQualifiedId('shop/project-root');
const id = '01HZY0000000000000000000S1' as Ulid;

describe('the view of what is next', () => {
  test('has the tasks in their order, each with its plan and why it stands there, and opens the plan', async () => {
    const task: NextTask = { ...{ plan: shop, id: 'pay', title: 'Pay now' }, unblocks: 2, phase: 'work', place: 1 };
    const begun: NextTask = { ...task, id: 'b', title: 'Begun', begun: true };
    const rows = nextRows([begun, task]);
    const [first, second] = rows.roots().map((key) => rows.rowOf(key));
    expect([first?.label, second?.label]).toEqual(['Begun', 'Pay now']);
    expect(first?.icon.name).not.toBe(second?.icon.name);
    expect(second).toMatchObject({
      description: 'shop · unblocks 2, the plan never ran',
      ariaLabel: 'Task 2, Pay now, of shop, unblocks 2, the plan never ran',
      command: { command: 'ravel.openPlan', arguments: [shop] },
    });
    expect(await rows.tooltipOf(rows.roots()[1] ?? '', new AbortController().signal)).toContain('**Pay now**');
  });

  test('keeps a row for tasks of the same id in two plans', () => {
    const task: NextTask = { ...{ plan: shop, id: 'pay', title: 'Pay now' }, unblocks: 0, phase: 'work', place: 1 };
    expect(nextRows([task, { ...task, plan: toQualifiedId('web/project-root') }]).roots()).toHaveLength(2);
  });
});

describe('the view of what happened', () => {
  const facts: readonly ActivityFact[] = [
    {
      ...{ kind: 'phase', of: shop, atMs: 2 },
      record: {
        ...{ phase: 'git-commit-work', session: id, end: 'finished', summary: '', endedAt: '' },
        commits: [{ commit: 'c0ffee', title: 'Pay\nnow', files: 1 }],
        refusals: { claims: 2 },
      },
    },
    { kind: 'sent', of: shop, atMs: 3, message: id, text: 'Look' },
  ];
  function found(changes: Partial<RequestResults['since']> = {}): RequestResults['since'] {
    const since = '2026-01-02T03:04:05Z';
    const summary = summarizeActivity(facts, { plans: 20, items: 10 });
    return { since, until: since, ...summary, waiting: { items: [], total: 0 }, diagnostics: [], ...changes };
  }

  test('puts what waits first and open, and says how much more waits', () => {
    const waiting = { items: [{ kind: 'needs-input', plan: shop, approval: id, text: 'Which?' } as const], total: 3 };
    const rows = happenedRows(found({ waiting }));
    expect(rows.roots()).toEqual(['waiting', `of:${shop}`]);
    expect([rows.isOpen('waiting'), rows.isOpen(`of:${shop}`)]).toEqual([true, false]);
    const below = rows.childrenOf('waiting').map((key) => rows.rowOf(key));
    expect(below.map((row) => row?.label)).toEqual(['needs-input: Which?', '2 more']);
    expect(below.map((row) => row?.command?.command)).toEqual(['ravel.openApproval', 'ravel.whatHappened']);
  });

  test('has what happened in a plan below it, on one line each, and each row opens what it names', () => {
    const rows = happenedRows(found());
    const below = rows.childrenOf(`of:${shop}`).map((key) => rows.rowOf(key));
    expect(below.map((row) => [row?.description, row?.command?.command, row?.command?.arguments])).toEqual([
      ['Commits', 'ravel.openCause', [{ kind: 'commit', id: 'c0ffee' }]],
      ['Refused by gates', 'ravel.openSession', [id, shop]],
      ['Sent', 'ravel.openCause', [{ kind: 'message', id }]],
    ]);
    expect(below[0]?.label).not.toContain('\n');
    expect(new Set(below.map((row) => row?.icon.name)).size).toBe(3);
    expect(rows.parentOf(rows.childrenOf(`of:${shop}`)[0] ?? '')).toBe(`of:${shop}`);
  });

  test('is empty before it is read and when nothing happened', () => {
    const empty = summarizeActivity([], { plans: 1, items: 1 });
    expect(happenedRows(undefined).roots()).toEqual([]);
    expect(happenedRows(found(empty)).roots()).toEqual([]);
  });
});
