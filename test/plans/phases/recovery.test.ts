import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { createDeferred } from '../../../src/base/async.ts';
import { nodeDisk } from '../../../src/base/nodeDisk.ts';
import { toQualifiedId } from '../../../src/model/id.ts';
import type { RecoveryParts } from '../../../src/plans/phases/recoverPlan.ts';
import { Recovery } from '../../../src/plans/phases/recovery.ts';
import { PlanDirectory } from '../../../src/plans/planDirectory.ts';
import { traceDisk } from '../../support/tracingDisk.ts';
import { makeVaultFolder } from '../../support/vaultFolder.ts';

const plan = toQualifiedId('Demo/project-root');

/** A recovery that notes which plans it recovers, and whose looks at the plan's own run state wait. */
async function makeRecovery() {
  const { layout } = await makeVaultFolder(['Demo']);
  const looking = createDeferred<void>();
  const look = createDeferred<void>();
  const disk = traceDisk(nodeDisk, async (_n, name, path) => {
    if (name !== 'lstat' || path !== layout.runState(plan)) return;
    looking.resolve();
    await look.promise;
  });
  const recovered: string[] = [];
  const withPlan = (id: string) => {
    recovered.push(id);
    return Promise.resolve(undefined);
  };
  const services = { disk, layout, onEvent: () => ({ dispose: () => undefined }) };
  const locks = { withPlan, waitsFor: () => undefined };
  const parts = { services, locks, directory: new PlanDirectory(disk, layout) } as unknown as RecoveryParts;
  const leave = async () => {
    await mkdir(dirname(layout.runState(plan)), { recursive: true });
    await writeFile(layout.runState(plan), 'running: { phase: reflect }\n');
  };
  return { recovery: new Recovery(parts), recovered, leave, looking: looking.promise, look };
}

test('a phase that began once all was settled is not taken for one of an earlier owner', async () => {
  const { recovery, recovered, leave, looking, look } = await makeRecovery();
  const settled = recovery.of(plan);
  await looking;
  await recovery.begin();
  await leave();
  look.resolve();
  await settled;
  expect(recovered).toEqual([]);
});

test('a recovery that stops begins with no plan any more', async () => {
  const { recovery, recovered, leave, look } = await makeRecovery();
  await leave();
  look.resolve();
  await recovery.stop();
  await expect(recovery.of(plan)).rejects.toMatchObject({ code: 'run/stopped' });
  expect(recovered).toEqual([]);
});

test('two that need a plan at once have it recovered once', async () => {
  const { recovery, recovered, leave, looking, look } = await makeRecovery();
  await leave();
  const settled = [recovery.of(plan), recovery.tried(plan)];
  await looking;
  look.resolve();
  await Promise.all(settled);
  expect(recovered).toEqual([plan]);
});
