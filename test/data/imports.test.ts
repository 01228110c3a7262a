import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { toQualifiedId } from '../../src/model/id.ts';
import { importPlan } from '../../src/vault/imports/importPlan.ts';
import { verifyVault } from '../../src/vault/verify.ts';
import { testDataPath } from '../support/testData.ts';
import { makeVaultFolder } from '../support/vaultFolder.ts';

/** Imports a real plan. Returns the folder that it came from, the folder that it went to and the report. */
async function importReal(name: string) {
  const vault = await makeVaultFolder(['app']);
  const { layout } = vault;
  const [source, id] = [testDataPath(name), toQualifiedId('app/project-root/core')];
  const about = { description: 'A real plan', dryRun: false, suffix: '0a1b' };
  const report = await importPlan({ disk: nodeDisk, layout, source, id, ...about });
  const { diagnostics } = await verifyVault(nodeDisk, layout);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return { source, target: layout.plan(id), report };
}

test('importing a real plan in YAML keeps every file byte for byte', async () => {
  const { source, target, report } = await importReal('ravel-lite-core');
  expect(report.diagnostics).toEqual([]);
  for (const name of await readdir(source)) {
    expect(await readFile(join(target, name)), name).toEqual(await readFile(join(source, name)));
  }
});

test('importing a real plan in Markdown loses no word', async () => {
  const { source, target } = await importReal('markdown-plan');
  const made = [];
  for (const name of ['backlog.yaml', 'memory.yaml', 'session-log.yaml', 'plan-state.md']) {
    made.push(await readFile(join(target, name), 'utf8'));
  }
  const words = new Set(made.join('\n').match(/\w+/g));
  for (const name of await readdir(source)) {
    const original = await readFile(join(source, name));
    const kept = await readFile(join(target, 'imported', name)).catch(() => readFile(join(target, name)));
    expect(kept, name).toEqual(original);
    if (!['backlog.md', 'memory.md'].includes(name)) continue;
    // The import replaces these names of fields and tokens.
    const replaced = new Set(['Status', 'Dependencies', 'Description', 'Results', '_pending_', 'Log']);
    const lost = [...new Set(original.toString().match(/\w+/g))].filter((word) => !words.has(word));
    expect(lost.filter((word) => !replaced.has(word))).toEqual([]);
  }
});

test('importing a real plan in Markdown gives its tasks with their dependencies', async () => {
  const { target, report } = await importReal('markdown-plan');
  expect(report).toMatchObject({ tasks: 32, sessions: 0, diagnostics: [] });
  const { tasks } = parse(await readFile(join(target, 'backlog.yaml'), 'utf8'));
  const [first, , , , rewrite, types] = tasks;
  expect(first).toMatchObject({
    category: 'spike',
    status: 'done',
    'dependencies-note': 'none (blocks everything else)',
  });
  expect(rewrite).toMatchObject({ status: 'not_started', dependencies: [] });
  expect(rewrite['dependencies-note']).toBe('(the three amendment tasks above, all now done)');
  expect(types).toMatchObject({ category: 'types', 'dependencies-note': 'Task 0' });
  expect(types.dependencies).toEqual(tasks.slice(1, 4).map(({ id }: { id: string }) => id));
});
