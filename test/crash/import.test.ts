import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { RequestParams } from '../../src/model/protocol.ts';
import { everyCrashPoint, sceneOf } from '../support/crashPoints.ts';
import { listTree } from '../support/listTree.ts';
import { openCore } from '../support/openCore.ts';
import { makeWorld } from '../support/world.ts';

const source = fileURLToPath(new URL('../fixtures/plans/markdown', import.meta.url));

test('an import whose owner dies at any moment leaves the whole plan or none, and can be done again', {
  timeout: 600_000,
}, async () => {
  const template = await makeWorld();
  const plan = `${template.plan}/core`;
  const asked: RequestParams<'import'> = { directory: source, plan, description: 'The core of the shop' };
  let whole: readonly string[] | undefined;
  const { ends } = await everyCrashPoint(
    sceneOf({
      what: 'an import',
      template,
      act: ({ api }) => api.request('import', asked),
      async look(place, { isTold }) {
        const core = await openCore(place, { sessions: 'inProcess' });
        try {
          const { plans } = await core.api.request('list', {});
          const times = plans.filter((one) => one.plan === plan).length;
          if (times === 0) await core.api.request('import', asked);
          // Whoever imported it, the plan is the same, and nothing half made stands beside it.
          const { memoryEntries, nextTask } = await core.api.request('status', { plan });
          expect({ memoryEntries, nextTask }).toMatchObject({ memoryEntries: 2, nextTask: { id: expect.any(String) } });
          const names = listTree(join(place.planDirectory, 'core')).map((line) => line.split(': ')[0] ?? '');
          whole ??= names;
          expect(names).toEqual(whole);
          const besides = readdirSync(place.planDirectory).filter((name) => name.includes('core'));
          expect(besides).toEqual(['core']);
          return { end: times === 0 ? 'none' : 'whole', times, isOwed: isTold };
        } finally {
          await core.stop();
        }
      },
    }),
  );
  expect(ends.join(' ')).toMatch(/^(none )+(whole ?)+$/);
});
