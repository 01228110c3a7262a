import { describe, expect, test } from 'vitest';
import type { QualifiedId, Ulid } from '../../../src/model/id.ts';
import type { PlanRow } from '../../../src/model/requests/plans.ts';
import { withQueue } from '../../../src/ui/planOutline.ts';
import { planName, planRow, planState, planTooltip } from '../../../src/ui/trees/planRows.ts';
import { id, outlineWith, statusOf } from '../../support/fakeModel.ts';

const session = '01HZY0000000000000000000S1' as Ulid;
const counts = { ready: 0, blocked: 0, inProgress: 0, done: 0, received: 0, handoffs: 0 };
const running = { session, phase: 'work' } as const;
const fault = { code: 'yaml/syntax', severity: 'error', message: 'It is no YAML.', subject: 'shop' } as const;

function look(more: Partial<PlanRow>, { asks = false, queued }: { asks?: boolean; queued?: string } = {}) {
  const node = outlineWith({ shop: {}, 'shop/cart': more }).nodes.get(id('shop/cart'));
  if (node === undefined) throw new Error('no node');
  const surroundings = { asking: new Set<QualifiedId>(asks ? [id('shop/cart')] : []) };
  const shown = withQueue(node, queued);
  return { row: planRow(shown, surroundings), state: planState(shown, surroundings) };
}

describe('a plan with the state', () => {
  test.each<[string, Partial<PlanRow>, { asks?: boolean; queued?: string }, string, string]>([
    ['idle', {}, {}, 'work', 'plan.still'],
    [
      'ready',
      { counts: { ...counts, ready: 2, blocked: 1, received: 3 } },
      {},
      '2 ready, 1 blocked, 3 received · work',
      'plan.still',
    ],
    ['ready', { phase: 'reflect' }, {}, 'reflect', 'plan.still'],
    ['running', { running: { ...running, task: 'add-a' } }, {}, 'running add-a · work', 'plan.running'],
    ['by hand', { running: { ...running, manual: true } }, {}, 'open by hand · work', 'plan.running.manual'],
    ['unowned', { running: { ...running, unowned: true } }, {}, 'runs without an owner · work', 'plan.running'],
    ['asks you', { running }, { asks: true }, 'asks you · work', 'plan.running'],
    ['asks you', { waiting: 'w' }, { asks: true }, 'asks you · work', 'plan.still.question'],
    ['interrupted', { waiting: 'w' }, {}, 'interrupted · work', 'plan.still.interrupted'],
    ['paused', { paused: { done: 1, cycles: 3 } }, {}, 'paused after 1 of 3 · work', 'plan.still.paused'],
    ['queued', {}, { queued: 'later' }, 'queued · work', 'plan.still'],
    ['faulted', { faults: [fault] }, {}, 'faulted · work', 'plan.still.faulted'],
    [
      'faulted',
      { actor: { state: 'faulted', queued: 0, deadLetters: 2 } },
      {},
      '2 dead letters · takes no messages · work',
      'plan.still.faulted.mute',
    ],
    [
      'ready',
      { phase: 'reflect', actor: { state: 'queued', queued: 4500, deadLetters: 0, waitsBecause: 'its inbox is full' } },
      {},
      '4,500 waiting · reflect',
      'plan.still',
    ],
  ])('%s for %j', (state, more, around, description, tokens) => {
    const seen = look(more, around);
    expect(seen.state).toBe(state);
    expect(seen.row).toMatchObject({ description, contextValue: tokens });
    // No state is shown by colour alone: it is in the row or in its counts.
    expect(seen.row.ariaLabel).toContain('Plan cart, phase');
  });

  test('unread shows what the outline says', () => {
    const { nodes } = outlineWith({ shop: {} });
    const node = nodes.get(id('shop'));
    if (node === undefined) throw new Error('no node');
    const { row: _, ...unread } = node;
    expect(planRow(unread, { asking: new Set() })).toMatchObject({
      label: 'shop',
      description: 'work',
      contextValue: 'plan.root.still',
    });
  });

  test('a plan whose phase cannot be read shows an unknown phase', () => {
    const node = outlineWith({ shop: {} }).nodes.get(id('shop'));
    if (node === undefined) throw new Error('no node');
    const { phase: _, ...unknown } = node;
    expect(planRow(unknown, { asking: new Set() }).description).toBe('phase unknown');
  });
});

test('a project row stands for its root plan and counts the states below it', () => {
  const node = outlineWith({ shop: {} }).nodes.get(id('shop'));
  if (node === undefined) throw new Error('no node');
  const row = planRow(node, { asking: new Set() }, ['running', 'asks you', 'asks you', 'ready', 'idle']);
  expect(row).toMatchObject({
    id: 'shop/project-root',
    label: 'shop',
    description: 'below: 1 running, 2 ask you, 1 ready · work',
    ariaLabel: 'Project shop, phase work, idle, below it 1 running, 2 ask you, 1 ready, About shop',
    command: { command: 'ravel.openPlan', arguments: ['shop/project-root'] },
  });
});

test('the tooltip of a plan shows every detail with Markdown escaped', () => {
  const hostile = '[click](command:evil) <b>';
  const text = planTooltip(
    statusOf('shop', {
      description: hostile,
      waiting: hostile,
      nextTask: { id: 'a', title: hostile },
      lastEnd: { phase: 'reflect', session, end: 'failed', at: '2026-01-02T03:04:05Z', summary: hostile },
      faults: Array.from({ length: 7 }, () => ({ ...fault, message: hostile })),
    }),
  );
  expect(text).not.toMatch(/\]\(|<b>/);
  expect(text).toContain('and 2 more faults');
  expect(text).toContain('reflect failed at');
});

test('the tooltip of a plan shows how many messages wait and why', () => {
  const actor = { state: 'queued', queued: 4500, deadLetters: 0, waitsBecause: 'its inbox <waits>' } as const;
  expect(planTooltip(statusOf('shop', { actor }))).toContain('4,500 messages waiting: its inbox');
  expect(planTooltip(statusOf('shop', { actor }))).not.toContain('<waits>');
  expect(planTooltip(statusOf('shop', { actor: { ...actor, queued: 0 } }))).not.toContain('waiting:');
});

test.each([
  ['shop', 'shop'],
  ['shop/cart', 'shop/cart'],
])('planName of %s is %s', (name, shown) => {
  expect(planName(id(name))).toBe(shown);
});
