import { describe, expect, test } from 'vitest';
import { planTree } from '../../../src/ui/trees/planTree.ts';
import { RenderedRows, type Rows } from '../../../src/ui/trees/renderedRows.ts';
import { id, outlineWith } from '../../support/fakeModel.ts';

function rows(
  texts: Readonly<Record<string, string>>,
  children: Readonly<Record<string, readonly string[]>> = {},
): Rows {
  return {
    roots: () => Object.keys(texts).filter((key) => !key.includes('/')),
    childrenOf: (key) => children[key] ?? [],
    parentOf: () => undefined,
    isOpen: () => false,
    rowOf: (key) => ({ id: key, label: texts[key] ?? '', icon: { name: 'dot' }, ariaLabel: '', contextValue: '' }),
    tooltipOf: async () => undefined,
  };
}

function drawn(all: Rows, ...keys: readonly string[]): RenderedRows {
  const memory = new RenderedRows();
  memory.renderedRoots(all.roots());
  for (const key of keys) memory.rendered(key, all);
  return memory;
}

describe('RenderedRows redraws', () => {
  const before = rows({ a: '1', b: '1', 'a/x': '1' });

  test('only rows that look different', () => {
    const memory = drawn(before, 'a', 'b');
    expect(memory.changed(['a', 'b'], rows({ a: '2', b: '1', 'a/x': '1' }))).toEqual(['a']);
  });

  test('no row that was never drawn', () => {
    const memory = drawn(before, 'a', 'b');
    expect(memory.changed(['a/x'], rows({ a: '1', b: '1', 'a/x': '2' }))).toEqual([]);
  });

  test('a row whose children changed', () => {
    const memory = drawn(before, 'a');
    expect(memory.changed(['a'], rows({ a: '1', b: '1' }, { a: ['a/x'] }))).toEqual(['a']);
  });

  test('everything if the roots changed', () => {
    expect(drawn(before, 'a').changed([], rows({ b: '1' }))).toBe('all');
  });
});

test('RenderedRows redraws one row if one of ten thousand changed', () => {
  const names = Array.from({ length: 10_000 }, (_, n) => `shop/plan-${n}`);
  const all = { shop: {}, ...Object.fromEntries(names.map((name) => [name, {}])) };
  const around = { asking: new Set<never>() };
  const look = (outline: ReturnType<typeof outlineWith>): Rows => {
    const tree = planTree(outline, { filter: {}, order: 'name' }, around);
    return { ...(tree as never as Rows), tooltipOf: async () => undefined };
  };
  const before = look(outlineWith(all));
  const memory = drawn(before, ...names.map(id));
  const after = look(outlineWith({ ...all, 'shop/plan-7': { waiting: 'it stopped' } }));
  expect(memory.changed([id('shop/plan-7'), id('shop/plan-8')], after)).toEqual([id('shop/plan-7')]);
});
