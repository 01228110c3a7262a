import { expect, test } from 'vitest';
import { loadStore, saveStore } from '../../../src/knowledge/search/searchFile.ts';
import { planSource } from '../../../src/knowledge/search/searchSource.ts';
import { SearchStore } from '../../../src/knowledge/search/searchStore.ts';
import { toQualifiedId } from '../../../src/model/id.ts';
import { VaultLayout } from '../../../src/vault/layout.ts';
import { MemoryDisk } from '../../support/memoryDisk.ts';
import { diskChanges, systemError, traceDisk } from '../../support/tracingDisk.ts';

const layout = new VaultLayout('/vault');
const entry = { title: 'Refunds', text: 'wait', kind: '', status: '', tags: [], aliases: [] };

function storeOf(count: number): SearchStore {
  const store = new SearchStore();
  const source = planSource(layout, 'memory', toQualifiedId('shop/project-root'), 'memory.yaml');
  const entries = Array.from({ length: count }, (_, n) => ({ ...entry, id: `e${n}` }));
  store.put(source, [1, 2, 3, 4], { entries, isPartial: false });
  return store;
}

async function savedDisk(): Promise<MemoryDisk> {
  const disk = new MemoryDisk();
  await disk.makeDirectory('/vault');
  await disk.makeDirectory('/vault/runtime');
  await disk.syncDirectory('/');
  await disk.syncDirectory('/vault');
  await saveStore(disk, layout, storeOf(1), '1');
  return disk;
}

/** How many entries the saved index has; 0 for one that is built again. */
async function saved(disk: MemoryDisk): Promise<number> {
  return (await loadStore(disk, layout, { version: '1' })).store.index.count;
}

test.each<[what: string, code: string, hasPower: boolean]>([
  ['a death', 'EIO', true],
  ['a full disk', 'ENOSPC', true],
  ['a power cut', 'EIO', false],
])('%s at any change leaves the index before or after, or one that is built again', async (_what, code, hasPower) => {
  let tried = 0;
  for (let last = 1; ; last += 1) {
    const disk = await savedDisk();
    let changes = 0;
    const failing = traceDisk(disk, (_n, name) => {
      if (diskChanges.has(name)) changes += 1;
      if (changes >= last && diskChanges.has(name)) throw systemError(code);
    });
    const isSaved = await saveStore(failing, layout, storeOf(2), '1').then(
      () => true,
      () => false,
    );
    const count = await saved(hasPower ? disk : disk.afterPowerCut(last));
    expect(isSaved ? [2] : [1, 2]).toContain(count);
    tried += 1;
    if (isSaved) break;
  }
  expect(tried).toBeGreaterThan(4);
});
