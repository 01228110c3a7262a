import { parentPort, workerData } from 'node:worker_threads';
import { assert } from '../../base/assert.ts';
import { nextTurn } from '../../base/async.ts';
import { blockingDisk } from '../../base/blockingDisk.ts';
import { systemClock } from '../../base/clock.ts';
import type { ReadingDisk } from '../../base/disk.ts';
import { messageOf } from '../../base/errors.ts';
import { nodeDisk } from '../../base/nodeDisk.ts';
import { VaultLayout } from '../../vault/layout.ts';
import type { FromSearchThread, SearchThreadOrder, ToSearchThread } from './searchThread.ts';
import { type SearchRequest, VaultSearcher } from './vaultSearcher.ts';

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
  onProblem: (problem) => send({ kind: 'problem', problem }),
});

listen((message) => {
  if (message.kind === 'search') void answer(message.id, message.request);
  else void searcher.stop().finally(() => parentPort?.close());
});

async function answer(id: number, request: SearchRequest): Promise<void> {
  try {
    send({ kind: 'answer', id, answer: await searcher.search(request) });
  } catch (error) {
    send({ kind: 'failed', id, message: messageOf(error) });
  }
}

function listen(take: (message: ToSearchThread) => void): void {
  assert(parentPort !== null, 'a vault is searched in a worker thread');
  parentPort.on('message', take);
}

function send(message: FromSearchThread): void {
  assert(parentPort !== null, 'a vault is searched in a worker thread');
  parentPort.postMessage(message);
}
