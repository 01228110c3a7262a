import type { Rows } from './renderedRows.ts';
import type { TreeRow } from './treeRow.ts';

/** A row with those below it. */
export interface RowNode {
  readonly row: TreeRow;
  /** Markdown. */
  readonly tooltip: string;
  readonly below?: readonly RowNode[];
  /** Whether it shows what is below it when it is first drawn. */
  readonly isOpen?: boolean;
}

/** Rows below each other, to any depth, as the rows of a view. */
export function groupedRows(roots: readonly RowNode[]): Rows & { readonly keys: Iterable<string> } {
  const nodes = new Map<string, RowNode>();
  const parents = new Map<string, string>();
  const add = (node: RowNode, parent: string | undefined): void => {
    nodes.set(node.row.id, node);
    if (parent !== undefined) parents.set(node.row.id, parent);
    for (const below of node.below ?? []) add(below, node.row.id);
  };
  for (const root of roots) add(root, undefined);
  return {
    keys: nodes.keys(),
    roots: () => roots.map(({ row }) => row.id),
    childrenOf: (key) => (nodes.get(key)?.below ?? []).map(({ row }) => row.id),
    parentOf: (key) => parents.get(key),
    isOpen: (key) => nodes.get(key)?.isOpen === true,
    rowOf: (key) => nodes.get(key)?.row,
    tooltipOf: async (key) => nodes.get(key)?.tooltip,
  };
}
