import { workerData } from 'node:worker_threads';
import { nextTurn } from '../../base/async.ts';
import { blockingDisk } from '../../base/blockingDisk.ts';
import { systemClock } from '../../base/clock.ts';
import type { ReadingDisk } from '../../base/disk.ts';
import { nodeDisk } from '../../base/nodeDisk.ts';
import { offerCalls, sendNotice } from '../../base/offerCalls.ts';
import { VaultLayout } from '../../vault/layout.ts';
import type { OfferedSearch, SearchThreadOrder } from './searchThread.ts';
import { VaultSearcher } from './vaultSearcher.ts';

/** Searches a vault in a thread that does nothing else. */
const order: SearchThreadOrder = workerData;

/** To read here is quickest, and searches have their turn between any two folders. */
const disk: ReadingDisk = {
  ...blockingDisk,
  async readDirectory(path) {
    await nextTurn();
    return blockingDisk.readDirectory(path);
  },
};

const searcher = new VaultSearcher({
  ...{ disk, saving: nodeDisk, layout: new VaultLayout(order.root), clock: systemClock, version: order.version },
  rebuilds: order.rebuilds,
  onProblem: sendNotice,
});

const offered: OfferedSearch = { search: (request) => searcher.search(request) };
offerCalls(offered, () => searcher.stop());
