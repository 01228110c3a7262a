import { forEachYielding } from '../base/async.ts';
import type { Disk } from '../base/disk.ts';
import { visible } from '../base/fence.ts';
import { readTextIfExists, writeAtomic } from '../base/files.ts';
import { projectOf, type QualifiedId } from '../model/id.ts';
import type { VaultLayout } from './layout.ts';
import { planLink } from './wikilink.ts';

/** One line of the catalogue: what a plan is and what it is permanently for. */
export interface CatalogRow {
  readonly plan: QualifiedId;
  /** Undefined if plan-state.md cannot be read. */
  readonly description?: string;
}

/** An expert as the catalogue has it. */
export interface CatalogExpert {
  readonly actor: QualifiedId;
  readonly description: string;
}

export interface CatalogContent {
  readonly plans: readonly CatalogRow[];
  readonly experts: readonly CatalogExpert[];
}

/** Plans by project and experts, in the order of their ids, with links: for people. A large one is made in turns. */
export async function formatCatalog({ plans, experts }: CatalogContent): Promise<string> {
  const lines = new Map<string, string[]>();
  await forEachYielding(sortPlans(plans), (row) => {
    const project = projectOf(row.plan);
    const own = lines.get(project);
    if (own === undefined) lines.set(project, [linkedLine(row)]);
    else own.push(linkedLine(row));
  });
  const sections = [...lines].map(([project, own]) => formatSection(project, own));
  return visible([emptyCatalog, ...sections, ...expertSection(experts)].join('\n'));
}

/** Writes the vault's catalogue when it says something new; returns whether it did. Edits by hand are overwritten. */
export async function saveCatalog(disk: Disk, layout: VaultLayout, content: CatalogContent): Promise<boolean> {
  const text = await formatCatalog(content);
  if ((await readTextIfExists(disk, layout.catalog)) === text) return false;
  await writeAtomic(disk, layout.catalog, text);
  return true;
}

function sortPlans(plans: readonly CatalogRow[]): CatalogRow[] {
  return [...plans].sort((a, b) => (a.plan < b.plan ? -1 : 1));
}

/** That of a vault without plans, and the beginning of every other. */
export const emptyCatalog = `# Plans and experts

Ravel writes this file and overwrites changes that are made by hand.
`;

export function formatSection(title: string, lines: readonly string[]): string {
  return `## ${title}\n\n${lines.join('\n')}\n`;
}

function linkedLine(row: CatalogRow): string {
  return `- ${planLink(row.plan)}: ${describe(row)}`;
}

function expertSection(experts: readonly CatalogExpert[]): string[] {
  if (experts.length === 0) return [];
  const sorted = [...experts].sort((a, b) => (a.actor < b.actor ? -1 : 1));
  return [
    formatSection(
      'Experts',
      sorted.map((row) => `- ${row.actor}: ${describe(row)}`),
    ),
  ];
}

/** The description on one line, however it was written. */
export function describe(row: { readonly description?: string }): string {
  return (row.description ?? '').replace(/\s+/g, ' ').trim() || 'no description';
}
