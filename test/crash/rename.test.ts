import { existsSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isTemporaryName } from '../../src/base/files.ts';
import { backlogIn } from '../support/backlogs.ts';
import { everyCrashPoint, sceneOf } from '../support/crashPoints.ts';
import { openCore } from '../support/openCore.ts';
import { formatScenario } from '../support/phaseWorld.ts';
import { makeWorld } from '../support/world.ts';

const cart = 'greeter/project-root/cart';
const basket = 'greeter/project-root/shop/basket';

/** Without the views that its owner draws, and without what a view that was cut short leaves, which git ignores. */
async function ownFiles(folder: string): Promise<string[]> {
  const views = ['backlog.md', 'memory.md', 'session-log.md'];
  return (await readdir(folder)).filter((name) => !views.includes(name) && !isTemporaryName(name)).sort();
}

test('a plan whose owner dies at any moment of its renaming stands under one of its names, with all that is its own', {
  timeout: 600_000,
}, async () => {
  const template = await makeWorld({ scenario: formatScenario({}) });
  const before = await openCore(template);
  const { directory } = await before.api.request('create', { plan: cart, description: 'Takes what is bought' });
  await before.api.request('dispatch', { 'target-plan': cart, reason: 'Theirs', body: 'Count the eggs.' });
  while ((backlogIn(directory).received ?? []).length === 0) await new Promise((resolve) => setImmediate(resolve));
  await before.stop();
  await writeFile(join(directory, 'memory.yaml'), 'entries: [] # mine\n');
  const { ends } = await everyCrashPoint(
    sceneOf({
      what: 'a renaming',
      template,
      act: ({ api }) => api.request('rename', { plan: cart, to: basket }),
      async look(place, { isTold }) {
        const core = await openCore(place, { sessions: 'inProcess' });
        try {
          const { plans } = await core.api.request('list', {});
          const names = plans.map(({ plan }) => plan).filter((plan) => plan === cart || plan === basket);
          expect(names).toHaveLength(1);
          const isMoved = names[0] === basket;
          const folder = join(place.planDirectory, isMoved ? 'shop/basket' : 'cart');
          expect(existsSync(join(place.planDirectory, isMoved ? 'cart' : 'shop/basket'))).toBe(false);
          expect(await ownFiles(folder)).toEqual(await ownFiles(directory));
          expect(backlogIn(folder).received).toMatchObject([{ body: 'Count the eggs.' }]);
          // Its mailbox has moved with it: what is sent to it arrives.
          const plan = isMoved ? basket : cart;
          await core.api.request('dispatch', { 'target-plan': plan, reason: 'Theirs', body: 'Count the milk.' });
          while ((backlogIn(folder).received ?? []).length < 2) await new Promise((resolve) => setImmediate(resolve));
          const status = await core.api.request('status', { plan });
          expect(status.interrupted ?? status.running).toBeUndefined();
          return { end: isMoved ? 'moved' : 'unmoved', times: isMoved ? 1 : 0, isOwed: isTold };
        } finally {
          await core.stop();
        }
      },
    }),
  );
  expect(ends.join(' ')).toMatch(/^(unmoved )+(moved ?)+$/);
});
