import type { TreeRow } from './treeRow.ts';

/** The rows of a view by their keys. */
export interface Rows {
  roots(): readonly string[];
  childrenOf(key: string): readonly string[];
  parentOf(key: string): string | undefined;
  /** Undefined for what is not shown. */
  rowOf(key: string): TreeRow | undefined;
  /** Whether the row shows what is below it when it is first drawn. */
  isOpen(key: string): boolean;
  /** Markdown, requested once the user hovers over the row. */
  tooltipOf(key: string, signal: AbortSignal): Promise<string | undefined>;
}

/** What a view must draw again: rows by their keys, or all of it. */
export type RowChanges = readonly string[] | 'all';

/**
 * What a view has drawn, so that only rows whose content changed are drawn again. A row that was never drawn is not touched:
 * the editor asks for it when the user opens the row above it.
 */
export class RenderedRows {
  readonly #drawn = new Map<string, string>();
  #roots = '';

  /** The row is about to be drawn. */
  rendered(key: string, rows: Rows): void {
    this.#drawn.set(key, contentOf(key, rows));
  }

  /** The rows at the top are about to be drawn. */
  renderedRoots(roots: readonly string[]): void {
    this.#roots = roots.join('\n');
  }

  /** Which of the drawn rows among `keys` have other content now; all of the view if its top does. */
  changed(keys: Iterable<string>, rows: Rows): RowChanges {
    if (rows.roots().join('\n') !== this.#roots) return 'all';
    const changed: string[] = [];
    for (const key of keys) {
      const before = this.#drawn.get(key);
      if (before !== undefined && before !== contentOf(key, rows)) changed.push(key);
    }
    return changed;
  }

  forget(): void {
    this.#drawn.clear();
  }
}

function contentOf(key: string, rows: Rows): string {
  return JSON.stringify([rows.rowOf(key), rows.childrenOf(key)]);
}
