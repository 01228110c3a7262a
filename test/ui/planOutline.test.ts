import { expect, test } from 'vitest';
import { buildOutline, emptyOutline, withQueue, withRow } from '../../src/ui/planOutline.ts';
import { id, outlineOf, outlineWith, rowOf } from '../support/fakeModel.ts';

test('plans are placed below their nearest parent, in order of name', () => {
  const { nodes, projects } = buildOutline(outlineOf('shop', 'shop/b', 'shop/a', 'shop/a/x', 'lib'), emptyOutline);
  expect([...projects]).toEqual([
    ['lib', [id('lib')]],
    ['shop', [id('shop')]],
  ]);
  expect(nodes.get(id('shop'))?.children).toEqual([id('shop/a'), id('shop/b')]);
  expect(nodes.get(id('shop/a'))?.children).toEqual([id('shop/a/x')]);
});

test('plan names with numbers are ordered by number', () => {
  const { nodes } = buildOutline(outlineOf('shop', 'shop/step-10', 'shop/step-2', 'shop/step-1'), emptyOutline);
  expect(nodes.get(id('shop'))?.children).toEqual([id('shop/step-1'), id('shop/step-2'), id('shop/step-10')]);
});

test('known rows are kept if the outline grows again', () => {
  const before = outlineWith({ shop: {}, 'shop/a': { waiting: 'why' } });
  const after = buildOutline(outlineOf('shop', 'shop/a', 'shop/b'), before);
  expect(after.nodes.get(id('shop/a'))?.row?.waiting).toBe('why');
  expect(after.nodes.get(id('shop/b'))?.row).toBeUndefined();
});

test('a row without a phase removes the phase, and a queue can be left', () => {
  const node = outlineWith({ shop: {} }).nodes.get(id('shop'));
  if (node === undefined) throw new Error('no node');
  const { phase: _, ...row } = rowOf('shop');
  expect(withRow(node, row)).not.toHaveProperty('phase');
  expect(withQueue(withQueue(node, 'later'), undefined)).not.toHaveProperty('queued');
});
