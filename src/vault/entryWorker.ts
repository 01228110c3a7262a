import { workerData } from 'node:worker_threads';
import { blockingDisk } from '../base/blockingDisk.ts';
import { systemClock } from '../base/clock.ts';
import { nodeDisk } from '../base/nodeDisk.ts';
import { offerCalls } from '../base/offerCalls.ts';
import { EntryStore } from './entryStore.ts';
import type { EntryThreadOrder, OfferedEntries } from './entryThread.ts';
import { VaultLayout } from './layout.ts';

/** Looks at the entries of a large vault in a thread that does nothing else. */
const order: EntryThreadOrder = workerData;
const store = new EntryStore({
  ...{ disk: blockingDisk, saving: nodeDisk, layout: new VaultLayout(order.root), version: order.version },
  wallMs: () => systemClock.wallMs(),
});
const offered: OfferedEntries = {
  page: (asked) => store.page(asked),
  namesakes: (asked) => store.namesakes(asked),
};
offerCalls(offered, () => store.stop());
