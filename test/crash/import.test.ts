import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { isTemporaryName } from '../../src/base/files.ts';
import type { RequestParams } from '../../src/model/protocol.ts';
import { everyCrashPoint, memorySceneOf, withPowerCuts } from '../support/crashPoints.ts';
import type { MemoryDisk } from '../support/memoryDisk.ts';
import { openCore } from '../support/openCore.ts';
import { lookInMemory, someSignals } from '../support/signalPoints.ts';
import { makeWorld } from '../support/world.ts';

const source = fileURLToPath(new URL('../fixtures/plans/markdown', import.meta.url));

test('an import whose owner dies or loses power at any moment leaves the whole plan or none, and can be done again', {
  timeout: 600_000,
}, async () => {
  const template = await makeWorld();
  const plan = `${template.plan}/core`;
  const asked: RequestParams<'import'> = { directory: source, plan, description: 'The core of the shop' };
  let whole: readonly string[] | undefined;
  const scene = memorySceneOf({
    what: 'an import',
    template,
    folders: [source],
    act: ({ api }) => api.request('import', asked),
    async look({ world, disk }, { isTold }) {
      const core = await openCore(world, { disk, sessions: 'inProcess' });
      try {
        const { plans } = await core.api.request('list', {});
        const times = plans.filter((one) => one.plan === plan).length;
        if (times === 0) await core.api.request('import', asked);
        // Whoever imported it, the plan is the same, and nothing half made stands beside it.
        const { memoryEntries, nextTask } = await core.api.request('status', { plan });
        expect({ memoryEntries, nextTask }).toMatchObject({ memoryEntries: 3, nextTask: { id: expect.any(String) } });
        const files = await filesIn(disk, join(world.planDirectory, 'core'));
        whole ??= files;
        expect(files).toEqual(whole);
        const besides = (await disk.readDirectory(world.planDirectory)).map(({ name }) => name);
        expect(besides.filter((name) => name.includes('core'))).toEqual(['core']);
        return { end: times === 0 ? 'none' : 'whole', times, isOwed: isTold };
      } finally {
        await core.stop();
      }
    },
  });
  const { ends } = await everyCrashPoint(scene);
  expect(ends.join(' ')).toMatch(/^(none )+(whole ?)+$/);
  await everyCrashPoint(withPowerCuts(scene));
  const look = lookInMemory(scene.look, template, source);
  await someSignals({ what: scene.what, template, request: 'import', params: asked, look });
});

/** Paths and sizes of what lies below a folder. */
async function filesIn(disk: MemoryDisk, folder: string, below = ''): Promise<readonly string[]> {
  const entries = await disk.readDirectory(join(folder, below));
  const lists = entries.map(async ({ name, kind }) => {
    const path = join(below, name);
    if (isTemporaryName(name)) return [];
    if (kind === 'directory') return filesIn(disk, folder, path);
    return [`${path} ${(await disk.stat(join(folder, path))).size}`];
  });
  return (await Promise.all(lists)).flat().sort();
}
