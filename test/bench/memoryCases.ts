import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { measureRanking, type RankMeasures } from './rankMeasures.ts';

export interface MemoryCase {
  readonly title: string;
  readonly description: string;
  readonly entries: readonly { readonly id: string; readonly title: string; readonly body: string }[];
  /** Paths that the commits of the task changed. */
  readonly changedFiles: readonly string[];
  /** Ids of the entries that matter for the task. */
  readonly relevant: ReadonlySet<string>;
}

interface CasesFile {
  readonly entries: Readonly<Record<string, { readonly title: string; readonly body: string }>>;
  readonly cases: readonly {
    readonly title: string;
    readonly description: string;
    readonly changedFiles: readonly string[];
    readonly memory: readonly string[];
    readonly relevant: readonly string[];
  }[];
}

/** Tasks of a real plan, each with the memory as it stood before, and the entries that its changes show to matter. */
export async function readMemoryCases(folder: string): Promise<readonly MemoryCase[]> {
  const text = await readFile(join(folder, 'memory-relevance/cases.json'), 'utf8');
  const { entries, cases }: CasesFile = JSON.parse(text);
  return cases.map(({ title, description, changedFiles, memory, relevant }) => ({
    ...{ title, description, changedFiles, relevant: new Set(relevant) },
    entries: memory.map((id) => ({ id, title: entries[id]?.title ?? '', body: entries[id]?.body ?? '' })),
  }));
}

export interface BudgetMeasures extends RankMeasures {
  /** Share of the relevant entries that fit the budget. */
  readonly inBudget: number;
}

export function measureMemory(
  ranked: readonly string[],
  inBudget: readonly string[],
  relevant: ReadonlySet<string>,
): BudgetMeasures {
  const found = inBudget.filter((id) => relevant.has(id)).length;
  return { ...measureRanking(ranked, relevant), inBudget: found / Math.max(1, relevant.size) };
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
