import { nextTurn } from '../../base/async.ts';
import type { ReadingDisk } from '../../base/disk.ts';
import type { VaultLayout } from '../../vault/layout.ts';
import { isSettled } from '../../vault/stampedCache.ts';
import { type FoundSource, listSources } from './listSources.ts';
import { readListed } from './readSource.ts';
import type { SearchStore } from './searchStore.ts';

export interface UpdatePorts {
  readonly disk: ReadingDisk;
  readonly layout: VaultLayout;
  /** Wall time, as files are stamped with. */
  readonly wallMs: () => number;
}

/** Files whose stamps are looked at before others have their turn. */
const stampedAtOnce = 64;

/**
 * Makes the store hold what the files of the vault say now. Only files that changed since are read, and searches have
 * their turn between any two of them.
 */
export async function updateStore(
  { disk, layout, wallMs }: UpdatePorts,
  store: SearchStore,
  signal: AbortSignal,
): Promise<void> {
  const startMs = wallMs();
  const sources = await listSources(disk, layout);
  const gone = new Set(store.keys());
  for (let n = 0; n < sources.length; n += stampedAtOnce) {
    await nextTurn();
    signal.throwIfAborted();
    const some = sources.slice(n, n + stampedAtOnce);
    const stamps = await disk.stampEach(some.map(({ readFrom }) => readFrom));
    for (const [at, source] of some.entries()) {
      gone.delete(source.key);
      const own = Array.from({ length: 4 }, (_, part) => stamps[4 * at + part] ?? 0);
      if (!store.hasCurrent(source.key, own))
        await update({ disk, layout }, store, source, isSettled(own, startMs) ? own : unsettled);
    }
  }
  for (const key of gone) {
    await nextTurn();
    signal.throwIfAborted();
    store.remove(key);
  }
}

/** Of a file that can still change without a trace in its stamps: it is read again the next time. */
const unsettled: readonly number[] = [0, 0, 0, 0];

async function update(
  { disk, layout }: Pick<UpdatePorts, 'disk' | 'layout'>,
  store: SearchStore,
  source: FoundSource,
  stamps: readonly number[],
): Promise<void> {
  await nextTurn();
  store.put(source, stamps, await readListed(disk, layout, source));
}
