import { compareIds, type QualifiedId } from '../../model/id.ts';

/** A plan in a list that shows the hierarchy. */
export interface TreeLine<Row> {
  readonly row: Row;
  /** Its id from the nearest plan above it in the list on, set in by its depth. */
  readonly name: string;
}

/** Rows so that each plan stands below its parent; one whose parents are not in the list has its whole id. */
export function plansAsTree<Row extends { readonly plan: QualifiedId }>(rows: readonly Row[]): TreeLine<Row>[] {
  const shown = new Set<string>(rows.map(({ plan }) => plan));
  return [...rows]
    .sort((a, b) => compareIds(a.plan, b.plan))
    .map((row) => {
      const above = aboveIn(shown, row.plan);
      const parent = above[0];
      const name = parent === undefined ? row.plan : row.plan.slice(parent.length + 1);
      return { row, name: `${'  '.repeat(above.length)}${name}` };
    });
}

/** The plans above in the list, the nearest first. */
function aboveIn(shown: ReadonlySet<string>, plan: QualifiedId): string[] {
  const above: string[] = [];
  for (let end = plan.lastIndexOf('/'); end > 0; end = plan.lastIndexOf('/', end - 1)) {
    const id = plan.slice(0, end);
    if (shown.has(id)) above.push(id);
  }
  return above;
}
