import { describe, expect, test } from 'vitest';
import type { Ulid } from '../../../src/model/id.ts';
import {
  describeFilter,
  planTree,
  type TreeChoice,
  type TreeFilter,
  toTreeChoice,
} from '../../../src/ui/trees/planTree.ts';
import { id, outlineWith } from '../../support/fakeModel.ts';

const session = '01HZY0000000000000000000S1' as Ulid;
const outline = outlineWith({
  lib: { description: 'A library' },
  shop: {},
  'shop/cart': { phase: 'reflect' },
  'shop/cart/deep': { waiting: 'it stopped' },
  'shop/stock': { running: { session, phase: 'work' } },
});

function treeOf(filter: TreeFilter, order: TreeChoice['order'] = 'name') {
  return planTree(outline, { filter, order }, { asking: new Set() });
}

describe('a filter', () => {
  test.each<[TreeFilter, readonly string[], number]>([
    [{}, ['lib', 'shop', 'shop/cart', 'shop/cart/deep', 'shop/stock'], 5],
    [{ text: 'LIBRARY' }, ['lib'], 1],
    [{ text: 'deep' }, ['shop', 'shop/cart', 'shop/cart/deep'], 1],
    [{ phase: 'reflect' }, ['shop', 'shop/cart'], 1],
    [{ state: 'running' }, ['shop', 'shop/stock'], 1],
    [{ state: 'waiting' }, ['shop', 'shop/cart', 'shop/cart/deep'], 1],
    [{ state: 'faulted' }, [], 0],
    [{ state: 'waiting', text: 'stock' }, [], 0],
  ])('%j shows the matching plans and their parents', (filter, names, matches) => {
    const tree = treeOf(filter);
    const shown: string[] = [];
    const visit = (plans: readonly string[]) => {
      for (const plan of plans) {
        shown.push(plan);
        visit(tree.childrenOf(plan as never));
      }
    };
    visit(tree.roots());
    expect(shown).toEqual(names.map(id));
    expect(tree.matches).toBe(matches);
    const hidden = [...outline.nodes.keys()].filter((plan) => !shown.includes(plan));
    expect(hidden.filter((plan) => tree.rowOf(plan) !== undefined)).toEqual([]);
  });

  test.each<[TreeFilter, string | undefined]>([
    [{}, undefined],
    [{ text: 'a', phase: 'work', state: 'ready' }, '“a”, work, ready'],
  ])('%j is described as %s', (filter, words) => {
    expect(describeFilter(filter)).toBe(words);
  });
});

test('filtered plans are expanded and have their own row ids', () => {
  const tree = treeOf({ text: 'deep' });
  expect([id('shop'), id('shop/cart')].map((plan) => tree.isOpen(plan))).toEqual([true, true]);
  expect(tree.rowOf(id('shop'))?.id).toBe(`found:${id('shop')}`);
  expect(treeOf({}).isOpen(id('shop/cart'))).toBe(false);
});

test('projects are expanded if there are few', () => {
  const many = outlineWith(Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [name, {}])));
  const choice = { filter: {}, order: 'name' } as const;
  expect(treeOf({}).isOpen(id('shop'))).toBe(true);
  expect(planTree(many, choice, { asking: new Set() }).isOpen(id('a'))).toBe(false);
});

test('in order of attention, plans that need a person and their parents come first', () => {
  const tree = treeOf({}, 'attention');
  expect(tree.roots()).toEqual([id('shop'), id('lib')]);
  expect(tree.childrenOf(id('shop'))).toEqual([id('shop/cart'), id('shop/stock')]);
});

test.each<[unknown, TreeChoice]>([
  [undefined, { order: 'name', filter: {} }],
  ['nonsense', { order: 'name', filter: {} }],
  [
    { order: 'attention', filter: { text: 'a', phase: 'work', state: 'ready' } },
    { order: 'attention', filter: { text: 'a', phase: 'work', state: 'ready' } },
  ],
  [
    { order: 'colour', filter: { text: 7, phase: 'sleep', state: 'odd' } },
    { order: 'name', filter: {} },
  ],
])('of a stored choice %j, only the valid parts are used', (stored, choice) => {
  expect(toTreeChoice(stored)).toEqual(choice);
});
