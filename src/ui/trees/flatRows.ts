import type { Rows } from './renderedRows.ts';
import type { TreeRow } from './treeRow.ts';

/** A list as the rows of a view. */
export function flatRows(entries: readonly { readonly row: TreeRow; readonly tooltip: string }[]): Rows {
  const byKey = new Map(entries.map((entry) => [entry.row.id, entry]));
  return {
    roots: () => [...byKey.keys()],
    childrenOf: () => [],
    parentOf: () => undefined,
    isOpen: () => false,
    rowOf: (key) => byKey.get(key)?.row,
    tooltipOf: async (key) => byKey.get(key)?.tooltip,
  };
}
