import { parentPort, workerData } from 'node:worker_threads';
import { assert } from '../../base/assert.ts';
import { nodeDisk } from '../../base/nodeDisk.ts';
import { RecordReader } from './historyIndex.ts';
import type { HistoryMessage, HistoryOrder } from './historyThread.ts';
import { readRecords } from './readRecords.ts';

/** Finds the words of the routing history, in a thread that does nothing else. */
const order: HistoryOrder = workerData;
await readAll(new RecordReader());

async function readAll(reader: RecordReader): Promise<void> {
  const pieces = readRecords(nodeDisk, order.segments);
  let piece = await pieces.next();
  for (; piece.done !== true; piece = await pieces.next()) {
    if (piece.value.length > 0) send({ kind: 'records', records: reader.read(piece.value) });
  }
  send({ kind: 'end', end: piece.value });
}

function send(message: HistoryMessage): void {
  assert(parentPort !== null, 'a history is read in a worker thread');
  parentPort.postMessage(message);
}
