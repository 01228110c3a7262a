import { expect, test } from 'vitest';
import { emptyForest, growForest, withQueue, withRow } from '../../src/ui/planForest.ts';
import { forestOf, id, outlineOf, rowOf } from '../support/fakeModel.ts';

test('plans are placed below their nearest parent, in order of name', () => {
  const { nodes, projects } = growForest(outlineOf('shop', 'shop/b', 'shop/a', 'shop/a/x', 'lib'), emptyForest);
  expect([...projects]).toEqual([
    ['lib', [id('lib')]],
    ['shop', [id('shop')]],
  ]);
  expect(nodes.get(id('shop'))?.children).toEqual([id('shop/a'), id('shop/b')]);
  expect(nodes.get(id('shop/a'))?.children).toEqual([id('shop/a/x')]);
});

test('plan names with numbers are ordered by number', () => {
  const { nodes } = growForest(outlineOf('shop', 'shop/step-10', 'shop/step-2', 'shop/step-1'), emptyForest);
  expect(nodes.get(id('shop'))?.children).toEqual([id('shop/step-1'), id('shop/step-2'), id('shop/step-10')]);
});

test('known rows are kept if the forest grows again', () => {
  const before = forestOf({ shop: {}, 'shop/a': { waiting: 'why' } });
  const after = growForest(outlineOf('shop', 'shop/a', 'shop/b'), before);
  expect(after.nodes.get(id('shop/a'))?.row?.waiting).toBe('why');
  expect(after.nodes.get(id('shop/b'))?.row).toBeUndefined();
});

test('a row without a phase removes the phase, and a queue can be left', () => {
  const node = forestOf({ shop: {} }).nodes.get(id('shop'));
  if (node === undefined) throw new Error('no node');
  const { phase: _, ...row } = rowOf('shop');
  expect(withRow(node, row)).not.toHaveProperty('phase');
  expect(withQueue(withQueue(node, 'later'), undefined)).not.toHaveProperty('queued');
});
