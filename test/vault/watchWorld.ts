import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { Disk } from '../../src/base/disk.ts';
import type { Diagnostic } from '../../src/base/errors.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { OwnWrites } from '../../src/base/ownWrites.ts';
import { VaultLayout } from '../../src/vault/layout.ts';
import type { VaultChanges } from '../../src/vault/vaultChanges.ts';
import { VaultWatch } from '../../src/vault/vaultWatch.ts';
import { writeLargeVault } from '../support/largeVault.ts';
import { ManualClock } from '../support/manualClock.ts';
import { ScriptedTrees } from '../support/scriptedTrees.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';

export interface WatchWorld {
  readonly layout: VaultLayout;
  readonly clock: ManualClock;
  readonly trees: ScriptedTrees;
  readonly own: OwnWrites;
  readonly watch: VaultWatch;
  readonly diagnostics: Diagnostic[];
  readonly errors: unknown[];
  readonly changes: VaultChanges[];
  /** The real path of a file of project 0. */
  file(path: string): string;
  write(path: string, text: string): string;
  /** Lets the quiet time pass; returns what was reported since the last call, one line each. */
  quiet(ms?: number): Promise<string[]>;
}

export async function start(
  options: { plans?: number; projects?: number; disk?: (disk: Disk) => Disk } = {},
): Promise<WatchWorld> {
  const folder = await makeTemporaryDirectory();
  const root = writeLargeVault(folder, { plans: options.plans ?? 3, projects: options.projects ?? 1, records: 1 });
  const layout = new VaultLayout(root);
  mkdirSync(layout.experts);
  const clock = new ManualClock();
  const trees = new ScriptedTrees();
  const disk = options.disk?.(nodeDisk) ?? nodeDisk;
  const own = new OwnWrites(disk);
  const diagnostics: Diagnostic[] = [];
  const errors: unknown[] = [];
  const changes: VaultChanges[] = [];
  const watch = new VaultWatch({
    ...{ disk, layout, clock, own, watchTree: trees.watchTree },
    reconcileMs: 60_000,
    onChanges: async (change) => void changes.push(change),
    onDiagnostic: (problem) => diagnostics.push(problem),
    onError: (error) => errors.push(error),
  });
  onTestFinished(() => watch.stop());
  await watch.reconcile();
  expect(changes.splice(0).flatMap(describeChanges)).toEqual([]);
  const file = (path: string) => join(folder, 'code-0/ravel/project-root', path);
  return {
    ...{ layout, clock, trees, own, watch, diagnostics, errors, changes, file },
    write(path, text) {
      mkdirSync(join(file(path), '..'), { recursive: true });
      writeFileSync(file(path), text);
      return file(path);
    },
    async quiet(ms = 200) {
      clock.advance(ms);
      await watch.settled();
      return changes.splice(0).flatMap(describeChanges);
    },
  };
}

export function describeChanges({ plans, files }: VaultChanges): string[] {
  const told = plans.map(({ plan, change, files: edited }) => [change, plan.id, ...edited].join(' '));
  return [...told, ...files.map((name) => `vault ${name}`)];
}

export const rootPlan = 'p0/project-root';
export const marker = '---\nschema-version: 1\ndescription: What it is for\n---\n';
