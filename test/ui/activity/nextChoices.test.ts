import { expect, test } from 'vitest';
import { toQualifiedId } from '../../../src/model/id.ts';
import type { NextTask } from '../../../src/model/nextTasks.ts';
import { nextChoices, optionsFor } from '../../../src/ui/activity/nextChoices.ts';

const row: NextTask = {
  ...{ plan: toQualifiedId('shop/project-root'), id: 'pay', title: 'Pay $(zap) now' },
  ...{ unblocks: 2, phase: 'work', place: 1 },
};

test('a choice has the title, the plan and why it stands there; the title makes no icon', () => {
  const [choice] = nextChoices([row]);
  expect(choice).toMatchObject({ description: row.plan, detail: 'unblocks 2, the plan never ran', value: row });
  expect(choice?.label).toBe('Pay \\$(zap) now');
});

test('a task is named only if work comes first', () => {
  expect(optionsFor(row)).toEqual({ task: 'pay' });
  expect(optionsFor({ ...row, phase: 'triage' })).toEqual({});
});
