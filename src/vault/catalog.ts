import type { Disk } from '../base/disk.ts';
import { readTextIfExists, writeAtomic } from '../base/files.ts';
import { projectOf, type QualifiedId } from '../model/id.ts';
import type { VaultLayout } from './layout.ts';
import { planLink } from './wikilink.ts';

/** One line of the catalogue: what a plan is and what it is permanently for. */
export interface CatalogRow {
  readonly plan: QualifiedId;
  /** Undefined where plan-state.md cannot be read. */
  readonly description?: string;
}

export interface CatalogOptions {
  /** Writes the catalogue for the prompt of this plan: plain text, its project first, the plan itself marked. */
  readonly current?: QualifiedId;
}

/** The plans by project, in the order of their ids: with links for people, or plain for a prompt. */
export function formatCatalog(rows: readonly CatalogRow[], options: CatalogOptions = {}): string {
  const { current } = options;
  const sorted = [...rows].sort((a, b) => (a.plan < b.plan ? -1 : 1));
  const projects = [...new Set(sorted.map((row) => projectOf(row.plan)))];
  if (current === undefined) return [header, ...projects.map((name) => section(name, sorted, linkedLine))].join('\n');
  const own = projectOf(current);
  const ordered = [...projects.filter((name) => name === own), ...projects.filter((name) => name !== own)];
  return ordered.map((name) => section(name, sorted, (row) => plainLine(row, current))).join('\n');
}

/** Writes the vault's catalogue when it says something new; returns whether it did. Edits by hand are overwritten. */
export async function saveCatalog(disk: Disk, layout: VaultLayout, rows: readonly CatalogRow[]): Promise<boolean> {
  const text = formatCatalog(rows);
  if ((await readTextIfExists(disk, layout.catalog)) === text) return false;
  await writeAtomic(disk, layout.catalog, text);
  return true;
}

const header = `# Plans

Ravel writes this file; what is changed here by hand is overwritten.
`;

function section(project: string, rows: readonly CatalogRow[], line: (row: CatalogRow) => string): string {
  const own = rows.filter((row) => projectOf(row.plan) === project);
  return `## ${project}\n\n${own.map(line).join('\n')}\n`;
}

function linkedLine(row: CatalogRow): string {
  return `- ${planLink(row.plan)}: ${describe(row)}`;
}

function plainLine(row: CatalogRow, current: QualifiedId): string {
  const mark = row.plan === current ? ' (this plan)' : '';
  return `- ${row.plan}${mark}: ${describe(row)}`;
}

function describe(row: CatalogRow): string {
  return (row.description ?? '').replace(/\s+/g, ' ').trim() || 'no description';
}
