import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemClock } from '../../../src/base/clock.ts';
import type { Disk } from '../../../src/base/disk.ts';
import { nodeDisk } from '../../../src/base/nodeDisk.ts';
import { type SearcherPorts, type SearchProblem, VaultSearcher } from '../../../src/knowledge/search/vaultSearcher.ts';
import { VaultLayout } from '../../../src/vault/layout.ts';
import { formatYaml } from '../../../src/yaml/yaml.ts';
import { makeTemporaryDirectory } from '../../support/temporaryDirectory.ts';

export interface SomeEntry {
  readonly id: string;
  readonly title: string;
  readonly body: string;
}

/** The folder of a vault with one project, whose root plan has this memory. */
export async function makeSearchedVault(entries: readonly SomeEntry[]): Promise<VaultLayout> {
  const root = await makeTemporaryDirectory();
  const layout = new VaultLayout(join(root, 'vault'));
  mkdirSync(layout.projects, { recursive: true });
  mkdirSync(join(root, 'shop/ravel'), { recursive: true });
  symlinkSync(join(root, 'shop/ravel'), layout.project('shop'));
  writePlan(layout, 'shop/project-root', entries);
  return layout;
}

export function writePlan(layout: VaultLayout, plan: string, entries: readonly SomeEntry[]): void {
  const folder = join(layout.projects, plan);
  write(join(folder, 'plan-state.md'), '---\nschema-version: 1\ndescription: Sells things\n---\n');
  write(join(folder, 'memory.yaml'), formatYaml({ entries: entries.map((entry) => ({ ...entry })) }));
}

export function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** Searches in this thread, a day after the files were written: only then are their stamps trusted. */
export function searcherOf(layout: VaultLayout, more: Partial<SearcherPorts> = {}) {
  const problems: SearchProblem[] = [];
  const saving: Disk = nodeDisk;
  const searcher = new VaultSearcher({
    ...{ disk: nodeDisk, saving, layout, version: '1' },
    clock: { ...systemClock, wallMs: () => Date.now() + 86_400_000 },
    onProblem: (problem) => problems.push(problem),
    ...more,
  });
  const ids = async (query: string) => (await searcher.search({ query, fresh: true })).hits.map(({ id }) => id);
  return { searcher, problems, ids };
}
