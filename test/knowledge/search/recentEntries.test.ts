import { expect, test } from 'vitest';
import type { ReadingDisk } from '../../../src/base/disk.ts';
import { nodeDisk } from '../../../src/base/nodeDisk.ts';
import { RecentEntries } from '../../../src/knowledge/search/recentEntries.ts';
import { noteSource } from '../../../src/knowledge/search/searchSource.ts';
import { VaultLayout } from '../../../src/vault/layout.ts';

test('a file that two searches read at once counts once, and is remembered', async () => {
  const size = 20 * 1024 * 1024;
  let reads = 0;
  const layout = new VaultLayout('/vault');
  const disk: ReadingDisk = {
    ...nodeDisk,
    realPath: async (path) => path,
    stampEach: async () => [1, size, 3, 4],
    readEach: async () => {
      reads += 1;
      return [Buffer.from('# Refunds\n')];
    },
  };
  const recent = new RecentEntries(disk, layout);
  const source = noteSource(layout, '', 'refunds.md');
  await Promise.all([recent.of(source), recent.of(source)]);
  const before = reads;
  expect((await recent.of(source)).get('refunds.md')?.title).toBe('Refunds');
  expect(reads).toBe(before);
});
