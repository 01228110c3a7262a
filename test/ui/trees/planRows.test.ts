import { describe, expect, test } from 'vitest';
import type { QualifiedId, Ulid } from '../../../src/model/id.ts';
import type { PlanRow } from '../../../src/model/requests/plans.ts';
import { withQueue } from '../../../src/ui/planForest.ts';
import { planName, planRow, planState, planTooltip } from '../../../src/ui/trees/planRows.ts';
import { forestOf, id, statusOf } from '../../support/fakeModel.ts';

const session = '01HZY0000000000000000000S1' as Ulid;
const counts = { ready: 0, blocked: 0, inProgress: 0, done: 0, received: 0, handoffs: 0 };
const running = { session, phase: 'work' } as const;
const fault = { code: 'yaml/syntax', severity: 'error', message: 'It is no YAML.', subject: 'shop' } as const;

function look(more: Partial<PlanRow>, { asks = false, queued }: { asks?: boolean; queued?: string } = {}) {
  const node = forestOf({ shop: {}, 'shop/cart': more }).nodes.get(id('shop/cart'));
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
      'work · 2 ready, 1 blocked, 3 received',
      'plan.still',
    ],
    ['ready', { phase: 'reflect' }, {}, 'reflect', 'plan.still'],
    ['running', { running: { ...running, task: 'add-a' } }, {}, 'work · running add-a', 'plan.running'],
    ['by hand', { running: { ...running, byHand: true } }, {}, 'work · open by hand', 'plan.running.hand'],
    ['unowned', { running: { ...running, unowned: true } }, {}, 'work · runs without an owner', 'plan.running'],
    ['asks you', { running }, { asks: true }, 'work · asks you', 'plan.running'],
    ['asks you', { waiting: 'w' }, { asks: true }, 'work · asks you', 'plan.still.question'],
    ['interrupted', { waiting: 'w' }, {}, 'work · interrupted', 'plan.still.interrupted'],
    ['paused', { paused: { done: 1, cycles: 3 } }, {}, 'work · paused after 1 of 3', 'plan.still.paused'],
    ['queued', {}, { queued: 'later' }, 'work · queued', 'plan.still'],
    ['faulted', { faults: [fault] }, {}, 'work · faulted', 'plan.still.faulted'],
    [
      'faulted',
      { actor: { state: 'faulted', queued: 0, deadLetters: 2 } },
      {},
      'work · takes no messages · 2 dead letters',
      'plan.still.faulted.mute',
    ],
    [
      'ready',
      { phase: 'reflect', actor: { state: 'queued', queued: 4500, deadLetters: 0, waitsBecause: 'its inbox is full' } },
      {},
      'reflect · 4,500 waiting',
      'plan.still',
    ],
  ])('%s for %j', (state, more, around, description, tokens) => {
    const seen = look(more, around);
    expect(seen.state).toBe(state);
    expect(seen.row).toMatchObject({ description, tokens });
    // No state is shown by colour alone: it is in the row or in its counts.
    expect(seen.row.spoken).toContain('Plan cart, phase');
  });

  test('unread shows what the outline says', () => {
    const { nodes } = forestOf({ shop: {} });
    const node = nodes.get(id('shop'));
    if (node === undefined) throw new Error('no node');
    const { row: _, ...unread } = node;
    expect(planRow(unread, { asking: new Set() })).toMatchObject({
      label: 'shop',
      description: 'work',
      tokens: 'plan.root.still',
    });
  });

  test('a plan whose phase cannot be read shows an unknown phase', () => {
    const node = forestOf({ shop: {} }).nodes.get(id('shop'));
    if (node === undefined) throw new Error('no node');
    const { phase: _, ...unknown } = node;
    expect(planRow(unknown, { asking: new Set() }).description).toBe('phase unknown');
  });
});

test('a project row stands for its root plan and counts the states below it', () => {
  const node = forestOf({ shop: {} }).nodes.get(id('shop'));
  if (node === undefined) throw new Error('no node');
  const row = planRow(node, { asking: new Set() }, ['running', 'asks you', 'asks you', 'idle']);
  expect(row).toMatchObject({
    id: 'shop/project-root',
    label: 'shop',
    description: 'work · below: 1 running, 2 ask you',
    spoken: 'Project shop, phase work, idle, below it 1 running, 2 ask you, About shop',
    click: { command: 'ravel.openPlan', arguments: ['shop/project-root'] },
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
