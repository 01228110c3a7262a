import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { toQualifiedId } from '../../src/model/id.ts';
import { outlineOf, overviewOf } from '../../src/vault/planOverview.ts';
import { traceDisk } from '../support/tracingDisk.ts';
import { makeVaultFolder } from '../support/vaultFolder.ts';

const id = toQualifiedId('Demo/project-root');

async function makePlan() {
  const vault = await makeVaultFolder(['Demo']);
  const read = new Set<string>();
  const disk = traceDisk(nodeDisk, (_n, name, path) => {
    if (name === 'readEach') read.add(path.slice(path.lastIndexOf('/') + 1));
  });
  return { vault, disk, read, plan: { id, directory: vault.layout.plan(id) }, layout: vault.layout };
}

test('outlineOf reads two files', async () => {
  const { disk, plan, read } = await makePlan();
  expect(await outlineOf(disk, plan)).toEqual({ description: 'What Demo is for', phase: 'work' });
  expect([...read].sort()).toEqual(['phase.md', 'plan-state.md']);
});

test('outlineOf returns an empty description for a plan that cannot be read', async () => {
  const { disk, plan } = await makePlan();
  rmSync(plan.directory, { recursive: true });
  expect(await outlineOf(disk, plan)).toEqual({ description: '' });
});

describe('overviewOf', () => {
  test('reads no memory, and returns no run state if there is none', async () => {
    const { disk, layout, plan, read } = await makePlan();
    const overview = await overviewOf({ disk, layout }, plan, false);
    expect(overview).toEqual({
      ...{ description: 'What Demo is for', phase: 'work', faults: [], next: [] },
      counts: { ready: 0, blocked: 0, inProgress: 0, done: 0, received: 0, handoffs: 0 },
    });
    expect([...read].sort()).toEqual(['backlog.yaml', 'phase.md', 'plan-state.md']);
  });

  test('includes the run state and its faults', async () => {
    const { disk, layout, plan, vault } = await makePlan();
    vault.write('vault/runtime/plans/Demo%2Fproject-root.yaml', 'cycle: 3\n');
    expect((await overviewOf({ disk, layout }, plan)).ran).toMatchObject({ state: { cycle: 3 }, faults: [] });
    vault.write('vault/runtime/plans/Demo%2Fproject-root.yaml', 'cycle: [\n');
    expect((await overviewOf({ disk, layout }, plan)).ran).toMatchObject({ faults: [{ code: 'plan/badState' }] });
  });

  test('reports faults by the path through the vault, wherever it reads', async () => {
    const { disk, layout, plan, vault } = await makePlan();
    const readFrom = join(vault.folder, 'Demo', 'ravel', 'project-root');
    vault.write('Demo/ravel/project-root/backlog.yaml', new Uint8Array([0xff, 0xfe]));
    const { faults } = await overviewOf({ disk, layout }, { ...plan, readFrom }, false);
    expect(faults).toMatchObject([{ code: 'yaml/encoding', file: join(plan.directory, 'backlog.yaml'), subject: id }]);
  });
});
