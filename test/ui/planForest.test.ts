import { expect, test } from 'vitest';
import { emptyForest, growForest, withQueue, withRow } from '../../src/ui/planForest.ts';
import { forestOf, id, outlineOf, rowOf } from '../support/fakeModel.ts';

test('plans stand below the nearest above, in the order of their names', () => {
  const { nodes, projects } = growForest(outlineOf('shop', 'shop/b', 'shop/a', 'shop/a/x', 'lib'), emptyForest);
  expect([...projects]).toEqual([
    ['lib', [id('lib')]],
    ['shop', [id('shop')]],
  ]);
  expect(nodes.get(id('shop'))?.children).toEqual([id('shop/a'), id('shop/b')]);
  expect(nodes.get(id('shop/a'))?.children).toEqual([id('shop/a/x')]);
});

test('names with numbers stand as they are counted', () => {
  const { nodes } = growForest(outlineOf('shop', 'shop/step-10', 'shop/step-2', 'shop/step-1'), emptyForest);
  expect(nodes.get(id('shop'))?.children).toEqual([id('shop/step-1'), id('shop/step-2'), id('shop/step-10')]);
});

test('what was known of a plan stays known when the tree grows again', () => {
  const before = forestOf({ shop: {}, 'shop/a': { waiting: 'why' } });
  const after = growForest(outlineOf('shop', 'shop/a', 'shop/b'), before);
  expect(after.nodes.get(id('shop/a'))?.row?.waiting).toBe('why');
  expect(after.nodes.get(id('shop/b'))?.row).toBeUndefined();
});

test('a row without a phase takes the phase away, and a queue can be left', () => {
  const node = forestOf({ shop: {} }).nodes.get(id('shop'));
  if (node === undefined) throw new Error('no node');
  const { phase: _, ...row } = rowOf('shop');
  expect(withRow(node, row)).not.toHaveProperty('phase');
  expect(withQueue(withQueue(node, 'later'), undefined)).not.toHaveProperty('queued');
});
