import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Disk } from '../../src/base/disk.ts';
import { isTemporaryName } from '../../src/base/files.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import type { Backlog } from '../../src/model/backlog.ts';
import { VaultLayout } from '../../src/vault/layout.ts';
import { everyCrashPoint, type MemoryPlace, memorySceneOf, withPowerCuts } from '../support/crashPoints.ts';
import type { MemoryDisk } from '../support/memoryDisk.ts';
import { openCore } from '../support/openCore.ts';
import { formatScenario, nextEvent } from '../support/phaseWorld.ts';
import { lookInMemory, someSignals } from '../support/signalPoints.ts';
import { makeWorld, type World } from '../support/world.ts';

const cart = 'greeter/project-root/cart';
const basket = 'greeter/project-root/shop/basket';

/** Without the views that its owner draws, and without what a view that was cut short leaves, which git ignores. */
async function listOwn(disk: Disk, folder: string): Promise<string[]> {
  const views = ['backlog.md', 'memory.md', 'session-log.md'];
  const names = (await disk.readDirectory(folder)).map(({ name }) => name);
  return names.filter((name) => !views.includes(name) && !isTemporaryName(name)).sort();
}

function receivedIn(disk: MemoryDisk, folder: string): readonly { readonly body: string }[] {
  const backlog: Backlog = parse(disk.textOf(join(folder, 'backlog.yaml')) ?? '') ?? {};
  return backlog.received ?? [];
}

/** A world with a plan that has a message and a memory of its own; the folder of that plan. */
async function makeCart(): Promise<{ readonly template: World; readonly directory: string }> {
  const template = await makeWorld({ scenario: formatScenario({}) });
  const core = await openCore(template);
  const { directory } = await core.api.request('create', { plan: cart, description: 'Takes what is bought' });
  const handled = nextEvent(core, 'message.handled');
  await core.api.request('dispatch', { 'target-plan': cart, reason: 'Theirs', body: 'Count the eggs.' });
  await handled;
  await core.stop();
  await writeFile(join(directory, 'memory.yaml'), 'entries: [] # mine\n');
  return { template, directory };
}

test('a plan whose owner dies or loses power at any moment of its renaming has one of its names, with all its files', {
  timeout: 600_000,
}, async () => {
  const { template, directory } = await makeCart();
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
        expect(await listOwn(disk, folder)).toEqual(await listOwn(nodeDisk, directory));
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
  const look = lookInMemory(scene.look, template);
  await someSignals({ what: scene.what, template, request: 'rename', params: { plan: cart, to: basket }, look });
});

test('a plan whose owner dies or loses power at any moment of its removal is there or in the archive, whole', {
  timeout: 600_000,
}, async () => {
  const { template, directory } = await makeCart();
  const scene = memorySceneOf({
    what: 'a removal',
    template,
    act: ({ api }) => api.request('remove', { plan: cart }),
    async look(place, { isTold }) {
      const times = await checkOneOfBoth(place, directory);
      return { end: times === 0 ? 'there' : 'removed', times, isOwed: isTold };
    },
  });
  const { ends } = await everyCrashPoint(scene);
  expect(ends.join(' ')).toMatch(/^(there )+(removed ?)+$/);
  await everyCrashPoint(withPowerCuts(scene));
  const look = lookInMemory(scene.look, template);
  await someSignals({ what: scene.what, template, request: 'remove', params: { plan: cart }, look });
});

test('a plan whose owner dies or loses power at any moment of its return is there or in the archive, whole', {
  timeout: 600_000,
}, async () => {
  const { template, directory } = await makeCart();
  const owned = await listOwn(nodeDisk, directory);
  const core = await openCore(template);
  const { archive } = await core.api.request('remove', { plan: cart });
  await core.stop();
  const scene = memorySceneOf({
    what: 'a return from the archive',
    template,
    act: ({ api }) => api.request('restore', { archive }),
    async look(place, { isTold }) {
      const times = 1 - (await checkOneOfBoth(place, directory, owned));
      return { end: times === 0 ? 'removed' : 'there', times, isOwed: isTold };
    },
  });
  const { ends } = await everyCrashPoint(scene);
  expect(ends.join(' ')).toMatch(/^(removed )+(there ?)+$/);
  await everyCrashPoint(withPowerCuts(scene));
});

/** How many archives there are of the plan: one, or the plan is there; brought back, it is as it was. */
async function checkOneOfBoth({ world, disk }: MemoryPlace, directory: string, owned?: readonly string[]) {
  const core = await openCore(world, { disk, sessions: 'inProcess' });
  try {
    const { plans } = await core.api.request('list', {});
    const { archives } = await core.api.request('archives', {});
    const isThere = plans.some(({ plan }) => plan === cart);
    expect(archives.map(({ of }) => of)).toEqual(isThere ? [] : [cart]);
    for (const { archive } of archives) await core.api.request('restore', { archive });
    const folder = join(world.planDirectory, 'cart');
    expect(await listOwn(disk, folder)).toEqual(owned ?? (await listOwn(nodeDisk, directory)));
    expect(receivedIn(disk, folder)).toMatchObject([{ body: 'Count the eggs.' }]);
    return archives.length;
  } finally {
    await core.stop();
  }
}
