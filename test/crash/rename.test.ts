import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Disk } from '../../src/base/disk.ts';
import { isTemporaryName } from '../../src/base/files.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import type { Backlog } from '../../src/model/backlog.ts';
import { VaultLayout } from '../../src/vault/layout.ts';
import { backlogIn } from '../support/backlogs.ts';
import { everyCrashPoint, memorySceneOf, withPowerCuts } from '../support/crashPoints.ts';
import type { MemoryDisk } from '../support/memoryDisk.ts';
import { openCore } from '../support/openCore.ts';
import { formatScenario, nextEvent } from '../support/phaseWorld.ts';
import { makeWorld } from '../support/world.ts';

const cart = 'greeter/project-root/cart';
const basket = 'greeter/project-root/shop/basket';

/** Without the views that its owner draws, and without what a view that was cut short leaves, which git ignores. */
async function ownFiles(disk: Disk, folder: string): Promise<string[]> {
  const views = ['backlog.md', 'memory.md', 'session-log.md'];
  const names = (await disk.readDirectory(folder)).map(({ name }) => name);
  return names.filter((name) => !views.includes(name) && !isTemporaryName(name)).sort();
}

function receivedIn(disk: MemoryDisk, folder: string): readonly { readonly body: string }[] {
  const backlog: Backlog = parse(disk.textOf(join(folder, 'backlog.yaml')) ?? '') ?? {};
  return backlog.received ?? [];
}

test('a plan whose owner dies or loses power at any moment of its renaming stands under one of its names, with all that is its own', {
  timeout: 600_000,
}, async () => {
  const template = await makeWorld({ scenario: formatScenario({}) });
  const before = await openCore(template);
  const { directory } = await before.api.request('create', { plan: cart, description: 'Takes what is bought' });
  await before.api.request('dispatch', { 'target-plan': cart, reason: 'Theirs', body: 'Count the eggs.' });
  while ((backlogIn(directory).received ?? []).length === 0) await new Promise((resolve) => setImmediate(resolve));
  await before.stop();
  await writeFile(join(directory, 'memory.yaml'), 'entries: [] # mine\n');
  const scene = memorySceneOf({
    what: 'a renaming',
    template,
    act: ({ api }) => api.request('rename', { plan: cart, to: basket }),
    async look({ world, disk }, { isTold }) {
      const core = await openCore(world, { disk, sessions: 'inProcess' });
      try {
        const { plans } = await core.api.request('list', {});
        const names = plans.map(({ plan }) => plan).filter((plan) => plan === cart || plan === basket);
        expect(names).toHaveLength(1);
        const isMoved = names[0] === basket;
        const [plan, folder] = isMoved
          ? [basket, join(world.planDirectory, 'shop/basket')]
          : [cart, join(world.planDirectory, 'cart')];
        expect(await ownFiles(disk, folder)).toEqual(await ownFiles(nodeDisk, directory));
        expect(receivedIn(disk, folder)).toMatchObject([{ body: 'Count the eggs.' }]);
        // Its mailbox is wholly under its name, and what is sent to it arrives.
        const mailboxes = (await disk.readDirectory(new VaultLayout(world.vault).mailboxes)).map(({ name }) => name);
        expect(mailboxes.filter((name) => name.includes(isMoved ? 'cart' : 'basket'))).toEqual([]);
        const handled = nextEvent(core, 'message.handled');
        await core.api.request('dispatch', { 'target-plan': plan, reason: 'Theirs', body: 'Count the milk.' });
        await handled;
        expect(receivedIn(disk, folder)).toMatchObject([{ body: 'Count the eggs.' }, { body: 'Count the milk.' }]);
        const status = await core.api.request('status', { plan });
        expect(status.interrupted ?? status.running).toBeUndefined();
        return { end: isMoved ? 'moved' : 'unmoved', times: isMoved ? 1 : 0, isOwed: isTold };
      } finally {
        await core.stop();
      }
    },
  });
  const { ends } = await everyCrashPoint(scene);
  expect(ends.join(' ')).toMatch(/^(unmoved )+(moved ?)+$/);
  await everyCrashPoint(withPowerCuts(scene));
});
